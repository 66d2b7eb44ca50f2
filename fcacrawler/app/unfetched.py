"""The URLs that a crawl has seen and not fetched: with the rule that is against each, its rank, and where it was found.

The store says what waits; what was left out before it could wait is told by the pages: their links are held against the
rules again, as the crawl would.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from fcacrawler.app.explain import STATES, Job, Progress
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.rules import DUPLICATE, NOFOLLOW
from fcacrawler.frontier import Entry
from fcacrawler.page import key_of
from fcacrawler.values.pages import SeenPage


class Unfetched:
    """Each URL once, as a line of JSON: what waits first."""

    NAMES = ("url", "state", "rule", "rank", "depth", "parent", "anchor", "links", "attempts")

    def __init__(self, folder: Path, progress: Progress) -> None:
        self._folder = folder
        self._progress = progress

    def __iter__(self) -> Iterator[str]:
        job = Job(self._folder, self._progress)
        with closing(job):
            crawl = job.replayed()
            for row in job.unfetched():
                yield json.dumps(_waiting(crawl, *row), ensure_ascii=False)
            known: set[bytes] = set()
            for page in job.pages():
                for told in _left_out(job, crawl, page, known):
                    yield json.dumps(told, ensure_ascii=False)


def _waiting(crawl: Crawl, state: int, entry: Entry) -> dict[str, Any]:
    found = entry.candidate
    first = found.evidence[0] if found.evidence else None
    return {
        "url": found.url,
        "state": STATES[state],
        "rule": crawl.sieve.against(found.url, found.host, found.depth, parent=found.parent),
        "rank": round(entry.rank, 6),
        "depth": found.depth,
        "parent": found.parent or None,
        "anchor": first.anchor if first else "",
        "links": len(found.evidence),
        "attempts": entry.attempts,
    }


def _left_out(job: Job, crawl: Crawl, page: SeenPage, known: set[bytes]) -> Iterator[dict[str, Any]]:
    """The links of a page that no rule let wait."""
    for link in page.links:
        key, host = key_of(link.url)
        if key in known or job.knows(key):
            continue
        known.add(key)
        rule = crawl.sieve.against(link.url, host, page.depth + 1, link.nofollow, page.url)
        if page.url in job.copies:
            rule = DUPLICATE
        yield {
            "url": link.url,
            "state": "left out",
            "rule": rule or NOFOLLOW,  # the page said so of all its links
            "rank": None,
            "depth": page.depth + 1,
            "parent": page.url,
            "anchor": link.anchor,
            "links": 1,
            "attempts": 0,
        }
