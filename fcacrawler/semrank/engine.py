"""Compiled where numba is, plain where it is not: the one place that decides."""

from __future__ import annotations

from functools import cache

from fcacrawler.semrank.arrays import Concepts, Floats, from_masks
from fcacrawler.semrank.close_by_one import close_by_one, own_concepts
from fcacrawler.semrank.context import Table
from fcacrawler.semrank.parameters import SemRankOptions
from fcacrawler.semrank.plain import Best, rank_plain
from fcacrawler.semrank.ties import Ties


@cache
def has_numba() -> bool:
    """Asked at the first use: importing numba takes a good part of a second."""
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def concepts_of(t: Table, limit: int) -> Concepts:
    """All concepts of a context; above ``limit`` of them each URL's and each keyword's own only (``own_concepts``)."""
    if has_numba():
        from fcacrawler.semrank.compiled_concepts import enumerate_concepts

        found = enumerate_concepts(t, limit)
    else:
        masks = close_by_one(t.rows, len(t.keywords), limit)
        found = None if masks is None else from_masks(masks)
    return from_masks(own_concepts(t.rows, len(t.keywords)), complete=False) if found is None else found


def rank_all(base: Concepts, current: Concepts, between: Ties, ics: Floats, options: SemRankOptions) -> Best:
    """SemRank of every current URL."""
    if has_numba():
        from fcacrawler.semrank.fast import rank_fast

        return rank_fast(base, current, between, ics, options)
    return rank_plain(base, current, between, ics, options)
