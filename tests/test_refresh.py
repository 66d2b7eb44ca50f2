"""A crawl is refreshed: pages are asked for on condition that they have changed, and say whether they have."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from fcacrawler.addon import focus_of
from fcacrawler.app.assembly import check_store
from fcacrawler.app.config import Config, RunOptions
from fcacrawler.app.explain import Job
from fcacrawler.frontier.sqlite.copies import DAY, Copies, Copy
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.topics import Topic
from tests.app.test_explain import alike
from tests.crawling import Outcome, crawl
from tests.site import Site, page
from tests.spiders.test_crawls import RACING, text, town  # noqa: F401  # a fixture

SOON = "1e-9"  # days
NEW = Copy("", "", "hash", 0.9, 0.0, 0.0)


def run(town: Site, folder: Path, **arguments: str) -> Outcome:  # noqa: F811
    settings = {"JOBDIR": str(folder), "CONCURRENT_REQUESTS": 1, "ROBOTSTXT_OBEY": False}
    return crawl(SemRankSpider, settings, topic="auto racing", seeds=town.base, **arguments)


def versioned(town: Site, path: str) -> list[dict[str, str]]:  # noqa: F811
    """The page gets an ETag and a date; what is asked for is noted."""
    asked: list[dict[str, str]] = []

    async def answer(request: web.Request) -> web.Response:
        html = town.pages[path + "#"]
        assert isinstance(html, str)
        tag = f'"{len(html)}"'
        asked.append({h: request.headers[h] for h in ("If-None-Match", "If-Modified-Since") if h in request.headers})
        headers = {"ETag": tag, "Last-Modified": formatdate(0, usegmt=True)}
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304, headers=headers)
        return web.Response(text=html, content_type="text/html", headers=headers)

    html = town.pages[path]
    town.pages[path + "#"], town.pages[path] = html, answer
    return asked


def test_a_refresh_asks_on_condition_and_follows_what_is_new(town: Site, tmp_path: Path) -> None:  # noqa: F811
    asked, same = versioned(town, "/race/0"), versioned(town, "/race/1")
    first = run(town, tmp_path)
    assert [item.changed for item in first.items] == [None] * 41
    assert run(town, tmp_path).items == []  # without refresh nothing is left to do
    town.hits.clear()
    town.pages["/race/0#"] = page("Auto racing 0", text(RACING, "new"), {"/race/new": "auto racing car"})
    town.pages["/race/new"] = page("New", text(RACING, "new page"))
    again = run(town, tmp_path, refresh=SOON)
    changed = {item.url.removeprefix(town.base): (item.status, item.changed) for item in again.items}
    assert changed["/race/0"] == (200, True)
    assert changed["/race/1"] == (304, False)
    assert changed["/"] == (200, False)  # no validators: read again, and equal
    assert changed["/race/new"] == (200, None)
    assert len(town.fetched) == len(again.items) == 42
    assert asked[1:] == [{"If-None-Match": f'"{len(_was(town))}"', "If-Modified-Since": formatdate(0, usegmt=True)}]
    assert len(same) == 2
    assert again.stats["fca/unchanged"] == 1


def test_all_that_is_due_is_asked_for_though_enough_is_found(town: Site, tmp_path: Path) -> None:  # noqa: F811
    first = run(town, tmp_path)
    again = run(town, tmp_path, refresh=SOON, recall="0.5")
    assert (len(again.items), again.reason) == (len(first.items), "recall_reached")


def _was(town: Site) -> str:  # noqa: F811
    links = {f"/race/0/{k}": f"racing car {k}" for k in "abc"}
    return page("Auto racing 0", text(RACING, 0), links)


def test_the_store_keeps_the_latest_of_each_page_and_says_so(town: Site, tmp_path: Path) -> None:  # noqa: F811
    versioned(town, "/race/0")
    run(town, tmp_path)
    town.pages["/race/0#"] = page("Auto racing now", text(RACING, "now"))
    live = run(town, tmp_path, pages="41", refresh=SOON)
    kept = [json.loads(item) for item in Items(tmp_path)]
    assert len(kept) == len({item["url"] for item in kept}) == 41
    now = next(item for item in kept if item["url"] == town.url("/race/0"))
    assert (now["title"], now["changed"]) == ("Auto racing now", True)
    job = Job(tmp_path)
    assert alike(job.explain(town.url("/race/0")).explanation, now["explanation"])
    resumed = job.replayed()
    job.close()
    judge = focus_of(live.crawler).parts.crawl.judge
    assert [resumed.judge.relevance(i["url"]) for i in kept] == [judge.relevance(i["url"]) for i in kept]


def test_a_refresh_that_is_not_due_fetches_nothing(town: Site, tmp_path: Path) -> None:  # noqa: F811
    run(town, tmp_path)
    town.hits.clear()
    outcome = run(town, tmp_path, refresh="30")
    assert (outcome.items, town.fetched) == ([], [])


def test_a_refresh_without_a_store_is_refused() -> None:
    with pytest.raises(BadOptions, match="JOBDIR"):
        check_store(Config(run=RunOptions(refresh=7)), Topic("tea"), None)


def test_what_changes_often_and_is_relevant_comes_sooner(tmp_path: Path) -> None:
    copies = Copies(tmp_path)
    often = NEW._replace(last=30 * DAY, changes=4)
    rarely, poor = often._replace(changes=0), often._replace(relevance=0.1)
    for key, copy in ((b"often", often), (b"rarely", rarely), (b"poor", poor)):
        copies.put(key, copy)
    due = dict(copies.due(100 * DAY, 7))
    assert sorted(due, key=lambda key: -due[key]) == [b"often", b"rarely", b"poor"]
    assert dict(copies.due(38 * DAY, 7)).keys() == {b"often", b"poor"}
    copies.looked(b"often", 38 * DAY)
    assert dict(copies.due(38 * DAY, 7)).keys() == {b"poor"}
    copies.close()


@pytest.mark.parametrize("changes", [True, False])
def test_the_pause_between_looks_stays_or_doubles(changes: bool, tmp_path: Path) -> None:
    copies, looks = Copies(tmp_path), []
    copies.put(b"k", NEW)
    for day in range(1, 130):
        if copies.due(day * DAY, 7):
            looks.append(day)
            content = str(day) if changes else "hash"
            copies.put(b"k", NEW._replace(content_hash=content, first=day * DAY, last=day * DAY))
    assert looks == (list(range(7, 130, 7)) if changes else [7, 21, 49, 105])
    copies.close()


def test_a_stored_copy_counts_its_changes(tmp_path: Path) -> None:
    copies = Copies(tmp_path)
    for day, content in enumerate(("a", "a", "b", "c")):
        copies.put(b"k", Copy(f"e{day}", f"m{day}", content, day / 10, day * DAY, day * DAY))
    assert copies.get(b"k") == Copy("e3", "m3", "c", 0.3, 0.0, 3 * DAY, 2)
    copies.close()


def test_a_page_that_is_gone_is_marked_in_export_and_feed_until_it_comes_back(town: Site, tmp_path: Path) -> None:  # noqa: F811
    def kept() -> dict[str, Any]:
        found = {item["url"]: item for item in map(json.loads, Items(tmp_path))}
        assert len(found) == 41
        return {path: found[town.url(path)] for path in ("/race/0", "/race/1", "/race/2")}

    def asked_again() -> dict[str, Any]:
        with closing(sqlite3.connect(tmp_path / "copies.sqlite", isolation_level=None)) as db:
            db.execute("UPDATE copies SET first = 0, last = 0")  # they were fetched long ago
        found = {item.url.removeprefix(town.base): asdict(item) for item in run(town, tmp_path, refresh=SOON).items}
        assert len(found) == 41
        return {path: found[path] for path in ("/race/0", "/race/1", "/race/2")}

    run(town, tmp_path)
    before = kept()
    assert [item["gone"] for item in before.values()] == [None] * 3
    was = town.pages.pop("/race/0")

    async def gone(request: web.Request) -> web.Response:
        return web.Response(status=410)

    town.pages["/race/1"] = gone
    for changed in (True, False):
        live, store = asked_again(), kept()
        for path, status in (("/race/0", 404), ("/race/1", 410)):
            since = store[path]["gone"]
            assert before[path]["fetched_at"] <= since <= live[path]["fetched_at"]
            assert live[path]["gone"] == since
            assert (live[path]["status"], live[path]["changed"]) == (status, changed)
            assert (store[path]["status"], store[path]["text"]) == (status, before[path]["text"])
        assert (store["/race/2"]["gone"], live["/race/2"]["gone"]) == (None, None)
    town.pages["/race/0"] = was
    assert (asked_again()["/race/0"]["gone"], kept()["/race/0"]["gone"]) == (None, None)
    assert kept()["/race/1"]["gone"]
