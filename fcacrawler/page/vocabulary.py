"""Words as numbers, so that a page is weighed by whole arrays: half of what dicts of strings cost.

Numbers depend on what has been read before, so nothing that is told of a page may depend on them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fcacrawler.page.background import background
from fcacrawler.page.forms import plain_form, plain_idf
from fcacrawler.page.segment import UNSPACED
from fcacrawler.page.words import apart, cut, tokens
from fcacrawler.spellings import Spellings

Numbers = NDArray[np.int64]
Weights = NDArray[np.float64]
_MOST = 50_000  # tokens; then it begins anew
_GROWTH = 8192


class Names:
    """Names, numbered from 1 in order of arrival, and what each weighs; 0 is no name and weighs nothing."""

    def __init__(self, weight_of: Callable[[str], float]) -> None:
        self._weight_of = weight_of
        self._known: dict[str, int] = {}
        self.names = [""]
        self.weights: Weights = np.zeros(_GROWTH)

    def number(self, name: str) -> int:
        number = self._known.get(name)
        if number is None:
            number = self._known[name] = len(self.names)
            self.names.append(name)
            if number == len(self.weights):
                self.weights = np.concatenate([self.weights, np.zeros(_GROWTH)])
            self.weights[number] = self._weight_of(name)
        return number


class Vocabulary(dict[str, int]):
    """Token → number, and number → the numbers of its stem and of its plain form; 0 for what says nothing."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language
        self._known, self._plain = background(language), plain_form(language)
        self._spellings = Spellings(self._numbers_of, mark=0)
        self._begin()

    def _begin(self) -> None:
        self.clear()
        self.stems, self.forms = Names(self._known.idf), Names(plain_idf(self._known))
        self.stem_of: Numbers = np.zeros(_GROWTH, np.int64)
        self.form_of: Numbers = np.zeros(_GROWTH, np.int64)
        self._count = 0
        self._spellings.clear()
        self._last, self._numbers = "", np.zeros(0, np.int64)

    def __missing__(self, token: str) -> int:
        stem = self._known.term(token)
        if not stem:
            self[token] = 0
            return 0
        number = self._count = self[token] = self._count + 1
        if number == len(self.stem_of):
            self.stem_of = np.concatenate([self.stem_of, np.zeros(_GROWTH, np.int64)])
            self.form_of = np.concatenate([self.form_of, np.zeros(_GROWTH, np.int64)])
        self.stem_of[number] = self.stems.number(stem)
        self.form_of[number] = self.forms.number(self._plain(token))
        return number

    def read(self, *texts: str) -> list[Numbers]:
        """The numbers of the tokens of some texts. They hold until the next reading.

        The longest text is remembered: a page is read for its terms and again for its keywords.
        """
        if len(self) > _MOST:
            self._begin()
        return [self._numbers if text == self._last else self._read(text) for text in texts]

    def _read(self, text: str) -> Numbers:
        if self._language not in UNSPACED and apart(text):
            numbers = self._spellings.read([text])[0]
        else:
            numbers = np.array(list(map(self.__getitem__, tokens(text, self._language))), np.int64)
        if len(numbers) > 100:
            self._last, self._numbers = text, numbers
        return numbers

    def _numbers_of(self, run: str) -> list[int]:
        return [self[word] for word in ([run] if run.isascii() else cut(run))]


@lru_cache(maxsize=12)
def vocabulary(language: str) -> Vocabulary:
    return Vocabulary(language)
