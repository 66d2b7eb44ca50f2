"""Keywords that are no names, as far as that can be told without knowing any.

Why so: decision 207.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from fcacrawler.page.text.background import background
from fcacrawler.page.text.forms import plain_idf

RARE = 7.4  # idf of a word that one of a million is: rarer are names of people and places, mostly


def plain(pages: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[str, ...]]:
    """The best keywords of pages in a language all of whose words are common enough in it. Where most are not, its
    frequencies say nothing of this topic (or are not known), and all of its keywords are kept.

    >>> plain([("en", ["maranello", "race car", "grand prix", "tyre"])])
    [('race car', 'grand prix', 'tyre')]
    """
    common = [[k for k in words if all(_common(language, word) for word in k.split())] for language, words in pages]
    of, left = Counter[str](), Counter[str]()
    for (language, words), some in zip(pages, common, strict=True):
        of[language] += len(words)
        left[language] += len(some)
    return [
        tuple(some if 2 * left[language] >= of[language] else words)
        for (language, words), some in zip(pages, common, strict=True)
    ]


@lru_cache(maxsize=20_000)
def _common(language: str, word: str) -> bool:
    return plain_idf(background(language))(word) < RARE
