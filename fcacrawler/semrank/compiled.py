"""What is compiled, and how: numba, cached on disk, also inside a zipped egg. Imported only where it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

from numba import njit

from fcacrawler.semrank.arrays import Flags, Floats, Ints, Places, Ragged

F = TypeVar("F", bound=Callable[..., object])


class Lists(NamedTuple):
    """``Ragged`` as compiled code takes it."""

    starts: Ints
    items: Places


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


class Side(NamedTuple):
    """The concepts of one side: X are their extents, Y their intents."""

    X: Lists
    Y: Lists


class Tied(NamedTuple):
    """Current URLs and what they are tied to."""

    to: Lists  # of each URL: the base concepts that links and clicks lead from
    times: Ints  # … and how often, beside ``to.items``
    back: Lists  # by kind of tie, and in it by URL: the base URLs that it leads to
    holders: Lists  # of each base URL: the concepts that hold it


class Reading(NamedTuple):
    """The options that count here."""

    w: float  # negative: the adaptive one
    larger: bool  # Sim_int is divided by the larger intent
    factor: float  # Sim_ext is divided by factor · the larger extent


class Work(NamedTuple):
    """Room for one current concept, and for one assignment: its similarities, and what the Hungarian method keeps."""

    ext: Floats
    most: Floats
    like: Floats
    ics: Floats
    u: Floats
    v: Floats
    least: Floats
    row_of: Ints
    way: Ints
    used: Flags
