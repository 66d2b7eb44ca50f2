"""A text's vector: the weights of its terms, by arrays."""

from __future__ import annotations

import numpy as np

from fcacrawler.page.text.tallies import tallied
from fcacrawler.page.text.vocabulary import vocabulary
from fcacrawler.page.text.words import MOST, terms, weigh

_SHORT = 2000  # characters; for less, arrays do not pay


def vector(text: str, language: str, most: int = MOST, before: str = "") -> dict[str, float]:
    """The same as ``weigh(terms(text, language), language, most)``, faster for texts of the length of a page.

    ``before``: more of the text, up to a line's end: if only the rest has just been read, it is not read again.

    >>> {t: round(w, 3) for t, w in vector("Races, a car, racing", "en").items()}
    {'race': 0.921, 'car': 0.388}
    """
    if len(before) + len(text) < _SHORT:
        return weigh(terms(f"{before}\n{text}", language), language, most)
    words = vocabulary(language)
    numbers = np.concatenate(words.read(before, text))
    present, counts = tallied(words.stem_of[numbers])  # only now: what is read makes it grow
    weights = (1 + np.log(counts)) * words.stems.weights[present]
    if len(present) > most:
        heaviest = np.argsort(-weights, kind="stable")[:most]
        present, weights = present[heaviest], weights[heaviest]
    weights /= np.sqrt(weights @ weights) or 1.0
    names = map(words.stems.names.__getitem__, present.tolist())
    return dict(zip(names, weights.tolist(), strict=True))
