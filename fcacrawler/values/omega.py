"""Ω, the lexical database: what a log says of keywords. Plain frozen data that ``weblogs`` makes, ``hierarchy`` reads.

*Du & Hai 2013, Def. 11*: Ω = (N_BL, N_CL, f, R). The keywords of both lattices are the keys of ``clicks``, f is
``clicks``, and R is ``isa`` and ``part_of``, each relation with the evidence that it was counted from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Support:
    """The evidence for one relation."""

    users: int = 1  # distinct users (or pairs of a group) that show it
    pages: int = 1  # distinct pages (or links between pages) that show it
    count: int = 1  # clicks that show it
    lift: float = 1.0  # how much more often than by chance; 1.0 is chance
    confidence: float = 1.0  # share of the first keyword's clicks that show it; of the rarer keyword's for ISA


@dataclass(frozen=True, slots=True)
class Omega:
    """The lexical database Ω, in canonical order whatever the order it was given in.

    ``clicks`` is f(n) >= 1. ``isa`` is symmetric: a pair may be given either way round (not both) and is kept with the
    smaller name first. ``part_of[whole, part]`` is directed. ISA(n, n) holds and is not stored. A pair that is
    both ISA and Part-Of is refused: that ISA wins is decided where relations are counted (``weblogs``). An empty Ω is
    a crawl without a log: every keyword is similar to itself alone.

    >>> omega = Omega({"spider": 5, "internet": 32, "page": 9}, {("spider", "internet"): Support()},
    ...               {("spider", "page"): Support(users=2)})
    >>> list(omega.clicks), list(omega.isa)
    (['internet', 'page', 'spider'], [('internet', 'spider')])
    """

    clicks: Mapping[str, int] = field(default_factory=dict)
    isa: Mapping[Pair, Support] = field(default_factory=dict)
    part_of: Mapping[Pair, Support] = field(default_factory=dict)

    def __post_init__(self) -> None:
        isa = {ordered(*pair): s for pair, s in self.isa.items()}
        if len(isa) < len(self.isa):
            raise ValueError("Ω: an ISA pair is given both ways round")
        for n, f in self.clicks.items():
            if f < 1:
                raise ValueError(f"Ω: keyword {n!r} has {f} clicks, must be at least 1")
        for a, b in (*isa, *self.part_of):
            if a == b:
                raise ValueError(f"Ω: {a!r} is related to itself")
            for n in (a, b):
                if n not in self.clicks:
                    raise ValueError(f"Ω: keyword {n!r} has a relation and no clicks")
        for a, b in self.part_of:
            if ordered(a, b) in isa:
                raise ValueError(f"Ω: {a!r} and {b!r} are both ISA and Part-Of")
        object.__setattr__(self, "clicks", dict(sorted(self.clicks.items())))
        object.__setattr__(self, "isa", dict(sorted(isa.items())))
        object.__setattr__(self, "part_of", dict(sorted(self.part_of.items())))


def ordered(a: str, b: str) -> Pair:
    """The pair with the smaller name first: how ``Omega.isa`` is keyed."""
    return (a, b) if a <= b else (b, a)
