"""What general language looks like: how often a word occurs, what its stem is, and whether it says anything at all.

Frequencies are those of ``wordfreq``, so that the first page of a crawl has sensible weights, and the weights do not
move while the crawl goes on. A language is loaded when it is first needed (0.1 to 0.3 s) and then kept.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice, repeat
from math import expm1, log
from typing import TypeVar

import msgpack
import wordfreq

from fcacrawler.page.text.stemmers import Stems, stemmer_of
from fcacrawler.page.text.stopwords import STOP_WORDS

T = TypeVar("T")

RAREST, NUMBER = 9.0, 2.0  # the idf of the rarest words, and of numbers
_WORDS_A_PAGE = 600.0
_CENTIBELS = 670  # words are loaded down to 2·10^-7: rarer ones have the idf of unknown ones
LONGEST = 40  # characters; what is longer is no word
_CACHED = 50_000  # words
_HIRAGANA = re.compile("[\u3041-\u309f\u30fc]+")
_FIRST_IDEOGRAPH = "\u2e80"  # from here on a single character may be a word

_LISTED_AS = {"hr": "sh", "bs": "sh", "sr": "sh", "tl": "fil"}  # where wordfreq has another code for a language


def idf(frequency: float) -> float:
    """How much a word says that makes up so large a part of general text.

    -ln of the chance that a page of 600 words has it: ln 1/(1 - exp(-600 f)), at most 9.

    >>> round(idf(1e-3), 3), round(idf(1e-5), 3), idf(0)
    (0.796, 5.119, 9.0)
    """
    return min(RAREST, -log(-expm1(-_WORDS_A_PAGE * frequency))) if frequency > 1e-9 else RAREST


class Remembered(dict[str, T]):
    """A function of words as a dict, which is several times faster; forgets everything when it has grown too large."""

    def __init__(self, function: Callable[[str], T]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> T:
        if len(self) > _CACHED:
            self.clear()
        value = self[word] = self._function(word)
        return value


class Background:
    """General knowledge of one language. Nothing in it leads back to it: it goes as soon as it is forgotten."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.frequency = _frequencies(language)
        """Word → its part of all words."""
        self.stop = stop_words(language)
        self._stemmer = stemmer_of(language)
        self.stem: Callable[[str], str] | None = self._stemmer.stemWord if self._stemmer else None
        self.terms = Remembered(partial(_term, self.stop, self.stem))
        """Token → its stem; "" for what says nothing."""
        self._sums = _sums(self.frequency, self._stemmer)
        self.idfs = Remembered(partial(_idf, self._sums))
        """Stem → its idf."""

    def says_something(self, token: str) -> bool:
        """No stop word, no mark, no single letter. Tokens are in lower case."""
        return _says_something(self.stop, token)

    def term(self, token: str) -> str:
        """A token's stem; "" if it says nothing."""
        return _term(self.stop, self.stem, token)

    def stems(self, tokens: Sequence[str]) -> list[str]:
        """``term`` of each."""
        said = [token if _says_something(self.stop, token) else "" for token in tokens]
        if self._stemmer is None:
            return said
        pairs = zip(said, self._stemmer.stemWords(said), strict=True)
        return [token if token.isdigit() else stem for token, stem in pairs]

    def idf(self, stem: str) -> float:
        return _idf(self._sums, stem)


def _says_something(stop: frozenset[str], token: str) -> bool:
    return (
        token[0].isalnum()
        and (len(token) > 1 or token >= _FIRST_IDEOGRAPH)
        and len(token) <= LONGEST
        and token not in stop
    )


def _term(stop: frozenset[str], stem: Callable[[str], str] | None, token: str) -> str:
    if not _says_something(stop, token):
        return ""
    return stem(token) if stem and not token.isdigit() else token


def _idf(sums: dict[str, float], stem: str) -> float:
    return NUMBER if stem[0].isdigit() else idf(sums.get(stem, 0.0))


@lru_cache(maxsize=12)
def background(language: str) -> Background:
    """Of a language by its ISO 639-1 code; English for "". Where nothing is known of it, no word is common."""
    return Background(language) if language else background("en")


def common_words(language: str, most: int = 1 << 20) -> dict[str, float]:
    """The commoner words of a language, down to 10^-6, commonest first, with their frequencies."""
    return _listed(language, "small", most)


def _frequencies(language: str) -> dict[str, float]:
    return _listed(language, "best", 1 << 20)


def _listed(language: str, wordlist: str, most: int) -> dict[str, float]:
    """Empty for a language that ``wordfreq`` does not have."""
    file = _files(wordlist).get(_LISTED_AS.get(language, language))
    if file is None:
        return {}
    pairs = (zip(words, repeat(10 ** (-centibels / 100))) for centibels, words in enumerate(_buckets(file)))
    return dict(islice(chain.from_iterable(pairs), most))


_files = lru_cache(wordfreq.available_languages)  # which looks through a folder with each call


def _buckets(file: str) -> Iterator[list[str]]:
    """Words a centibel rarer each time, as ``wordfreq`` stores them; no more of the file is read than is asked for."""
    with gzip.open(file) as data:
        unpacker = msgpack.Unpacker(data, raw=False, read_size=1 << 14)
        for _ in range(min(unpacker.read_array_header(), _CENTIBELS + 2)):
            words = unpacker.unpack()
            if isinstance(words, list):  # before the first is a header
                yield words


def _sums(frequencies: dict[str, float], stemmer: Stems | None) -> dict[str, float]:
    """Stem → sum of the frequencies of its words."""
    if stemmer is None:
        return frequencies
    sums: dict[str, float] = {}
    stems = stemmer.stemWords(list(frequencies))
    for stem, frequency in zip(stems, frequencies.values(), strict=True):
        sums[stem] = sums.get(stem, 0.0) + frequency
    return sums


def stop_words(language: str) -> frozenset[str]:
    """Listed by hand for some languages; of others the hundred commonest words, which are nearly the same. Common
    words of Japanese that are written in hiragana alone are what its grammar is made of."""
    listed = STOP_WORDS.get(language)
    kana = filter(_HIRAGANA.fullmatch, common_words(language, 1500)) if language == "ja" else ()
    return frozenset((*(listed.split() if listed else common_words(language, 100)), *kana))
