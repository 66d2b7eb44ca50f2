"""What a user may say about the frontier."""

from __future__ import annotations

from dataclasses import dataclass

from fcacrawler.values.options import at_least, between, option


def _known(where: str) -> str | None:
    if where in ("", "memory", "sqlite") or where.partition("://")[0] in ("redis", "rediss", "unix"):
        return None
    return "must be memory, sqlite, or a URL that begins with redis://, rediss:// or unix://"


@dataclass(frozen=True, slots=True)
class FrontierOptions:
    """Where links wait, and how much is kept of them."""

    frontier: str = option(
        "",
        "where links wait: memory, sqlite (needs a JOBDIR) or the URL of a Redis; by default sqlite with a JOBDIR",
        _known,
    )
    frontier_size: int = option(
        0,
        "how many links may wait; beyond it the worst tenth is evicted. 0: a million in memory, else no limit",
        at_least(0),
    )
    evidence: int = option(
        8, "how many links to one URL are remembered while it waits: the first and the latest", at_least(1)
    )
    attempts: int = option(8, "a link given back unfinished so many times is dead", at_least(1))
    crawl: str = option(
        "",
        "name of the crawl in Redis: workers with the same one share it; by default the topic",
        lambda name: "must have no braces and no spaces" if set(name) & set("{} \t\n") else None,
    )
    parts: int = option(
        1, "a crawl in Redis is cut into so many parts by its hosts, each on a node of its own", between(1, 1024)
    )
    lease: int = option(
        120, "seconds after which what a worker in a Redis crawl is silent about is fetched by another", at_least(5)
    )
    shared_pages: int = option(
        10_000, "the last pages observed that are kept in Redis, so that a new worker learns from them", at_least(100)
    )
