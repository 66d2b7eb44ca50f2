"""The numbers of the default order: what its features weigh at first, and how fast it learns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "meanrel": 1.0,
        "thr": 0.5,
        "child": 0.5,
        "loc": 0.7,
        "place": 0.5,
        "path": 0.7,
        "votes": 0.1,
        "early": 0.5,
        "clicks": 1.0,
    }
    | {"anchor": 0.5, "url": 1.0, "named": 0.5, "outcome": 1.5}
    | {"shared": 0.2, "borne": 0.2, "intent": 0.2, "extent": 0.2}
    | {"near": 1.5, "seeds": 0.4, "query": 0.7}
)
AT_FIRST: Mapping[str, float] = MappingProxyType({"named": 1.0, "query": 0.6, "anchor": 0.25, "url": 0.25})


@dataclass(frozen=True, slots=True)
class Graded:
    """All that can be turned. A feature of weight 0 is left out."""

    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    at_first: Mapping[str, float] = field(default_factory=lambda: AT_FIRST)  # more, before the first page …
    half: float = 30.0  # … and half of that after so many
    every: int = 5  # pages between two epochs; 1 % of the pages when that is more
    first: int = 15  # picks before anything is learned from them
    growth: float = 1.25  # picks between two calibrations: so many times as many
    kept: int = 1024  # picks that are learned from
    near: int = 256  # judged pages of either kind that a name is compared with
    place: float = 3.0  # how many pages of a folder what is known of the folder around it is worth
    pull: float = 1.0  # of the word learner's ridge
    trust: float = 0.6  # in how relevant pages speak, before links' words have led anywhere
    slope: float = 10.0  # p before anything is learned: σ(slope·(score - middle))
    middle: float = 0.45
    doubt: float = 5.0  # how many picks that is worth
    firm: float = 15.0  # how many picks the weights are worth
    copy: float = 0.5  # of its original's worth is that of a copy
    away: float = 0.5  # of its rank keeps a link that names another language
    concepts: int = 256  # relevant pages whose concepts links are held against

    def weight(self, name: str, pages: int) -> float:
        """Of a feature after so many pages: what the topic's own words say counts most while nothing else is known.

        >>> [DEFAULT.weight("named", pages) for pages in (0, 30, 60)], DEFAULT.weight("near", 0)
        ([1.5, 1.0, 0.75], 1.5)
        """
        return self.weights[name] + self.at_first.get(name, 0.0) * float(0.5 ** (pages / self.half))


DEFAULT = Graded()
