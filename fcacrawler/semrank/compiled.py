"""What is compiled, and how: numba, cached on disk, also inside a zipped egg. Imported only where it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

from numba import njit

from fcacrawler.semrank.arrays import Ints, Ragged

F = TypeVar("F", bound=Callable[..., object])


class Lists(NamedTuple):
    """``Ragged`` as compiled code takes it."""

    starts: Ints
    items: Ints


def lists(of: Ragged) -> Lists:
    return Lists(of.starts, of.items)


def compiled(function: F) -> F:
    """Compile at the first call, and keep it: beside the source, or, where that cannot be written, in the user's cache.

    The cache is fresh by the source file alone: what a compiled function calls stands in the same file. Where nothing
    can be written each process compiles for itself.
    """
    try:
        return cast(F, njit(cache=True)(function))
    except RuntimeError:
        return cast(F, njit(function))
