"""How a room declares its options: a frozen dataclass beside the code, each field with its meaning and its check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

Check = Callable[[Any], str | None]


def option(default: Any, meaning: str, check: Check | None = None, argument: str = "") -> Any:
    """A field of an options section: its setting is FCA_ and the field's name in capitals.

    ``check`` answers what is wrong with a value, or None. ``argument`` names the spider argument
    (``-a``) that sets the same field and wins over the setting.
    """
    return field(default=default, metadata={"meaning": meaning, "check": check, "argument": argument})


def at_least(low: float) -> Check:
    return lambda v: None if v >= low else f"must be at least {low}"


def between(low: float, high: float) -> Check:
    return lambda v: None if low <= v <= high else f"must lie between {low} and {high}"


def one_of(*names: str) -> Check:
    return lambda v: None if v in names else f"must be one of {', '.join(filter(None, names))}"


KINDS = {bool: "1 or 0", int: "a whole number", float: "a number", str: "text"}
_BOOLS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}


def converted(raw: Any, default: Any) -> Any:
    """What a user wrote, as a value of the default's kind; ValueError or TypeError where it is none.

    >>> converted("no", True), converted("7", 0), converted(3, 0.5)
    (False, 7, 3.0)
    """
    if isinstance(default, bool):
        try:
            return _BOOLS[str(raw).lower()]
        except KeyError:
            raise ValueError(raw) from None
    if isinstance(default, int):
        return int(str(raw))
    if isinstance(default, float):
        value = float(raw)
        if value != value:
            raise ValueError(raw)
        return value
    return str(raw)
