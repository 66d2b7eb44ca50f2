"""The words of a text as they are searched for: in lower case, cut to their stems by the text's language.

Unlike ``terms`` this needs no frequencies of words, so that a query may be read in many languages at once.
"""

from __future__ import annotations

from functools import lru_cache, partial

from fcacrawler.page.text.background import LONGEST, Remembered, stop_words
from fcacrawler.page.text.segment import UNSPACED
from fcacrawler.page.text.stemmers import Stems, stemmer_of
from fcacrawler.page.text.words import cut_run, runs, tokens


def stems(text: str, language: str, every: bool = False) -> str:
    """In order, with spaces between; stop words are left out, unless it is to be ``every`` word.

    >>> stems("The drivers–were driving, fast", "en"), stems("The drivers", "en", every=True)
    ('driver drive fast', 'the driver')
    """
    known = stems_of(language, every)
    found = tokens(text, language) if language in UNSPACED else runs(text, b" ", b" ")
    return " ".join(filter(None, map(known.__getitem__, found)))


@lru_cache(maxsize=128)
def stems_of(language: str, every: bool) -> Remembered[str]:
    """Of a run in lower case → the stems of its words; "" for what is not searched for."""
    stemmer = stemmer_of(language or "en")
    return Remembered(partial(_of_run, frozenset() if every else stop_words(language or "en"), stemmer))


def _of_run(stop: frozenset[str], stemmer: Stems | None, run: str) -> str:
    if run.isascii() and len(run) <= LONGEST:
        return _stem(stop, stemmer, run)
    return " ".join(filter(None, [_stem(stop, stemmer, word) for word in cut_run(run)]))


def _stem(stop: frozenset[str], stemmer: Stems | None, word: str) -> str:
    if not word[0].isalnum() or len(word) > LONGEST or word in stop:
        return ""
    return stemmer.stemWord(word) if stemmer and not word.isdigit() else word
