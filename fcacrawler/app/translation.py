"""A topic's words in the language of its pages, where they were said in another.

By a dictionary if one is installed (FreeDict's, which Debian packages as dict-freedict-eng-deu and the like), else by
the vectors, in which the words of all languages lie in one space. A word for which neither knows another stays.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log
from pathlib import Path

import numpy as np

from fcacrawler.page.text.background import background
from fcacrawler.page.text.language import told
from fcacrawler.page.text.words import tokens
from fcacrawler.vectors import Vectors
from fcacrawler.vectors.static import Static

DICTIONARIES = Path("/usr/share/dictd")
LEAD = 1.0  # nats a word by which another language must lead
RARER = 0.3  # and one that is alike but not so common
NEAR, AS_NEAR = 0.6, 0.03  # cosine of a word that may stand for another; how much less the commoner one may have
COMMON = 1e-6  # frequency from which on a word is one of the pages' language, wherever else it is one
RARE = 1e-8  # frequency of a word that is in no list
KNOWN = 5e-7  # frequency of a word that may stand for another
_NAMES = {
    "ar": "ara", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "fi": "fin", "fr": "fra",
    "hr": "hrv", "hu": "hun", "id": "ind", "it": "ita", "ja": "jpn", "lt": "lit", "nb": "nor", "nl": "nld", "pl": "pol",
    "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sr": "srp", "sv": "swe", "tr": "tur",
}  # fmt: skip
_KIN = ("ru uk bg mk", "es fr pt it ro ca", "sv da nb", "pl cs sk", "id ms")  # alike in few words, the commonest first
_DIGITS = {c: n for n, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
_ASIDE = re.compile(r"\([^)]*\)|\[[^]]*\]|<[^>]*>|/[^/\s][^/]*/")
_LARGEST = 64 << 20  # bytes of a dictionary that are read


class Translator:
    """The words of a topic → what stands for them in another language.

    ``said``: the language of the words, "" to find it out; ``vectors``: whose space they are looked for in, if any.
    """

    def __init__(self, said: str = "", vectors: Vectors | None = None, dictionaries: Path = DICTIONARIES) -> None:
        self._said, self._vectors, self._dictionaries = said, vectors, dictionaries

    def __call__(self, words: str, language: str) -> Mapping[str, str]:
        """Each word that says something → its translation, or itself; none where the words are of that language."""
        said = self._said or language_of_words(words, language)
        if said == language:
            return {}
        here, there = background(said), background(language)
        found = {word: word for word in tokens(words, said) if here.says_something(word)}
        for word in found:
            if here.frequency.get(word, RARE) > there.frequency.get(word, RARE):
                meant = self._likeliest(self._by_dictionary(word, said, language), words)
                found[word] = meant or self._by_vectors(word, said, language) or word
        return found

    def _likeliest(self, meant: Sequence[str], words: str) -> str:
        """Of several meanings the one nearest to all of the topic's words; the first, where no vectors tell. "" of
        none."""
        if len(meant) < 2 or self._vectors is None:
            return next(iter(meant), "")
        vectors = self._vectors.embed([words, *meant])
        return meant[int(np.argmax(vectors[1:] @ vectors[0]))]

    def _by_dictionary(self, word: str, said: str, language: str) -> Sequence[str]:
        """Its meanings that are one word each, the commonest first."""
        name = f"freedict-{_NAMES.get(said)}-{_NAMES.get(language)}"
        frequency = background(language).frequency
        found = [text for text in meanings(self._dictionaries / name, word) if frequency.get(text, 0.0) > KNOWN]
        return sorted(found, key=frequency.__getitem__, reverse=True)

    def _by_vectors(self, word: str, said: str, language: str) -> str:
        """The commonest of the words of the language that are nearly the nearest."""
        if not isinstance(self._vectors, Static) or not {said, language} <= self._vectors.languages:
            return ""
        near = self._vectors.nearest(word, _rows(self._vectors, said, language))
        least = max(NEAR, max((cosine for _, cosine in near), default=0.0) - AS_NEAR)
        best = [name for name, cosine in near if cosine >= least]
        return max(best, key=background(language).frequency.__getitem__, default="")


def untranslated(words: str, language: str) -> Mapping[str, str]:
    """What a ``Translator`` answers where nobody wants one."""
    return {}


def language_of_words(words: str, language: str) -> str:
    """What language a topic's words are of, whose pages are in ``language``: that, unless they plainly are of another.

    Others are English, the one that their letters tell, and those that few letters hardly tell from it.

    >>> language_of_words("chart axes data series", "de"), language_of_words("Diagramm Achsen Datenreihen", "de")
    ('en', 'de')
    """
    there, best, most = background(language).frequency, language, LEAD
    if all(there.get(word, 0.0) > COMMON for word in tokens(words, language) if word.isalpha()):
        return language
    likely = told("", words).code or "en"
    kin = next((row.split() for row in _KIN if likely in row.split()), [])
    for code in sorted({likely, *kin, "en"} - {language}):
        here = background(code).frequency
        said = [word for word in tokens(words, code) if word.isalpha()]
        lead = sum(log(here.get(word, RARE) / there.get(word, RARE)) for word in said) / max(1, len(said))
        lead -= RARER * (code in kin[1:])
        if lead > most:
            best, most = code, lead
    return best


@lru_cache(maxsize=4)
def _rows(vectors: Static, said: str, language: str) -> Sequence[int]:
    """The names that are words of a language, and commoner there than in the other."""
    here, there = background(language), background(said).frequency
    return [
        n
        for n, name in enumerate(vectors.names)
        if (f := here.frequency.get(name, 0.0)) > KNOWN and f > there.get(name, 0.0) and here.says_something(name)
    ]


def meanings(dictionary: Path, word: str) -> list[str]:
    """What a dictionary in dictd's format says a word means, without grammar and examples; nothing if it is not there.

    Its index has a line a headword: the word, where its article begins and how long it is, in digits of base 64.
    """
    try:
        index, data = _opened(dictionary)
    except (OSError, EOFError, zlib.error, ValueError):
        return []
    found: list[str] = []
    for start, size in index.get(word.lower(), ())[:5]:
        for line in data[start : start + size].decode("utf-8", "replace").splitlines()[1:]:
            meant = re.sub(r"^\s*\d+[.)]\s*", "", _ASIDE.sub("", line)).strip()
            found += [part.strip().lower() for part in re.split("[,;]", meant) if part.strip()]
    return list(dict.fromkeys(found))


@lru_cache(maxsize=2)
def _opened(dictionary: Path) -> tuple[Mapping[str, list[tuple[int, int]]], bytes]:
    index: dict[str, list[tuple[int, int]]] = {}
    for line in dictionary.with_suffix(".index").read_text("utf-8", "replace").splitlines():
        fields = line.split("\t")
        if len(fields) >= 3:
            index.setdefault(fields[0].lower(), []).append((_number(fields[1]), _number(fields[2])))
    with gzip.open(dictionary.with_suffix(".dict.dz")) as file:
        return index, file.read(_LARGEST)


def _number(digits: str) -> int:
    value = 0
    for digit in digits:
        value = 64 * value + _DIGITS.get(digit, 0)
    return value
