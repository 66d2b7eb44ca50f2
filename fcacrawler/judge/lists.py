"""Whether a page tells something, or lists links that do.

Why so: decision 370.
"""

from __future__ import annotations

from fcacrawler.values.pages import SeenPage

FEW = 20  # words that a page counts to have beside its own, where links are counted by words
LIST = 4.0  # times as many links a word as pages have usually: as much a list as not


def density(page: SeenPage) -> float:
    """Links a word."""
    return len(page.links) / (len(page.terms) + FEW)


def tells(dense: float, usual: float) -> float:
    """1 / (1 + x²), x = (d / u - 1) / 3, d the links a word of the page, u those that are usual here; 1 of a page with
    no more than those, or where they are not known.

    >>> tells(0.2, 0.2), tells(0.8, 0.2), tells(2.0, 0.2), tells(1.0, float("inf"))
    (1.0, 0.5, 0.1, 1.0)
    """
    return 1 / (1 + max(0.0, (dense / usual - 1) / (LIST - 1)) ** 2) if usual else 1.0
