"""A text → tokens: stems with their surface, and whether each stands where a noun can stand.

Class words are nouns, and stemming makes verbs look like them: "booking" and "to book" have the stem of "book".
A part-of-speech tagger would cost more than the rest of a crawl together, so three marks do: in English the word before
("to book", "you order") and the ending, in German the small first letter. Other languages are read without.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

Normalise = Callable[[str, str], Sequence[str]]  # (text, language) → stems, stop words left out

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
REMEMBERED = 50_000  # words whose stems are kept
AUXILIARIES = "can could will would shall should may might must cannot not never"
PRONOUNS = "i you we they who"
SHORTENED = "don't can't won't you'll we'll let's"
BEFORE_VERBS = frozenset(f"to please {AUXILIARIES} {PRONOUNS} {SHORTENED}".split())


class Reading(IntEnum):
    """What a word can be where it stands."""

    STOP = 0  # a stop word: part of phrases only, "terms of sale", "used book"
    VERB = 1  # names no class by itself
    DERIVED = 2  # names a class only in the very form that the lexicon has
    NOUN = 3


class Token(NamedTuple):
    """A word of a text after normalising."""

    stem: str
    surface: str  # as written, in lower case
    reading: Reading = Reading.NOUN


class Reader:
    """Reads texts with a stemmer, whose answers it keeps.

    >>> stem = {"Books": ["book"], "book": ["book"], "books": ["book"], "booking": ["book"], "to": []}
    >>> reader = Reader(lambda word, language: stem[word])
    >>> [(t.stem, t.reading.name) for t in reader.tokens("Books: booking, to book, to books", "en")]
    [('book', 'NOUN'), ('book', 'DERIVED'), ('to', 'STOP'), ('book', 'VERB'), ('to', 'STOP'), ('book', 'NOUN')]
    """

    def __init__(self, normalise: Normalise, nouns: bool = True) -> None:
        """``nouns``: tell nouns from verbs as far as that is cheap; else every word counts as a noun."""
        self._normalise = normalise
        self._nouns = nouns
        self._known: dict[tuple[str, str], tuple[Token, ...]] = {}

    def tokens(self, text: str, language: str) -> list[Token]:
        """All words of a text, in order."""
        known = self._known
        found: list[Token] = []
        marks = self._nouns and language == "en"
        verb_follows = False
        for word in WORD.findall(text):
            here = known.get((word, language))
            if here is None:
                here = self._learn(word, language)
            if verb_follows and not word.endswith("s"):
                here = tuple(t._replace(reading=min(t.reading, Reading.VERB)) for t in here)
            found.extend(here)
            verb_follows = marks and word.lower() in BEFORE_VERBS
        return found

    def _learn(self, word: str, language: str) -> tuple[Token, ...]:
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        surface = word.lower()
        reading = self._reading(word, language)
        made = tuple(Token(stem, surface, reading) for stem in self._normalise(word, language))
        self._known[word, language] = made or (Token(surface, surface, Reading.STOP),)
        return self._known[word, language]

    def _reading(self, word: str, language: str) -> Reading:
        derived = (language == "en" and word.lower().endswith(("ing", "ings", "ed"))) or (
            language == "de" and word[0].islower()
        )
        return Reading.DERIVED if self._nouns and derived else Reading.NOUN


def content(tokens: Iterable[Token]) -> list[str]:
    """The stems that say something: stop words left out."""
    return [t.stem for t in tokens if t.reading is not Reading.STOP]
