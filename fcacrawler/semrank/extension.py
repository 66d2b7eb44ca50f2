"""Extension similarity: how two sets of URLs hang together by links and clicks."""

from __future__ import annotations

from collections.abc import Iterable, Set

Tie = tuple[str, str]  # from, to


def extension_similarity(
    base: Set[str], current: Set[str], links: Iterable[Tie] = (), clicks: Iterable[Tie] = (), count: str = "targets"
) -> float:
    """Sim_ext of two extents, in [0, 1]. *Du & Hai 2013, Def. 6*; ``shared``: *Formica 2008*, in their Eq. 4.

        Sim_ext = (L12 + L21 + C12 + C21) / (4 · max(|X1|, |X2|))      targets, pairs
        Sim_ext = |X1 ∩ X2| / max(|X1|, |X2|)                          shared

    ``targets``: L12 counts the distinct URLs of X2 that are reached from X1, and so on: each term is at most
    max(|X1|, |X2|). ``pairs``: L12 counts linked pairs, as printed, and the whole is cut at 1 (erratum 2). A tie given
    twice counts once; one from a URL to itself counts as any other. An empty extent: 0.

    >>> links, clicks = [("U3", "U5"), ("U1", "U8")], [("U3", "U4"), ("U3", "U5")]
    >>> round(extension_similarity({"U1", "U3"}, {"U4", "U5", "U8"}, links, clicks), 4)
    0.3333
    """
    if not base or not current:
        return 0.0
    size = max(len(base), len(current))
    if count == "shared":
        return len(base & current) / size
    total = 0
    for ties in (links, clicks):
        distinct = set(ties)
        forth = [(u, v) for u, v in distinct if u in base and v in current]
        back = [(u, v) for u, v in distinct if u in current and v in base]
        if count == "pairs":
            total += len(forth) + len(back)
        else:
            total += len({v for _, v in forth}) + len({v for _, v in back})
    return min(1.0, total / (4 * size))
