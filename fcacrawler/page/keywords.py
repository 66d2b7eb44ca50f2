"""A page's keywords: words and phrases as a reader would write them, the same string for the same thing everywhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log

from fcacrawler.items import Page
from fcacrawler.page.background import Background, background
from fcacrawler.page.words import words

_BREAK = re.compile(r"[^\w\s'’-]+|\n|\s[-–—]\s")
_TITLE, _HEADING = 4, 2  # what an occurrence there counts
_PLURALS = {
    "en": (("ies", "y"), ("es", ""), ("s", "")),
    "de": (("en", ""), ("n", ""), ("e", ""), ("er", ""), ("es", ""), ("s", "")),
    "fr": (("aux", "al"), ("s", ""), ("x", "")),
    "es": (("ces", "z"), ("es", ""), ("s", "")),
    "it": (("i", "o"), ("i", "e"), ("e", "a"), ("he", "a"), ("hi", "o")),
    "pt": (("ões", "ão"), ("is", "l"), ("es", ""), ("s", "")),
    "nl": (("en", ""), ("s", "")),
}


def keywords(page: Page, anchors: Sequence[str] = (), most: int = 20) -> tuple[tuple[str, float], ...]:
    """The best keywords of a page, best first, the best with weight 1.

    ``anchors``: what links to the page say.
    """
    counts: Counter[str] = Counter()
    parts = [(page.text, 1), (page.title, _TITLE), (page.description, _HEADING)]
    parts += [(said, _HEADING) for said in (*page.headings, *anchors)]
    for text, weight in parts:
        for keyword, n in Counter(_in_order(text, page.language)).items():
            counts[keyword] += n * weight
    return _best(counts, background(page.language), most)


def normalise_query(text: str, language: str) -> list[str]:
    """The keywords of a text, each once: its words and its phrases of two words, as ``keywords`` would write them.

    >>> normalise_query("Auto Racing", "en")
    ['auto', 'racing', 'auto racing']
    """
    found = dict.fromkeys(_in_order(text, language))
    return sorted(found, key=lambda k: " " in k)


def _in_order(text: str, language: str) -> Iterator[str]:
    for piece in _BREAK.split(text):
        forms = [_form(w, language) for w in words(piece, language)]
        yield from filter(None, forms)
        for a, b in pairwise(forms):
            if a and b and not a.isdigit() and not b.isdigit():
                yield f"{a} {b}"


def _best(counts: Counter[str], known: Background, most: int) -> tuple[tuple[str, float], ...]:
    found = {}
    for keyword, n in counts.items():
        parts = keyword.split(" ")
        weight = (1 + log(n)) * sum(known.idf(known.term[p]) for p in parts) / len(parts)
        if len(parts) == 1:
            found[keyword] = weight
        elif n > 1:
            found[keyword] = weight * n / min(counts[p] for p in parts)
    ranked = sorted(found.items(), key=lambda f: (-f[1], f[0]))[:most]
    top = ranked[0][1] if ranked else 1.0
    return tuple((k, w / top) for k, w in ranked if w > 0)


@lru_cache(maxsize=100_000)
def _form(word: str, language: str) -> str:
    """The commonest of a word's inflected forms; "" for a stop word."""
    known = background(language)
    endings = _PLURALS.get(language, ())
    stem = known.term[word]
    while stem:
        own = known.frequency.get(word, 0.0)
        forms = [word.removesuffix(end) + new for end, new in endings if word.endswith(end)]
        forms += [word.removesuffix(new) + end for end, new in endings if word.endswith(new)]
        same = [f for f in forms if known.frequency.get(f, 0.0) > own and known.term[f] == stem]
        if not same:
            return word
        word = max(same, key=known.frequency.__getitem__)
    return ""
