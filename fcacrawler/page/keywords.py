"""A page's keywords: words and phrases as a reader would write them, the same string for the same thing everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fcacrawler.items import Page
from fcacrawler.page.background import NUMBER
from fcacrawler.page.forms import forms
from fcacrawler.page.vocabulary import Numbers, Weights, vocabulary
from fcacrawler.page.words import tokens

_TITLE, _ANCHOR, _HEADING = 2.0, 1.5, 1.25  # a keyword that stands there weighs more by so much
_PHRASE = 1.6  # a phrase says more than its words
_COHESION = 0.3  # exponent: how much it matters that a phrase's words occur in it and hardly elsewhere
_SHARED, _LEFT = 0.5, 0.3  # a word loses half its count to each phrase that it stands in, but keeps 0.3 of it
TELLING = 12_000  # characters of a page's text that tell what it is about; what follows costs time and says the same
_BREAK = np.zeros(1, np.int64)  # between two texts
_FIRST = 32  # a phrase's number is its first word's shifted by so many bits, and its second word's


def keywords(page: Page, anchors: Sequence[str] = (), most: int = 20) -> tuple[tuple[str, float], ...]:
    """The best keywords of a page, best first, the best with weight 1.

    A word scores tf·idf, a phrase of two words that occurs twice at least (or in the title) tf·(mean idf); both more
    where they stand in the title, in a heading, or in ``anchors``: what links to the page say. The weight is the square
    root of the score as a part of the best one. Only the beginning of the text is weighed.
    """
    texts = (page.title, "\n".join(anchors), page.description, page.text[:TELLING], "\n".join(page.headings))
    words = vocabulary(page.language)
    title, said, described, text, headings = (words.form_of[numbers] for numbers in words.read(*texts))
    counted = np.concatenate([title, _BREAK, said, _BREAK, described, _BREAK, text, _BREAK])
    known, first, scores = _scored(counted, len(title) + len(said) + 1, words.forms.weights)
    factors = np.ones(len(known))
    for part, factor in ((described, _HEADING), (headings, _HEADING), (said, _ANCHOR), (title, _TITLE)):
        wanted = np.concatenate([part, _phrases(part[:-1], part[1:])])
        at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        factors[at[known[at] == wanted]] = factor
    scores *= factors
    best = np.lexsort((first, -scores))[:most]
    best = best[scores[best] > 0]
    weights = np.sqrt(scores[best] / scores[best[:1]])
    return tuple(zip((_name(n, words.forms.names) for n in known[best].tolist()), weights.tolist(), strict=True))


def normalise_query(text: str, language: str) -> list[str]:
    """The keywords of a text, each once: its words, then its phrases of two words, written as ``keywords`` does.

    >>> normalise_query("Auto Racing", "en")
    ['auto', 'racing', 'auto racing']
    """
    found = [forms(language)[t] for t in tokens(text, language)]
    phrases = (f"{a} {b}" for a, b in pairwise(found) if a != b and a[:1].isalpha() and b[:1].isalpha())
    return list(dict.fromkeys([*filter(None, found), *phrases]))


def _scored(counted: Numbers, sure: int, weights: Weights) -> tuple[Numbers, Numbers, Weights]:
    """Words and phrases by number, ascending; where each is met first; its score.

    ``sure``: what begins before this place makes phrases even if it does so only once.
    """
    words, first, at, counts = np.unique(counted, return_index=True, return_inverse=True, return_counts=True)
    says = weights[words]
    joins = (words > 0) & (says != NUMBER)  # numbers are in no phrase
    a, b = at[:-1], at[1:]
    often = joins & (counts > 1)
    met = np.flatnonzero((often[a] & often[b] | (joins[a] & joins[b] & (np.arange(len(a)) < sure))) & (a != b))
    phrases, start, n = np.unique(_phrases(a[met], b[met]), return_index=True, return_counts=True)
    kept = (n > 1) | (met[start] < sure)
    phrases, start, n = phrases[kept], met[start[kept]], n[kept]
    a, b = phrases >> _FIRST, phrases & (1 << _FIRST) - 1
    cohesion = (n / np.minimum(counts[a], counts[b])) ** _COHESION
    phrase_scores = _PHRASE * n * cohesion * (says[a] + says[b]) / 2
    left = counts - _SHARED * (np.bincount(a, n, len(words)) + np.bincount(b, n, len(words)))
    word_scores = np.maximum(left, _LEFT * counts) * says
    known = np.concatenate([words, _phrases(words[a], words[b])])
    return known, np.concatenate([first, start]), np.concatenate([word_scores, phrase_scores])


def _phrases(first: Numbers, second: Numbers) -> Numbers:
    return first << _FIRST | second


def _name(number: int, names: Sequence[str]) -> str:
    first, second = number >> _FIRST, number & (1 << _FIRST) - 1
    return f"{names[first]} {names[second]}" if first else names[second]
