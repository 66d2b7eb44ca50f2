"""Link analysis and the crawl's priority (*Huang et al. 2010*, Eq. 5 to 9)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np


def page_rank(
    links: Mapping[str, Sequence[str]], voters: Set[str], damping: float = 0.85, rounds: int = 50, enough: float = 1e-6
) -> dict[str, float]:
    """PR(A) = (1-D) + D·Σ PR(Ti)/C(Ti) over the topic pages Ti that link to A (Eq. 5).

    ``links`` are the crawled pages with their out-links, ``voters`` the topic pages among them. Pages that are linked
    and not crawled have a PageRank too; a page without a vote has 1-D. Starts from 1-D and stops once no value moves
    by more than ``enough``.

    >>> {u: round(r, 4) for u, r in page_rank({"a": ["b", "c"], "b": ["a"], "c": ["b"]}, {"a", "b"}, 0.5).items()}
    {'a': 0.8571, 'b': 0.7143, 'c': 0.7143}
    """
    index: dict[str, int] = {}
    for url, targets in links.items():
        for each in (url, *targets):
            index.setdefault(each, len(index))
    votes = [(index[u], index[t], len(targets)) for u, targets in links.items() if u in voters for t in targets]
    rank = np.full(len(index), 1 - damping)
    if votes:
        source, target, out = (np.array(column) for column in zip(*votes, strict=True))
        for _ in range(rounds):
            new = (1 - damping) + damping * np.bincount(target, rank[source] / out, len(index))
            moved = float(np.abs(new - rank).max())
            rank = new
            if moved <= enough:
                break
    return dict(zip(index, rank.tolist(), strict=True))


def positive_relevance(frequencies: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """PRS(d) = Σ tf_k·ω_k / √(Σ tf_k² · Σ ω_k²): the cosine of d's term frequencies and the topic's TF-IDF (Eq. 7).

    In [0, 1]; 0 for a text without words and a topic without.

    >>> positive_relevance({"book": 3, "shop": 4}, {"book": 1.0})
    0.6
    """
    dot = sum(n * weights[term] for term, n in frequencies.items() if term in weights)
    if dot <= 0:
        return 0.0
    square = sum(n * n for n in frequencies.values()) * sum(w * w for w in weights.values())
    return min(1.0, dot / math.sqrt(square)) if square else 0.0


def reinforcement(relevant: int, crawled: int, theta: float = 0.5) -> float:
    """λ(d) = (t⁺ + θ) / (t + θ) for a page of whose children t have been crawled, t⁺ of them relevant (Eq. 8).

    1 for a page of whose children none has been crawled: nothing speaks against it yet.

    >>> reinforcement(1, 3), reinforcement(0, 0)
    (0.42857142857142855, 1.0)
    """
    return (relevant + theta) / (crawled + theta)


def link_priority(context: float, parents: Iterable[tuple[float, float]], threshold: float = 0.0) -> float:
    """S_pl(u) = PR(u) + Σ λ(d)·PRS(d) / t over the t parents d whose PRS is above the threshold (Eq. 6).

    ``context`` is PR(u), ``parents`` are pairs (λ, PRS). With both in [0, 1] the sum lies in [0, 2].

    >>> link_priority(0.2, [(1.0, 0.5), (0.5, 0.8), (1.0, 0.01)], threshold=0.05)
    0.65
    """
    voices = [share * relevance for share, relevance in parents if relevance > threshold]
    return context + (sum(voices) / len(voices) if voices else 0.0)


def crawl_priority(content: float, link: float, r1: float = 0.5, r2: float = 0.5, product: bool = False) -> float:
    """S_p = r1·S_pc + r2·S_pl (Eq. 9); or S_pc^r1 · S_pl^r2, the weighted product that the text above Eq. 9 speaks of,
    whose logarithm is the weighted sum of the logarithms. In [0, 1] when both parts are and r1 + r2 = 1.

    >>> crawl_priority(0.8, 0.4), crawl_priority(0.9, 0.4, product=True), crawl_priority(0.9, 0.0, product=True)
    (0.6000000000000001, 0.6, 0.0)
    """
    return content**r1 * link**r2 if product else r1 * content + r2 * link
