"""Runs ``relations.sql``: from the evidence to Ω's rows, section by section, what is large in parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import TYPE_CHECKING

from fcacrawler.values.options import at_least, between, option

if TYPE_CHECKING:
    import duckdb

IN_PARTS = " in parts"  # ends the heading of a section that is run for each part
CREATE = re.compile(r"^CREATE TABLE (\w+) AS$", re.MULTILINE)  # the first part does; the others add their rows
READ = {  # section → tables that nothing reads after it
    "queries": ("raw_term", "term_here"),
    "clicks": ("raw_event", "event", "clicked", "asker", "stop"),
    "keywords": ("asked", "roamer", "term", "walk_pair", "raw_keyword_name", "submitted"),
    "places": ("click", "held", "member", "roaming", "visit", "place_here", "seen_here", "asked_for"),
    "returners": ("visitor",),
    "links": ("raw_link", "raw_page_name", "clicked_page", "link", "place"),
    "relations": ("seen", "together", "returner", "bridge", "chance", "candidate", "witness", "counted", "support"),
}


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What counts as a keyword and as a relation."""

    keyword_users: int = option(3, "users who must have submitted a keyword; rarer ones are not stored", at_least(1))
    users: int = option(3, "users who must show a relation, on each of its two sides", at_least(1))
    pages: int = option(2, "pages that must have been clicked after both keywords of an ISA", at_least(1))
    part_links: int = option(3, "links between clicked pages that must show a Part-Of", at_least(1))
    isa_lift: float = option(10.0, "how much more often than by chance ISA must be seen", at_least(0))
    part_lift: float = option(20.0, "how much more often than by chance Part-Of must be seen", at_least(0))
    example_14: int = option(
        0, "1: two keywords of one query count as submitted apart, as in Example 14 (decision 040)", between(0, 1)
    )
    keywords_per_page: int = option(32, "keywords of a page that make ISA: the most characteristic", between(2, 1000))
    keywords_per_link: int = option(12, "keywords of a linked page that make Part-Of: likewise", between(1, 1000))
    links_per_page: int = option(100, "links of a page that make pairs: those to the most clicked pages", at_least(1))
    count_to: int = option(64, "users of a relation are counted exactly up to this number", at_least(1))
    click_users: int = option(
        3, "users who must have clicked both of two pages; rarer pairs are not stored", at_least(1)
    )
    click_pairs: int = option(500_000, "pairs of clicked pages that are stored: those of most users", at_least(0))
    gap: int = option(1800, "seconds after which a walk, or an access log's session, is over", at_least(1))


def prepare(db: duckdb.DuckDBPyConnection, thresholds: Thresholds) -> None:
    """Give the thresholds to the SQL."""
    for field in fields(thresholds):
        db.execute(f"SET VARIABLE {field.name} = {getattr(thresholds, field.name)}")
    db.execute("SET VARIABLE count_to = greatest(getvariable('count_to'), getvariable('users'))")


def run(
    db: duckdb.DuckDBPyConnection,
    first: str,
    last: str,
    parts: int,
    keep: Callable[[str, int], None] = lambda section, part: None,
) -> Iterator[str]:
    """Run the file's sections from the first to the last, as far as it is iterated; tells what is run next.

    ``keep(section, part)`` is called where a part's tables are whole; what nothing reads later is dropped after it, and
    its room on the disk is used again.
    """
    statements = sections()
    headings = list(statements)
    names = [heading.removesuffix(IN_PARTS) for heading in headings]
    for heading in headings[names.index(first) : names.index(last) + 1]:
        name, rounds = heading.removesuffix(IN_PARTS), parts if heading.endswith(IN_PARTS) else 1
        db.execute(f"SET VARIABLE parts = {parts}")
        for part in range(rounds):
            yield name + (f", part {part + 1} of {rounds}" if rounds > 1 else "")
            db.execute(f"SET VARIABLE part = {part}")
            for statement in statements[heading]:
                db.execute(CREATE.sub(r"INSERT INTO \1", statement) if part else statement)
            keep(name, part)
            if part == rounds - 1:
                for table in READ.get(name, ()):
                    db.execute(f"DROP TABLE {table}")
            db.execute("CHECKPOINT")


def sections() -> dict[str, list[str]]:
    """The file's statements, by section.

    >>> " → ".join(heading.removesuffix(IN_PARTS) for heading in sections())
    'queries → clicks → keywords → places → returners → links → relations → omega'
    """
    text = files(__package__).joinpath("relations.sql").read_text(encoding="utf-8")
    parts = [part.partition("\n") for part in text.split("\n-- ## ")[1:]]
    return {name.strip(): [s for s in body.split(";\n") if s.strip()] for name, _, body in parts}
