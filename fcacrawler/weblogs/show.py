"""What an Ω says: its strongest relations, and what it knows of one keyword, with the evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from fcacrawler.omega import Omega, Pair, Support
from fcacrawler.weblogs.store import evidence_of

EXAMPLES = 3  # pages named for a relation

WITNESSES = """
WITH clicked AS (
    SELECT text AS keyword, page, sum(clicks) AS clicks
    FROM {event} AS event JOIN {term} AS term USING (query) JOIN {keyword} AS name ON name.hash = term.keyword
    WHERE text IN ($a, $b) AND page <> 0 GROUP BY ALL
), pair AS (
    SELECT x.page AS p, y.page AS q, least(x.clicks, y.clicks) AS clicks
    FROM clicked AS x JOIN clicked AS y ON x.keyword = $a AND y.keyword = $b
    WHERE CASE WHEN $isa THEN x.page = y.page
               ELSE x.page <> y.page AND (x.page, y.page) IN (SELECT (source, target) FROM {link}) END
)
SELECT n1.text, n2.text FROM pair JOIN {page} AS n1 ON n1.hash = p JOIN {page} AS n2 ON n2.hash = q
ORDER BY clicks DESC, n1.text, n2.text LIMIT $examples
"""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One relation of a keyword."""

    relation: str  # "is a", "part" (the other is a part of the keyword), "whole" (the keyword is a part of the other)
    keyword: str
    support: Support
    pages: tuple[str, ...]  # that show it; for a Part-Of "URL → URL"


def weight(support: Support) -> float:
    """How much a relation tells: how surprising it is, and to how many users it happened.

    >>> weight(Support(users=9, lift=1.0)), weight(Support(users=1, lift=math.e)) == math.log(2)
    (0.0, True)
    """
    return math.log1p(support.users) * math.log(support.lift) if support.lift > 0 else 0.0


def strongest(relations: Mapping[Pair, Support], n: int) -> list[tuple[Pair, Support]]:
    """The n relations that tell most; those that tell the same by name."""
    return sorted(relations.items(), key=lambda item: (-weight(item[1]), item[0]))[:n]


def neighbourhood(omega: Omega, keyword: str, path: Path) -> list[Neighbour]:
    """All relations of a keyword, the most telling first within each kind, with pages from the evidence of the Ω at
    ``path`` if it is still there."""
    kinds: list[tuple[str, dict[Pair, Support]]] = [
        ("is a", {p: s for p, s in omega.isa.items() if keyword in p}),
        ("part", {p: s for p, s in omega.part_of.items() if p[0] == keyword}),
        ("whole", {p: s for p, s in omega.part_of.items() if p[1] == keyword}),
    ]
    return [
        Neighbour(name, pair[pair[0] == keyword], support, witnesses(path, pair, name == "is a"))
        for name, relations in kinds
        for pair, support in strongest(relations, len(relations))
    ]


def witnesses(path: Path, pair: Pair, isa: bool) -> tuple[str, ...]:
    """Pages clicked after both keywords, or linked pages clicked after one and the other, the most clicked first."""
    evidence = evidence_of(path)
    if not evidence.exists():
        return ()
    names = {"event": "raw_event", "term": "raw_term", "keyword": "raw_keyword_name", "page": "raw_page_name"}
    names["link"] = "raw_link"
    tables = {n: f"read_parquet('{str(evidence / t).replace(chr(39), chr(39) * 2)}.parquet')" for n, t in names.items()}
    with duckdb.connect() as db:
        found = db.execute(
            WITNESSES.format(**tables), {"a": pair[0], "b": pair[1], "isa": isa, "examples": EXAMPLES}
        ).fetchall()
    return tuple(p if isa else f"{p} → {q}" for p, q in found)
