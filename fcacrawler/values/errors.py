"""What can go wrong by an operator's hand. The web's oddities are values and counted statistics, not errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar


class FcaError(Exception):
    """A mistake that its reader can mend: the message names the thing, the value and the remedy."""

    exit_code: ClassVar[int] = 1  # of a command that ends by it


class BadOptions(FcaError):
    """Everything that is wrong with the arguments and settings of a command, in one message."""

    exit_code = 2

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(f"- {p}" for p in self.problems) if len(problems) > 1 else self.problems[0])


@contextmanager
def collected(problems: list[str]) -> Iterator[None]:
    """What is wrong is told later, in one message with the rest."""
    try:
        yield
    except BadOptions as error:
        problems += error.problems
    except FcaError as error:
        problems.append(str(error))


class BadRecord(FcaError):
    """Something under our name in a store that we did not write."""


class BadStore(FcaError):
    """A crawl's store cannot be used: it is another crawl's, in use, of another version, or out of order."""


class BadOutput(FcaError):
    """What a crawl brings home cannot be written."""


class BadWorld(FcaError):
    """A folder, file or name that is no world, or has no such topic."""

    exit_code = 2
