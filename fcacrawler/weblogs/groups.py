"""Interest groups: which users' clicks may be put together.

Each way fills ``member(user, grp)``, which wins over the group that the log gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

MOST_PAGES = 50  # a user of more pages has no interest that can be told
COMMON = 0.01  # share of the users above which a page tells no interest (pages of MOST_USERS or fewer always do)
MOST_USERS = 50
EDGES = 200_000  # the strongest; those that tie for the last place are in or out together

NODES = """
CREATE TABLE node AS
WITH reader AS (SELECT page, count(DISTINCT user) AS users FROM click GROUP BY page)
SELECT page, row_number() OVER (ORDER BY text) AS node
FROM reader JOIN (SELECT DISTINCT hash, text FROM raw_page_name) ON hash = page
WHERE users >= greatest(2, getvariable('keyword_users'))
  AND users <= greatest($most_users, $common * (SELECT count(DISTINCT user) FROM click))
"""

SHARED = """
WITH clicked AS (
    SELECT DISTINCT user, node FROM click JOIN node USING (page)
), narrow AS (
    FROM clicked SEMI JOIN (SELECT user FROM clicked GROUP BY user HAVING count(*) <= $most_pages) USING (user)
)
SELECT a.node, b.node, count(*) AS users
FROM narrow AS a JOIN narrow AS b ON a.user = b.user AND a.node < b.node
GROUP BY a.node, b.node
QUALIFY count(*) OVER (ORDER BY count(*) DESC) <= $edges
ORDER BY a.node, b.node
"""

MEMBERS = """
CREATE TABLE member AS
WITH drawn AS (
    SELECT user, community.grp, sum(clicks) AS clicks
    FROM click JOIN node USING (page) JOIN community USING (node) GROUP BY user, community.grp
), home AS (
    SELECT user, grp FROM drawn QUALIFY row_number() OVER (PARTITION BY user ORDER BY clicks DESC, grp) = 1
)
SELECT user, coalesce(home.grp, user) AS grp FROM (SELECT DISTINCT user FROM click) LEFT JOIN home USING (user)
"""


def given(db: duckdb.DuckDBPyConnection) -> None:
    """As the log says. Users of whom it does not say are one group."""
    db.execute("CREATE TABLE member (user UBIGINT, grp UBIGINT)")


def one(db: duckdb.DuckDBPyConnection) -> None:
    """All users are one group."""
    db.execute("CREATE TABLE member AS SELECT DISTINCT user, 0::UBIGINT AS grp FROM click")


def learned(db: duckdb.DuckDBPyConnection) -> None:
    """Users who share clicks.

    Pages are joined by the users who clicked both; their communities (Blondel et al. 2008, in networkx, from a fixed
    seed) are the interests. A user belongs where most of their clicks go; one whom nothing joins to others is a
    group alone.
    Pages are numbered by URL, so the same clicks give the same groups whatever the key of the pseudonyms.
    """
    import networkx as nx

    db.execute(NODES, {"most_users": MOST_USERS, "common": COMMON})
    edges = db.execute(SHARED, {"most_pages": MOST_PAGES, "edges": EDGES}).fetchall()
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(edges)
    found = nx.community.louvain_communities(graph, seed=0) if edges else []
    db.execute("CREATE TABLE community (node BIGINT, grp UBIGINT)")
    rows = [(node, min(nodes)) for nodes in found for node in sorted(nodes)]
    if rows:
        db.executemany("INSERT INTO community VALUES (?, ?)", rows)
    db.execute(MEMBERS)


GROUPS: Mapping[str, Callable[[duckdb.DuckDBPyConnection], None]] = {"given": given, "learned": learned, "one": one}
"""Name → how the members are found."""
