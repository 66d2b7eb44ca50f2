"""What an Ω says: its strongest relations, and what it knows of one keyword, with the evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fcacrawler.values.omega import Omega, Pair, Support
from fcacrawler.weblogs.evidence import TABLES
from fcacrawler.weblogs.store import evidence_of, quoted

EXAMPLES = 3  # pages named for a relation

WITNESSES = """
WITH clicked AS (
    SELECT text AS keyword, page, sum(clicks) AS clicks
    FROM {raw_event} AS event JOIN {raw_term} AS term USING (query)
    JOIN {raw_keyword_name} AS name ON name.hash = term.keyword
    WHERE page <> 0 AND (text = $keyword OR list_contains($others, text)) GROUP BY ALL
), crowd AS (
    SELECT page, sum(clicks) AS clicks FROM {raw_event} GROUP BY page
), mine AS (
    FROM clicked WHERE keyword = $keyword
), shown AS (
    SELECT 'is a' AS relation, y.keyword, x.page AS p, x.page AS q, x.clicks * y.clicks AS clicks
    FROM mine AS x JOIN clicked AS y ON x.page = y.page
    UNION ALL
    SELECT 'part', y.keyword, x.page, y.page, x.clicks * y.clicks
    FROM mine AS x JOIN {raw_link} AS link ON source = x.page JOIN clicked AS y ON target = y.page
    WHERE source <> target
    UNION ALL
    SELECT 'whole', y.keyword, y.page, x.page, x.clicks * y.clicks
    FROM mine AS x JOIN {raw_link} AS link ON target = x.page JOIN clicked AS y ON source = y.page
    WHERE source <> target
)
SELECT relation, shown.keyword, n1.text, n2.text
FROM shown JOIN {raw_page_name} AS n1 ON n1.hash = p JOIN {raw_page_name} AS n2 ON n2.hash = q JOIN crowd ON page = q
QUALIFY row_number() OVER (
    PARTITION BY relation, shown.keyword ORDER BY shown.clicks / crowd.clicks DESC, n1.text, n2.text
) <= $examples
ORDER BY ALL
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


def neighbourhood(omega: Omega, keyword: str, path: Path, most: int) -> list[Neighbour]:
    """The relations of a keyword, the ``most`` telling of each kind first, with pages from the evidence of the Ω at
    ``path`` if it is still there."""
    kinds: list[tuple[str, dict[Pair, Support]]] = [
        ("is a", {p: s for p, s in omega.isa.items() if keyword in p}),
        ("part", {p: s for p, s in omega.part_of.items() if p[0] == keyword}),
        ("whole", {p: s for p, s in omega.part_of.items() if p[1] == keyword}),
    ]
    related = [
        (name, pair[pair[0] == keyword], support)
        for name, relations in kinds
        for pair, support in strongest(relations, most)
    ]
    pages = witnesses(path, keyword, [other for _, other, _ in related])
    return [Neighbour(name, other, support, pages.get((name, other), ())) for name, other, support in related]


def witnesses(path: Path, keyword: str, others: list[str]) -> dict[tuple[str, str], tuple[str, ...]]:
    """By relation and other keyword, pages that were clicked after both, or linked pages clicked after one and the
    other; those first that the two have most to themselves."""
    import duckdb

    evidence = evidence_of(path)
    if not evidence.exists():
        return {}
    tables = {name: f"read_parquet({quoted(evidence / f'{name}.parquet')})" for name in TABLES}
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    with duckdb.connect() as db:
        parameters = {"keyword": keyword, "others": others, "examples": EXAMPLES}
        for relation, other, p, q in db.execute(WITNESSES.format(**tables), parameters).fetchall():
            found[relation, other] = (*found.get((relation, other), ()), p if p == q else f"{p} → {q}")
    return found
