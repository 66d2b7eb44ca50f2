"""Whether a page says the topic's words together, as its user did: in its title, in what it is called, in its text.

Why so: decision 311.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise, takewhile

from fcacrawler.judge.profile import Vector
from fcacrawler.values.pages import SeenPage

NAMED, SAID = 1.0, 0.5  # by its title, its URL or a link to it; in its text only
ENDING = r"\w{0,9}(?:['’]s)?\W{0,3}"  # what may stand between a stem and the next word
_COMMAS = re.compile("[,;/|]")


class Phrases:
    """The share of the pairs of neighbouring words that a page says, each counted 1 if the page's title, its URL or a
    link that leads to it says it, a half if only its text does. A word that says nothing (*and*) parts its neighbours,
    as commas do.
    """

    def __init__(self, words: str, vector_of: Callable[[str], Vector]) -> None:
        parts = [[_start(word, vector_of(word)) for word in part.split()] for part in _COMMAS.split(words.lower())]
        pairs = [(a, b) for part in parts for a, b in pairwise(part) if a and b]
        self._pairs = [re.compile(rf"\b{re.escape(a)}{ENDING}{re.escape(b)}", re.IGNORECASE) for a, b in pairs]

    def said(self, page: SeenPage) -> float:
        """In [0, 1]; 1 where no words stand together."""
        names = "\n".join([page.title, page.url, *(e.anchor for e in page.evidence)])
        found = [NAMED if p.search(names) else SAID * bool(p.search(page.text)) for p in self._pairs]
        return sum(found) / len(found) if found else NAMED


def _start(word: str, stems: Vector) -> str:
    """What a word and its stem have in common; "" for a word that says nothing."""
    if len(stems) != 1:
        return ""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(word, *stems, strict=False))
    return "".join(letter for letter, _ in same)
