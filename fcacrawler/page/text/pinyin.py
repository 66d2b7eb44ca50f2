"""Words that URLs have in pinyin → as Chinese writes them: "tianqi", "beijinglvyou", "tian-qi-yu-bao".

Readings are pypinyin's, an extra; without it words stay as they are. Tones are not written, so many words look alike:
those that the topic says come first, then the commonest (.94 of running text are the commonest of their spelling).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from math import log
from types import MappingProxyType
from typing import NamedTuple

from fcacrawler.page.text.background import common_words
from fcacrawler.values.extras import available

MODULE = "pypinyin"
LONGEST = 48  # letters of a token or row of syllables that is read
_WORD = 24  # places at which a word may end
_SYLLABLE = log(1e-7)  # one that no word takes in
_SHORTEST, _TIMES = 4, 10  # letters of a token; so many times commoner than the English word of that spelling


class _Known(NamedTuple):
    """Spelling → the commonest word that is read so, and how common it is; all syllables."""

    words: Mapping[str, tuple[str, float]]
    syllables: Collection[str]


def chinese(tokens: Iterable[str], own: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """The tokens, in lower case, those that are read as words written so; ``own``: spellings that go before all others.

    >>> " ".join(chinese("beijinglvyou tian qi women html5".split()))
    '北京 旅游 天气 women html5'
    """
    for syllables, those in groupby(tokens, _known().syllables.__contains__):
        if syllables:
            yield from _row(list(those), own)
        else:
            for token in those:
                yield from [own[token]] if token in own else _token(token, own)


def _row(row: Sequence[str], own: Mapping[str, str]) -> Sequence[str]:
    """Syllables that stand alone are words together."""
    if len(row) == 1:
        return [own.get(row[0], row[0])]
    return _cut("".join(row), own, list(accumulate(map(len, row)))) or row


def _token(token: str, own: Mapping[str, str]) -> Sequence[str]:
    english = _english().get(token, 0.0)
    if english or len(token) < _SHORTEST:
        word, frequency = _known().words.get(token, (token, 0.0))
        return [word if frequency > _TIMES * english > 0 else token]
    read = _cut(token, own, range(1, len(token) + 1))
    return read if read and sum(map(str.isascii, read)) * 2 <= len(read) else [token]


def _cut(text: str, own: Mapping[str, str], ends: Sequence[int]) -> list[str] | None:
    """The likeliest words and syllables that a spelling is made of (Viterbi), cut at these ends only; None if there
    are none."""
    words, syllables = _known()
    best: dict[int, tuple[float, list[str]]] = {0: (0.0, [])}  # end → how likely, and what leads there
    for n, start in enumerate((0, *ends) if len(text) <= LONGEST else ()):
        if start not in best:
            continue
        likely, before = best[start]
        for end in ends[n : n + _WORD]:
            spelt = text[start:end]
            word, frequency = (own[spelt], 1.0) if spelt in own else words.get(spelt, ("", 0.0))
            if word or spelt in syllables:
                value = likely + (log(frequency) if word else _SYLLABLE)
                if end not in best or value > best[end][0]:
                    best[end] = value, [*before, word or spelt]
    return best.get(len(text), (0.0, None))[1]


def spellings(word: str) -> set[str]:
    """How a word is written in pinyin without tones: ü as v, as it is typed, or as u or yu, as it is printed.

    >>> sorted(spellings("绿色")), sorted(spellings("银行")), spellings("abc")
    (['luse', 'lvse', 'lyuse'], ['yinhang'], set())
    """
    return _written("".join(_readings(word))) - {""}


def _written(reading: str) -> set[str]:
    return {reading, reading.replace("v", "u"), reading.replace("v", "yu")}


def _readings(word: str) -> list[str]:
    """A word's syllables; none where they cannot be told."""
    if word.isascii() or not available(MODULE):
        return []
    from pypinyin import lazy_pinyin

    found: list[str] = lazy_pinyin(word)
    return found if all(s.isascii() and s.isalpha() for s in found) else []


@lru_cache(maxsize=1)
def _known() -> _Known:
    """Made when the first URL of a Chinese topic is read."""
    words: dict[str, tuple[str, float]] = {}
    syllables: set[str] = set()
    for word, frequency in common_words("zh").items():
        if not (reading := _readings(word)):
            continue
        if len(word) > 1:
            for spelt in _written("".join(reading)):
                words.setdefault(spelt, (word, frequency))
        syllables.update(*map(_written, reading))
    return _Known(words, frozenset(syllables))


@lru_cache(maxsize=1)
def _english() -> Mapping[str, float]:
    return common_words("en")
