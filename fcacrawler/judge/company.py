"""What the pages say that a page is linked with, as far as links join what is alike on this web.

Why so: decision 187.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge.page_links import PageLinks
from fcacrawler.lowlevel.columns import add_to, count

LINKED = 0.7  # weight of the neighbours' mean beside the page's own evidence
LIKELY, FIRM = 0.2, 30  # how alike the ends of links are elsewhere, and how many pages that is worth
SOFT = 0.05  # how softly that turns into a weight
NEIGHBOURS = 2  # of average kind, that each page counts to have beside its own
TINY = 1e-9

Floats = NDArray[np.float64]


def weight(own: Floats, linked: PageLinks) -> float:
    """0.7·σ(a / 0.05), a = (n·r + 30·0.2) / (n + 30) after n pages, r the correlation of what both ends of a link say.

    On topical webs links join what is alike; where lists lead to courses and courses to people, they do not.
    """
    if not len(linked.parents):
        return LINKED * _sigmoid(LIKELY / SOFT)
    x, y = own[linked.parents], own[linked.children]
    x, y = x - x.mean(), y - y.mean()
    r = float(x @ y) / max(math.sqrt(float(x @ x) * float(y @ y)), TINY)
    return LINKED * _sigmoid((len(own) * r + FIRM * LIKELY) / (len(own) + FIRM) / SOFT)


def means(own: Floats, linked: PageLinks) -> Floats:
    """(Σ own of a page's neighbours + 2·mean own) / (their number + 2), for every page."""
    total, degree = np.full(len(own), NEIGHBOURS * own.mean()), np.full(len(own), float(NEIGHBOURS))
    for here, there in (linked.parents, linked.children), (linked.children, linked.parents):
        add_to(total, here, there, own)
        count(degree, here)
    return np.asarray(total / degree)


def mean(own: list[float], usual: float) -> float:
    """The same of one page: of what its neighbours say, where pages say so much as usual."""
    return (sum(own) + NEIGHBOURS * usual) / (len(own) + NEIGHBOURS)


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))
