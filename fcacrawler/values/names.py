"""Names that a user writes: what may have been meant by one that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest_of(name: str, names: Iterable[str]) -> str | None:
    """The one that is written most like it, if any is."""
    return next(iter(get_close_matches(name, list(names), 1)), None)


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint to be put behind a name.

    >>> nearest("rugbi", ["rugby", "golf"]), nearest("x", ["rugby", "golf"])
    ('; did you mean rugby?', '; known: golf, rugby')
    """
    known = list(names)
    close = nearest_of(name, known)
    return f"; did you mean {close}?" if close else f"; known: {', '.join(sorted(known))}"
