"""Values as compiled code takes them."""

from __future__ import annotations

from typing import NamedTuple

from fcacrawler.semrank.kernels.arrays import Flags, Floats, Ints, Places, Ragged


class Lists(NamedTuple):
    """``Ragged`` as compiled code takes it."""

    starts: Ints
    items: Places


def lists(of: Ragged) -> Lists:
    return Lists(of.starts, of.items)


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
