"""How a literal order reads its paper: what the papers leave open, or say twice, as options by their own words.

Why so: decision 202.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from fcacrawler.semrank.parameters import NAMED, SemRankOptions
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.names import nearest
from fcacrawler.values.options import KINDS, at_least, converted, one_of, option

PATHS = ("wordnet", "conceptnet")  # sources that lie in a folder or file: wordnet:FOLDER, conceptnet:FILE


def _source(value: str) -> str | None:
    kind, _, path = value.partition(":")
    if kind in PATHS:
        return None if Path(path).exists() and path else f"must be {kind}:PATH of what is there"
    return one_of("log", "links", "equal", "vectors", *(f"{kind}:PATH" for kind in PATHS))(value)


@dataclass(frozen=True, slots=True)
class RoundOptions:
    """How rounds go. *Du & Hai 2013, §3.5 and §4*."""

    source: str = option(
        "log",
        "of ics: log (Ω of FCA_LOG; without one of the crawl's own links), links, equal (keywords are equal or not), "
        "vectors (of FCA_VECTORS), wordnet:FOLDER, conceptnet:FILE",
        _source,
    )
    iterations: int = option(0, "rounds after which the crawl ends (§4, step 7); 0: none", at_least(0))
    again: bool = option(False, "pages that wait are ranked again against each new base")
    nouns: bool = option(False, "only words that stand where a noun can are keywords: a noun represents a concept")


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper's reading, and how its rounds go."""

    semrank: SemRankOptions
    rounds: RoundOptions


def reading_of(order: str, text: str) -> Reading:
    """The order's own reading, and what its user says otherwise; raises BadOptions with all that is wrong.

    >>> reading_of("semrank-2013", "w=0.5, p_top=min").semrank.w, reading_of("formica", "").semrank.sim_ext
    (0.5, 'shared')
    """
    known = {f.name: f for section in (SemRankOptions, RoundOptions) for f in fields(section)}
    values: dict[str, Any] = {}
    problems: list[str] = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, _, raw = (p.strip() for p in part.partition("="))
        if name not in known:
            problems.append(f"FCA_READING: {name!r} is unknown{nearest(name, known)}")
            continue
        field = known[name]
        try:
            values[name] = converted(raw, field.default)
        except (ValueError, TypeError):
            problems.append(f"FCA_READING: {name}={raw!r}: must be {KINDS[type(field.default)]}")
            continue
        check = field.metadata["check"]
        if check and (wrong := check(values[name])):
            problems.append(f"FCA_READING: {name}={raw}: {wrong}")
    if problems:
        raise BadOptions(problems)
    ours = {f.name for f in fields(RoundOptions)}
    semrank = replace(NAMED[order], **{n: v for n, v in values.items() if n not in ours})
    reading = Reading(semrank, RoundOptions(**{n: v for n, v in values.items() if n in ours}))
    idle = [name for name in values if name in _idle(reading)]
    if idle:
        raise BadOptions([f"FCA_READING: {name} has no effect: {_idle(reading)[name]}" for name in idle])
    return reading


def _idle(reading: Reading) -> Mapping[str, str]:
    """Options that change nothing in this reading, with the reason."""
    found: dict[str, str] = {}
    if reading.semrank.w_rule == "adaptive":
        found["w"] = "w_rule is adaptive"
    if reading.rounds.source.partition(":")[0] in ("equal", "vectors", "wordnet"):
        of_hierarchy = [n for n in asdict(reading.semrank) if n.startswith(("ics_", "p_"))]
        found |= dict.fromkeys(of_hierarchy, f"there is no hierarchy with source={reading.rounds.source}")
    return found
