"""A page's keywords: words and phrases as a reader would write them, the same string for the same thing everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from operator import itemgetter

from fcacrawler.items import Page
from fcacrawler.page.background import NUMBER, Remembered, background, idf
from fcacrawler.page.forms import forms
from fcacrawler.page.words import tokens

_TITLE, _ANCHOR, _HEADING = 2.0, 1.5, 1.25  # a keyword that stands there weighs more by so much
_PHRASE = 1.6  # a phrase says more than its words
_COHESION = 0.3  # exponent: how much it matters that a phrase's words occur in it and hardly elsewhere
_SHARED, _LEFT = 0.5, 0.3  # a word loses half its count to each phrase that it stands in, but keeps 0.3 of it


def keywords(page: Page, anchors: Sequence[str] = (), most: int = 20) -> tuple[tuple[str, float], ...]:
    """The best keywords of a page, best first, the best with weight 1.

    A word scores tf·idf, a phrase of two words that occurs twice at least (or in the title) tf·(mean idf); both more
    where they stand in the title, in a heading, or in ``anchors``: what links to the page say. The weight is the square
    root of the score as a part of the best one.
    """
    language = page.language
    title, said = _forms(page.title, language), _forms("\n".join(anchors), language)
    described, headings = _forms(page.description, language), _forms("\n".join(page.headings), language)
    factors = dict.fromkeys(_keywords([*described, "", *headings]), _HEADING)
    factors |= dict.fromkeys(_keywords(said), _ANCHOR)
    factors |= dict.fromkeys(_keywords(title), _TITLE)
    found = [*title, "", *said, "", *described, "", *_forms(page.text, language)]
    scores = _scores(found, len(title) + len(said) + 1, factors, idfs(language))
    best = sorted(scores.items(), key=itemgetter(1), reverse=True)[:most]
    top = best[0][1] if best else 1.0
    return tuple((keyword, sqrt(score / top)) for keyword, score in best)


def normalise_query(text: str, language: str) -> list[str]:
    """The keywords of a text, each once: its words, then its phrases of two words, written as ``keywords`` does.

    >>> normalise_query("Auto Racing", "en")
    ['auto', 'racing', 'auto racing']
    """
    found = dict.fromkeys(_keywords(_forms(text, language)))
    return sorted(found, key=lambda keyword: " " in keyword)


def _forms(text: str, language: str) -> list[str]:
    """Plain forms of the words; "" where a phrase is broken."""
    return list(map(forms(language).__getitem__, tokens(text, language)))


def _is_phrase(a: str, b: str) -> bool:
    return bool(a and b) and a != b and not a[0].isdigit() and not b[0].isdigit()


def _keywords(found: Sequence[str]) -> Iterator[str]:
    yield from filter(None, found)
    yield from (f"{a} {b}" for a, b in pairwise(found) if _is_phrase(a, b))


def _scores(found: list[str], sure: int, factors: Mapping[str, float], says: Mapping[str, float]) -> dict[str, float]:
    """``sure``: the first so many of the words make phrases even if they do so only once."""
    counts = Counter(found)
    del counts[""]
    scores = {word: n * says[word] for word, n in counts.items()}
    pairs = Counter([(a, b) for a, b in pairwise(found) if a and b])
    certain = set(pairwise(found[:sure]))
    left: dict[str, float] = {}
    for (a, b), n in pairs.items():
        if (n > 1 or (a, b) in certain) and _is_phrase(a, b):
            cohesion = n / min(counts[a], counts[b])
            scores[f"{a} {b}"] = _PHRASE * n * cohesion**_COHESION * (says[a] + says[b]) / 2
            left[a] = left.get(a, counts[a]) - _SHARED * n
            left[b] = left.get(b, counts[b]) - _SHARED * n
    for word, count in left.items():
        scores[word] = max(count, _LEFT * counts[word]) * says[word]
    for keyword, factor in factors.items():
        if keyword in scores:
            scores[keyword] *= factor
    return scores


@lru_cache(maxsize=12)
def idfs(language: str) -> Remembered[float]:
    """Plain form → its idf."""
    frequency = background(language).frequency
    return Remembered(lambda word: NUMBER if word[0].isdigit() else idf(frequency.get(word, 0.0)))
