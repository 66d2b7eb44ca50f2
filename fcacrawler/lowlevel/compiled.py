"""What is compiled, and how: numba, cached on disk, also inside a zipped egg.

For loops that run for every page, over numbers; what they compute is told by their plain twins in the tests.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import FunctionCache

logger = logging.getLogger(__name__)
F = TypeVar("F", bound=Callable[..., object])


class _Kept(FunctionCache):
    """What an earlier version of the source has left may name classes that are no more: it is begun anew."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = None
        try:
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except (AttributeError, ImportError):
            self.flush()  # type: ignore[no-untyped-call]
        if found is None:
            _tell()
        return found


@cache
def _tell() -> None:
    logger.warning("The first run of this version compiles its loops: some ten seconds, once")


def compiled(function: F) -> F:
    """Compile at the first call, and keep it: beside the source, or, where that cannot be written, in the user's cache.

    A place that an array does not have is an IndexError, as in Python: checking costs a few percent of the loops.
    The cache is fresh by the source file alone: what a compiled function calls stands in the same file. Where nothing
    can be written each process compiles for itself.
    """
    found: Any = njit(boundscheck=True)(function)
    with suppress(RuntimeError):
        found._cache = _Kept(function)  # type: ignore[no-untyped-call]
    return cast(F, found)
