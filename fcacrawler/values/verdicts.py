"""What a page turned out to be, and why a rank is what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a rank is what it is."""

    rank: float
    ext: float = 0.0  # what links and clicks say, in [0, 1]
    int_: float = 0.0  # what words say, in [0, 1]
    w: float = 0.0  # rank = w·ext + (1-w)·int, where the order is a SemRank
    base_concept: Mapping[str, Any] = field(default_factory=dict)  # {"extent": [...], "intent": [...]}
    current_concept: Mapping[str, Any] = field(default_factory=dict)
    matched: tuple[tuple[str, str, float], ...] = ()  # (keyword of base, keyword of current, similarity)
    features: Mapping[str, float] = field(default_factory=dict)  # the order's own parts, by name
    calibration: Mapping[str, float] = field(default_factory=dict)
    """What makes a chance of them: p = σ(slope·(w·ext + (1-w)·int) + learned), by these names. A link's rank is p,
    times ``news`` where others of its kind were copies, times ``away`` where it names another language, or ``least``,
    where its host is explored and that is more. Of a page, what p was when it had been read, and nothing had been
    learned from it."""
    judge: Mapping[str, float] = field(default_factory=dict)  # of a page: what the judge's opinion is made of, by name


def written(explanation: Explanation) -> dict[str, Any]:
    """As it stands in an item: the papers' names, numbers rounded."""
    return {{"int_": "int"}.get(f.name, f.name): rounded(getattr(explanation, f.name)) for f in fields(explanation)}


def rounded(value: Any) -> Any:
    """A number, or those in a mapping, as they are written."""
    if isinstance(value, float):
        return round(value, 6)
    return {name: rounded(part) for name, part in value.items()} if isinstance(value, Mapping) else value


class Judged(NamedTuple):
    """What the judge has found out about a page, for the order to learn from."""

    relevance: float  # in [0, 1], as users are told
    guess: float  # the same if anything here is relevant: what is best here is best, whether or not it is any good
    number: int = 0  # of the page, in the order in which pages first came: 0, 1, 2 …
    links: Sequence[tuple[int, int]] = ()  # positions of its links to fetched pages, and the numbers of those
    parents: Sequence[int] = ()  # numbers of the pages with the links that it was found by; -1: one not fetched
    again: bool = False  # it has come before
    revised: bool = False  # since the last page a user has said something, and all pages were judged anew


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a page turned out to be, as judge and order think."""

    rank: float
    relevant: bool
    explanation: Explanation
    duplicate_of: str | None = None  # an earlier page with (nearly) the same content, whose verdict this is
    mark: str | None = None  # what a user says of it: good or bad
