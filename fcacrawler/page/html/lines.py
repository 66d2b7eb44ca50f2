"""Stretches of a text, each as one line: compiled. Nearly all the text of a page is read so once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.page.html.shown import printable

Ints = NDArray[np.int64]
Points = NDArray[np.uint32]

_SHOWN, _WHITE, _DOUBTFUL = range(3)
_SURROGATES = 0xD800  # from here on there are characters that are not shown, but hardly one that stands on a page


def _kind(character: str) -> int:
    return _WHITE if character.isspace() else _SHOWN if printable(character) else _DOUBTFUL


_KINDS = np.array([_kind(chr(c)) for c in range(0x3001)], np.uint8)  # the last white space there is


def lines(text: str, starts: Sequence[int], ends: Sequence[int]) -> tuple[list[str], bool]:
    """The words of each stretch of the text, with a space between two; and whether all of it may be shown as it is.

    >>> lines("One\\n two three", [0, 9], [8, 14])
    (['One two', 'three'], True)
    """
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    found, stops, doubtful = _lines(points, np.array(starts, np.int64), np.array(ends, np.int64))
    line = found.tobytes().decode("utf-32-le", "surrogatepass")
    bounds = [0, *stops.tolist()]
    return [line[a:b] for a, b in pairwise(bounds)], not doubtful


@compiled
def _lines(points: Points, starts: Ints, ends: Ints) -> tuple[Points, Ints, bool]:
    """All lines, one after the other, and where each ends."""
    found, stops = np.empty(points.size, np.uint32), np.empty(starts.size, np.int64)
    end, doubtful = 0, False
    for n in range(starts.size):
        begin, last = end, True
        for i in range(starts[n], ends[n]):
            point = points[i]
            kind = _KINDS[point] if point < _KINDS.size else _DOUBTFUL if point >= _SURROGATES else _SHOWN
            white = kind == _WHITE
            found[end] = 32 if white else point
            end += not (white and last)  # no branch, which nobody could foresee
            last = white
            doubtful |= kind == _DOUBTFUL
        end -= last and end > begin
        stops[n] = end
    return found[:end].copy(), stops, doubtful
