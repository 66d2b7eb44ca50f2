"""A page's keywords: words and phrases as a reader would write them, the same string for the same thing everywhere.

Why so: decision 014.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fcacrawler.page.text.forms import forms
from fcacrawler.page.text.tallies import best
from fcacrawler.page.text.vocabulary import vocabulary
from fcacrawler.page.text.words import tokens
from fcacrawler.values.pages import Page

TELLING = 12_000  # characters of a page's text that tell what it is about; what follows costs time and says the same
_BREAK = np.zeros(1, np.int64)  # between two texts


def keywords(page: Page, anchors: Sequence[str] = (), most: int = 20) -> tuple[tuple[str, float], ...]:
    """The best keywords of a page, best first, the best with weight 1.

    A word scores tf·idf, a phrase of two words that occurs twice at least (or in the title) tf·(mean idf); both more
    where they stand in the title, in a heading, or in ``anchors``: what links to the page say. The weight is the square
    root of the score as a part of the best one. Only the beginning of the text is weighed.
    """
    texts = (page.title, "\n".join(anchors), page.description, page.text[:TELLING], "\n".join(page.headings))
    words = vocabulary(page.language)
    parts = words.read(*texts)
    ends = np.cumsum([len(part) + 1 for part in parts[:4]]) - 1
    numbers = words.form_of[np.concatenate([n for part in parts for n in (part, _BREAK)])]
    first, second, scores = best(numbers, (*ends.tolist(),), words.forms.weights, most)
    weights = np.sqrt(scores / scores[:1])
    names = words.forms.names
    found = [f"{names[a]} {names[b]}" if a else names[b] for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    return tuple(zip(found, weights.tolist(), strict=True))


def normalise_query(text: str, language: str) -> tuple[str, ...]:
    """The keywords of a text, each once: its words, then its phrases of two words, written as ``keywords`` does.

    >>> normalise_query("Auto Racing", "en")
    ('auto', 'racing', 'auto racing')
    """
    found = [forms(language)[t] for t in tokens(text, language)]
    phrases = (f"{a} {b}" for a, b in pairwise(found) if a != b and a[:1].isalpha() and b[:1].isalpha())
    return tuple(dict.fromkeys([*filter(None, found), *phrases]))
