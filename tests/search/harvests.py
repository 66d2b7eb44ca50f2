"""Harvests that are written as a crawl writes them, page by page."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from fcacrawler.app.assembly import retellable
from fcacrawler.app.config import Config
from fcacrawler.app.searching import opened
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.items import PageItem, as_json
from fcacrawler.page import key_of
from fcacrawler.search import Found, Query, ask
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic


def item(url: str, title: str, text: str, **more: Any) -> PageItem:
    known: dict[str, Any] = {
        "final_url": url, "status": 200, "language": "en", "fetched_at": "2026-05-01T00:00:00+00:00", "depth": 0,
        "parent": None, "path": [], "anchor": "", "topic": "tea", "semrank": 0.5, "relevant": True,
    }  # fmt: skip
    return PageItem(url=url, title=title, text=text, **{**known, **more})


def frontier(folder: Path, config: Config | None = None) -> SqliteFrontier:
    told = retellable(config or Config(), Topic("tea", ()))
    return SqliteFrontier(folder, FrontierOptions(), {"topic": "tea", "order": "semrank"}, told)


def fetch(into: SqliteFrontier, found: PageItem, kept: PageItem | None) -> bytes:
    """The page is recorded, and what is kept of it kept; it is not done yet. Its key."""
    key, host = key_of(found.url)
    if not into.again([(key, 1.0)]):
        into.add([Candidate(key, found.url, host, 0)])
    into.update([(key, 1.0)], 1)
    assert into.lease(lambda host: True, 0.0) is not None
    into.record(key, SeenPage(found.url, found.title, found.language, 0, (), {}, (), text=found.text))
    if kept is not None:
        into.keep(key, as_json(kept))
    return key


def harvest(folder: Path, items: Iterable[PageItem], config: Config | None = None) -> Path:
    with closing(frontier(folder, config)) as into:
        for found in items:
            into.done(fetch(into, found, found))
    return folder


def found(folders: Iterable[Path], words: str, **more: Any) -> Found:
    with opened(list(folders)) as jobs:
        return ask(jobs, Query(words, **more))


def urls(folders: Iterable[Path], words: str, **more: Any) -> list[str]:
    return [hit.url for hit in found(folders, words, **more).hits]
