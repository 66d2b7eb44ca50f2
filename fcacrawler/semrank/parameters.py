"""What SemRank leaves open, as options; and the papers' readings as three named sets of them: not three codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from fcacrawler.values.options import at_least, between, one_of, option


@dataclass(frozen=True, slots=True)
class SemRankOptions:
    """How contexts, hierarchy, similarity and rank are read. The defaults are the journal paper's (2013)."""

    w: float = option(0.4, "share of links and clicks in a SemRank; keywords have the rest", between(0, 1))
    w_rule: str = option(
        "fixed", "fixed: w as it is set; adaptive: w = ext / (ext + int) of each pair", one_of("fixed", "adaptive")
    )
    sim_ext: str = option(
        "targets",
        "links and clicks between two extents: targets counts pages reached, pairs counts pairs and is cut at 1, "
        "shared counts common pages (Formica)",
        one_of("targets", "pairs", "shared"),
    )
    sim_int: str = option(
        "smaller",
        "the sum of matched keywords is divided by the smaller or the larger intent",
        one_of("smaller", "larger"),
    )
    ics_isa: bool = option(True, "keywords in ISA have similarity 1")
    ics_path: str = option(
        "root",
        "what weighs a keyword: the path to it from the root, or from the shared ancestor",
        one_of("root", "ancestor"),
    )
    ics_alpha: float = option(0.2, "α in the weight of a Part-Of edge, above 0", between(1e-9, 0.5))
    p_top: str = option("max", "p of an artificial root: the max or the min of all p", one_of("max", "min"))
    p_keyword: str = option(
        "own", "p of a keyword: its own clicks, or cumulative with its parts'", one_of("own", "cumulative")
    )
    max_keywords: int = option(128, "keywords of one URL at most; the first are kept", at_least(1))
    max_concepts: int = option(
        20_000,
        "concepts of one context at most; above that each URL's and each keyword's own concept stand for the lattice",
        at_least(1),
    )

    def __post_init__(self) -> None:
        for f in fields(self):
            problem = (check := f.metadata["check"]) and check(getattr(self, f.name))
            if problem:
                raise ValueError(f"{f.name}={getattr(self, f.name)!r}: {problem}")


SEMRANK_2013 = SemRankOptions()
SEMRANK_2007 = SemRankOptions(w_rule="adaptive", ics_isa=False)
FORMICA = SemRankOptions(w=0.5, sim_ext="shared", sim_int="larger")

NAMED: Mapping[str, SemRankOptions] = MappingProxyType(
    {"semrank-2013": SEMRANK_2013, "semrank-2007": SEMRANK_2007, "formica": FORMICA}
)
