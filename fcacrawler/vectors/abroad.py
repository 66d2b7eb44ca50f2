"""Words of other languages in the space of English rows, by a model that knows all of them (after Reimers & Gurevych
2020, who teach a model of many languages what an English one says).

1. The model sees English words and texts that have vectors already; the mean of a language is taken away from what it
   sees, since vectors of one language lean one way.
2. A word of another language has the mean of two guesses: linear in what the model sees of it (a ridge), and the mean
   of the English words that the model sees nearest to it.
3. It weighs as English words do that are as common.
4. Fitted to texts: the sum over a text's words shall point where the text is by the same two guesses, as Model2Vec's
   second stage does. Pairs of any two words of a language are such texts too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from wordfreq import get_frequency_list

from fcacrawler.vectors.model import Encoder
from fcacrawler.vectors.parts import words

Array = NDArray[np.float32]
Progress = Callable[[str, int, int], None]
Text = tuple[str, str]  # its language, and itself
LISTED = {  # language → its part of all names that are not English
    "ar": 12, "de": 13, "es": 9, "fr": 9.5, "it": 10, "ja": 12, "ko": 11, "nl": 8, "pl": 12.5, "pt": 8, "ru": 16,
    "tr": 10, "zh": 13,
}  # fmt: skip
_OWN_SCRIPT = frozenset(("ar", "ja", "ko", "ru", "zh"))
_UNINFLECTED = frozenset(("ja", "ko", "zh"))  # each form has a row
_PLAINLY, _TIMES = 3e-5, 10  # so common in English a word is English; or unless it is so many times commoner elsewhere
_CENTIBELS, _FIRST_IDEOGRAPH = 670, "\u2e80"  # rarer words have no row; from here on one character may be a word
_RIDGE = 10.0
_NEAREST, _SHARPNESS, _SEEN_BY = 20, 8, 160  # English words of a guess, the power of their cosines, numbers compared
SLICE = 1024


class Teacher(Encoder, Protocol):
    """A model that knows many languages."""

    def provenance(self) -> Mapping[str, str]:
        """What it is."""
        ...


class Word(NamedTuple):
    """A word of another language than English, and how common it is there."""

    name: str
    language: str
    frequency: float


def choose(most: int, languages: Sequence[str] = tuple(LISTED)) -> list[Word]:
    """The commonest words of each language, ``most`` in all; where words are inflected, no word that is an earlier one
    and one or two letters more."""
    share = most / sum(LISTED[language] for language in languages)
    english = _listed("en")
    found: dict[str, Word] = {}
    for language in languages:
        kept: set[str] = set()
        for word, frequency in _listed(language).items():
            if len(kept) >= share * LISTED[language]:
                break
            at_home = english.get(word, 0.0)
            if at_home > _PLAINLY or frequency < _TIMES * at_home:
                continue
            if language in _UNINFLECTED or not any(len(word) - n >= 5 and word[:-n] in kept for n in (1, 2)):
                kept.add(word)
                if word not in found or found[word].frequency < frequency:
                    found[word] = Word(word, language, frequency)
    return list(found.values())


def _listed(language: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for centibels, listed in enumerate(get_frequency_list(language)[:_CENTIBELS]):
        for word in ("".join(words(name)) for name in listed):
            alone = len(word) > 1 or word >= _FIRST_IDEOGRAPH
            if word.isalpha() and alone and not (language in _OWN_SCRIPT and word.isascii()):
                found.setdefault(word, 10 ** (-centibels / 100))
    return found


class Bridge:
    """From what the teacher sees to where that is among the English rows."""

    def __init__(self, seen: Array, there: Array, base: int) -> None:
        """``seen``: of English words and texts, by the teacher; ``there``: their unit rows; nearest are the words among
        the first ``base``."""
        square = seen.T @ seen + np.float32(_RIDGE) * np.eye(seen.shape[1], dtype=np.float32)
        self._linear = np.linalg.solve(square, seen.T @ there)
        _, axes = np.linalg.eigh(seen[:base].T @ seen[:base])
        self._axes = np.ascontiguousarray(axes[:, ::-1][:, :_SEEN_BY], np.float32)
        self._base, self._there = units(seen[:base] @ self._axes), there[:base]

    def __call__(self, seen: Array) -> Array:
        """Unit rows."""
        near = np.zeros((len(seen), self._there.shape[1]), np.float32)
        most = min(_NEAREST, len(self._base) - 1)
        for start in range(0, len(seen), SLICE):
            cosines = units(seen[start : start + SLICE] @ self._axes) @ self._base.T
            best = np.argpartition(-cosines, most, 1)[:, :most]
            says = np.maximum(np.take_along_axis(cosines, best, 1), 0) ** _SHARPNESS
            near[start : start + SLICE] = (says[:, None, :] @ self._there[best])[:, 0]
        return units(units(seen @ self._linear) + units(near))


def weight(frequency: float) -> float:
    """
    >>> f"{weight(1e-2):.2f} {weight(1e-6):.2f}"
    '0.20 0.60'
    """
    return float(max(0.2, (7.5 - 9 - np.log10(frequency)) / 7.5))


def seen_alone(teacher: Encoder, names: Sequence[str], high: float, progress: Progress) -> Array:
    """Each word by itself, as it stands within a sentence and with a capital, German nouns are known so only: the
    mean, in which the latter have this part."""
    low = encode(teacher, names, "words", progress)
    cased = [i for i, name in enumerate(names) if name.capitalize() != name]
    both = low.copy()
    if cased:
        both[cased] = encode(teacher, [names[i].capitalize() for i in cased], "words with capitals", progress)
    return units((1 - high) * low + high * both)


def pairs(found: Sequence[Word]) -> list[Text]:
    """Any two words of a language together, drawn; a quarter of its words stand in one."""
    of: dict[str, list[str]] = {}
    for word in found:
        of.setdefault(word.language, []).append(word.name.capitalize() if word.language == "de" else word.name)
    rng, drawn = np.random.default_rng(5), []
    for language, names in of.items():
        between = "" if language in ("ja", "zh") else " "
        order = [names[i] for i in rng.permutation(len(names))[: len(names) // 4]]
        drawn += [(language, between.join(pair)) for pair in zip(order[::2], order[1::2], strict=False)]
    return drawn


def less_mean(seen: Array, languages: Sequence[str], means: Mapping[str, Array]) -> Array:
    """What is seen, less what the language has."""
    return units(seen - np.array([means[language] for language in languages]))


def units(rows: Array) -> Array:
    """Of length 1 or 0."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)


def encode(teacher: Encoder, texts: Sequence[str], what: str, progress: Progress) -> Array:
    parts = []
    for start in range(0, len(texts), SLICE):
        parts.append(teacher.encode(texts[start : start + SLICE]))
        progress(what, min(len(texts), start + SLICE), len(texts))
    return np.concatenate(parts) if parts else np.zeros((0, teacher.size), np.float32)
