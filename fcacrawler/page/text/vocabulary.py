"""Words as numbers, so that a page is weighed by whole arrays: half of what dicts of strings cost.

Numbers depend on what has been read before, so nothing that is told of a page may depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.spellings import DIGITS, Spellings
from fcacrawler.page.text.background import LONGEST, background
from fcacrawler.page.text.forms import plain_form, plain_idf
from fcacrawler.page.text.segment import UNSPACED
from fcacrawler.page.text.words import STROKE, cut, tokens

Numbers = NDArray[np.int64]
Weights = NDArray[np.float64]
T = TypeVar("T", Numbers, Weights)
_MOST = 160_000  # tokens; then it begins anew
_GROWTH = 8192
NOTHING = np.zeros(0, np.int64)
NAMELESS = 1 << 40


class Names:
    """Names, numbered from 1 in order of arrival, and what each weighs; 0 is no name and weighs nothing."""

    def __init__(self, weight_of: Callable[[str], float]) -> None:
        self._weight_of = weight_of
        self._known = {"": 0}
        self.names = [""]
        self.weights: Weights = np.zeros(_GROWTH)

    def numbers(self, names: Sequence[str]) -> list[int]:
        known, start = self._known, len(self.names)
        new = [name for name in dict.fromkeys(names) if name not in known]
        self.names += new
        known.update(zip(new, range(start, len(self.names)), strict=True))
        self.weights = _set(self.weights, start, list(map(self._weight_of, new)))
        return [known[name] for name in names]


class Vocabulary:
    """Token → number, and number → the numbers of its stem and of its plain form; 0 for what says nothing."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._background, self._plain = background(language), plain_form(language)
        self._spellings = Spellings(self._numbers_of, mark=0)
        self._brief = False  # it is short texts that are read
        self._begin()

    def _begin(self) -> None:
        self.stems, self.forms = Names(self._background.idf), Names(plain_idf(self._background))
        self.stem_of: Numbers = np.zeros(_GROWTH, np.int64)
        self.form_of: Numbers = np.zeros(_GROWTH, np.int64)
        self.keys: Numbers = np.zeros(_GROWTH, np.int64)  # of stems by number: the same in every process
        self._count = 1  # 0 is no token
        self._spellings.clear()
        self._known: dict[str, int] = {}  # tokens of languages without spaces
        self._last, self._numbers = "", NOTHING

    def read(self, *texts: str) -> list[Numbers]:
        """The numbers of the tokens of some texts. They hold until the next reading.

        The longest text is remembered: a page is read for its terms and again for its keywords.
        """
        if self._count > _MOST:
            self._begin()
        new = [text for text in dict.fromkeys(texts) if text and text != self._last]
        known = {self._last: self._numbers, **dict(zip(new, self._read(new), strict=True)), "": NOTHING}
        longest = max(new, key=lambda text: len(known[text]), default="")
        if len(known[longest]) > 100:
            self._last, self._numbers = longest, known[longest]
        return [known[text] for text in texts]

    def read_all(self, texts: Sequence[str]) -> tuple[Numbers, Numbers]:
        """The numbers of the tokens of many short texts, one after the other, and whose each is; of the long numbers in
        URLs, of which there is no end, ``NAMELESS`` and their key."""
        if self._count > _MOST:
            self._begin()
        if self._language not in UNSPACED and STROKE not in "".join(texts):
            self._brief = True
            try:
                return self._spellings.read(texts)
            finally:
                self._brief = False
        found = [self._slowly(text) for text in texts]
        return np.concatenate([NOTHING, *found]), np.repeat(np.arange(len(found)), list(map(len, found)))

    def _read(self, texts: Sequence[str]) -> list[Numbers]:
        if self._language in UNSPACED or STROKE in "".join(texts):
            return [self._slowly(text) for text in texts]
        found, owner = self._spellings.read(texts)
        return np.split(found, np.searchsorted(owner, np.arange(1, len(texts))))[: len(texts)]

    def _slowly(self, text: str) -> Numbers:
        found = tokens(text, self._language)
        new = [token for token in dict.fromkeys(found) if token not in self._known]
        self._known.update(zip(new, self._learned(new), strict=True))
        return np.array([self._known[token] for token in found], np.int64)

    def _numbers_of(self, runs: Sequence[str]) -> list[Sequence[int]]:
        ids = [self._brief and _is_id(run) for run in runs]
        words = [[] if id_ else [run] if run.isascii() else cut(run) for run, id_ in zip(runs, ids, strict=True)]
        start = self._learned(list(chain.from_iterable(words))).start
        return [
            (NAMELESS + crc32(run.encode()),) if id_ else range(start, start := start + len(found))
            for run, id_, found in zip(runs, ids, words, strict=True)
        ]

    def _learned(self, tokens: Sequence[str]) -> range:
        """New numbers, a page's worth at a time: half of what it costs one by one."""
        stems = self._background.stems(tokens)
        plain = self._plain
        forms = [plain(token) if stem else "" for token, stem in zip(tokens, stems, strict=True)]
        start, known = self._count, len(self.stems.names)
        self._count += len(stems)
        self.stem_of = _set(self.stem_of, start, self.stems.numbers(stems))
        self.form_of = _set(self.form_of, start, self.forms.numbers(forms))
        self.keys = _set(self.keys, known, [crc32(stem.encode()) for stem in self.stems.names[known:]])
        return range(start, self._count)


def _is_id(run: str) -> bool:
    """A number so long that ``Spellings`` does not remember it."""
    return DIGITS < len(run) <= LONGEST and run.isdigit() and run.isascii()


def _set(array: T, start: int, values: Sequence[float]) -> T:
    """The array, or a longer one, with these values from ``start`` on."""
    end = start + len(values)
    if end > len(array):
        array = np.concatenate([array, np.zeros(end - len(array) + _GROWTH, array.dtype)])
    array[start:end] = values
    return array


@lru_cache(maxsize=12)
def vocabulary(language: str) -> Vocabulary:
    return Vocabulary(language)
