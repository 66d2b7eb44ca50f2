"""Intension similarity: the best one-to-one matching of two sets of keywords."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.optimize import linear_sum_assignment

from fcacrawler.semrank.kernels.arrays import Floats
from fcacrawler.semrank.keyword_similarity import KeywordSimilarity

Match = tuple[str, str, float]


def best_matching(ics: Floats) -> list[tuple[int, int]]:
    """The one-to-one pairs (row, column) with the greatest sum: an assignment problem.

    >>> best_matching([[0.9, 0.8], [0.9, 0.0]])
    [(0, 1), (1, 0)]
    """
    rows, columns = linear_sum_assignment(ics, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def matched_keywords(base: Sequence[str], current: Sequence[str], similarity: KeywordSimilarity) -> list[Match]:
    """The pairs that make Sim_int, those of similarity 0 left out, most similar first."""
    ics = similarity.matrix(base, current)
    found = [(base[i], current[j], float(ics[i, j])) for i, j in best_matching(ics) if ics[i, j] > 0]
    return sorted(found, key=lambda m: (-m[2], m[0], m[1]))


def intension_similarity(
    base: Sequence[str], current: Sequence[str], similarity: KeywordSimilarity, divide_by: str = "smaller"
) -> float:
    """Sim_int of two intents, in [0, 1]. *Du & Hai 2013, Def. 17*; ``larger``: *Formica 2008*, in their Eq. 4.

        Sim_int = 1/n · max over one-to-one P ⊆ Y1 × Y2 of Σ (a,b)∈P ics(a, b)

    n is the number of keywords of the ``smaller`` intent (all that P can match) or of the ``larger``. An empty
    intent: 0.

    >>> from fcacrawler.semrank.keyword_similarity import Exact
    >>> intension_similarity(["internet", "spider"], ["page", "spider", "web"], Exact())
    0.5
    """
    if not base or not current:
        return 0.0
    n = min(len(base), len(current)) if divide_by == "smaller" else max(len(base), len(current))
    return min(1.0, sum(s for _, _, s in matched_keywords(base, current, similarity)) / n)
