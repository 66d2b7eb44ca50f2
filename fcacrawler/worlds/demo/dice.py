"""Chance that falls the same on every machine and Python: what ``random`` guarantees, and exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
_WORD = (1 << 64) - 1


def mixed(*numbers: int) -> int:
    """One 64-bit number out of several (the finaliser of splitmix64, chained).

    >>> mixed(1, 2) == mixed(1, 2), mixed(1, 2) == mixed(2, 1)
    (True, False)
    """
    h = 0x9E3779B97F4A7C15
    for n in numbers:
        h = ((h ^ n) * 0xBF58476D1CE4E5B9) & _WORD
        h = ((h ^ (h >> 27)) * 0x94D049BB133111EB) & _WORD
        h ^= h >> 31
    return h


class Dice:
    """A stream of chance, named by numbers.

    >>> Dice(1, 2).below(100) == Dice(1, 2).below(100)
    True
    """

    __slots__ = ("_u",)

    def __init__(self, *seed: int) -> None:
        self._u = Random(mixed(*seed)).random  # the one method whose sequence Python promises to keep

    def chance(self, p: float) -> bool:
        return self._u() < p

    def below(self, n: int) -> int:
        return int(self._u() * n)

    def low(self, n: int) -> int:
        """Below n, and rather low: few numbers come up often, most seldom."""
        u = self._u()
        return int(u * u * u * n)

    def one(self, things: Sequence[T]) -> T:
        return things[int(self._u() * len(things))]

    def some(self, things: Sequence[T], k: int) -> list[T]:
        """Up to k different places of the sequence, in the order drawn."""
        drawn = dict.fromkeys(int(self._u() * len(things)) for _ in range(k)) if things else {}
        return [things[i] for i in drawn]
