"""What general language looks like: how often a word occurs, its stem, and whether it says anything at all.

Frequencies are those of ``wordfreq``, so that the first page of a crawl has sensible keywords, and the weights do not
move while the crawl goes on. Loaded once per language, when first needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from math import expm1, log

import Stemmer
import wordfreq

from fcacrawler.page.stopwords import STOP_WORDS

WORD = re.compile(r"[^\W_]+")
LONGEST = 40  # characters of a word; what is longer is no word
RAREST, NUMBER = 9.0, 2.0  # caps of the idf, of words and of numbers
_WORDS_A_PAGE = 600.0
_CENTIBELS = 800  # words rarer than 10^-8 are as good as unknown
_CACHED = 200_000

_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali",
    "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


def idf(frequency: float) -> float:
    """How much a word says that makes up so large a part of general text.

    -ln of the chance that a page of 600 words has it: ln 1/(1 - exp(-600 f)), at most 9.

    >>> round(idf(1e-3), 3), round(idf(1e-5), 3), idf(0)
    (0.796, 5.119, 9.0)
    """
    return min(RAREST, -log(-expm1(-_WORDS_A_PAGE * frequency))) if frequency > 1e-9 else RAREST


class _Cached(dict[str, str]):
    """A function of words, remembered; forgets everything when there is too much of it."""

    def __init__(self, function: Callable[[str], str]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> str:
        if len(self) > _CACHED:
            self.clear()
        value = self[word] = self._function(word)
        return value


class Background:
    """General knowledge of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.stop = frozenset(STOP_WORDS.get(language, "").split()) or _commonest(language)
        name = _SNOWBALL.get(language)
        self._stem = Stemmer.Stemmer(name, 0).stemWord if name else str
        self.frequency = _frequencies(language)  # of words
        self.term = _Cached(self._term)
        """Word in lower case → its stem; "" for a stop word."""
        self._idf: dict[str, float] = _idfs(self.frequency, name)

    def idf(self, term: str) -> float:
        found = self._idf.get(term)
        if found is not None:
            return found
        return NUMBER if term.isdigit() else RAREST

    def _term(self, word: str) -> str:
        if word in self.stop or len(word) > LONGEST or (len(word) < 2 and word.isascii()):
            return ""
        return self._stem(word)


@lru_cache(maxsize=12)
def background(language: str) -> Background:
    """Of a language by its ISO 639-1 code; of English frequencies without stems for what is not known."""
    return Background(language)


def _idfs(frequencies: dict[str, float], snowball: str | None) -> dict[str, float]:
    words = list(frequencies)
    stems = Stemmer.Stemmer(snowball, 0).stemWords(words) if snowball else words
    sums: dict[str, float] = {}
    for stem, frequency in zip(stems, frequencies.values(), strict=True):
        sums[stem] = sums.get(stem, 0.0) + frequency
    return {s: min(idf(f), NUMBER) if s.isdigit() else idf(f) for s, f in sums.items()}


def _frequencies(language: str) -> dict[str, float]:
    if language not in wordfreq.available_languages("best"):
        return {}
    buckets = wordfreq.get_frequency_list(language, "best")[: _CENTIBELS + 1]
    return {word: 10 ** (-cB / 100) for cB, words in enumerate(buckets) for word in words}


def _commonest(language: str) -> frozenset[str]:
    if language not in wordfreq.available_languages("best"):
        return frozenset()
    return frozenset(wordfreq.top_n_list(language, 100))
