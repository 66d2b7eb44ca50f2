"""What an Ω says: its strongest relations, and what it knows of one keyword, with the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fcacrawler.values.omega import Pair, Support
from fcacrawler.weblogs.evidence import TABLES
from fcacrawler.weblogs.store import evidence_of, quoted, rows_of

EXAMPLES = 3  # pages named for a relation

KINDS = {  # relation, as it is told → its kind, and on which side of it the keyword stands
    "is a": ("isa", "$keyword IN (a, b)"),
    "part": ("part_of", "a = $keyword"),
    "whole": ("part_of", "b = $keyword"),
}

STRONGEST = """
SELECT a, b, users, pages, clicks, lift, confidence FROM omega WHERE kind = $kind AND {which}
ORDER BY if(lift > 0, ln(1 + users) * ln(lift), 0) DESC, a, b LIMIT $n
"""

CLICKS = """
SELECT coalesce(sum(clicks) FILTER (WHERE a = $keyword), 0)::BIGINT, coalesce(sum(clicks), 0)::BIGINT
FROM omega WHERE kind = 'keyword'
"""

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


def strongest(path: Path, kind: str, n: int, which: str = "true", **given: str) -> list[tuple[Pair, Support]]:
    """The n relations of a kind that tell most, of those for which an SQL condition on a, b and what is given holds.

    A relation tells how surprising it is, and to how many users it happened: ln(1 + users) · ln(lift); those that tell
    the same come by name.
    """
    rows = rows_of(path, STRONGEST.format(which=which), kind=kind, n=max(n, 0), **given)
    return [((a, b), Support(*support)) for a, b, *support in rows]


def clicks_of(path: Path, keyword: str) -> tuple[int, int]:
    """f(keyword), 0 if it was not learned, and the sum of f over all keywords."""
    ((own, total),) = rows_of(path, CLICKS, keyword=keyword)
    return own, total


def neighbourhood(path: Path, keyword: str, most: int) -> list[Neighbour]:
    """The relations of a keyword, the ``most`` telling of each kind first, with pages from the evidence of the Ω at
    ``path`` if it is still there."""
    related = [
        (name, pair[pair[0] == keyword], support)
        for name, (kind, which) in KINDS.items()
        for pair, support in strongest(path, kind, most, which, keyword=keyword)
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
    tables = {name: f"read_parquet({quoted(evidence / f'{name}*.parquet')})" for name in TABLES}
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    with duckdb.connect() as db:
        parameters = {"keyword": keyword, "others": others, "examples": EXAMPLES}
        for relation, other, p, q in db.execute(WITNESSES.format(**tables), parameters).fetchall():
            found[relation, other] = (*found.get((relation, other), ()), p if p == q else f"{p} → {q}")
    return found
