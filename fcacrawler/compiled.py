"""What is compiled, and how: numba, cached on disk, also inside a zipped egg.

For loops that run for every page, over numbers; what they compute is told by their plain twins in the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile at the first call, and keep it: beside the source, or, where that cannot be written, in the user's cache.

    The cache is fresh by the source file alone: what a compiled function calls stands in the same file. Where nothing
    can be written each process compiles for itself.
    """
    try:
        return cast(F, njit(cache=True)(function))
    except RuntimeError:
        return cast(F, njit(function))
