"""A crawl's store says why a URL was fetched, waits, or was left out."""

from __future__ import annotations

import io
import json
import math
from argparse import Namespace
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from scrapy.exceptions import DropItem

from fcacrawler.addon import focus_of
from fcacrawler.app.explain import Job
from fcacrawler.app.story import Story, of_items
from fcacrawler.commands.explain import shown
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.evaluation.drawings import topic
from fcacrawler.frontier.sqlite.look import Look
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.judge.parts import PARTS
from fcacrawler.orders.meanings import meanings
from fcacrawler.orders.semrank.parts import CLICKS, CONCEPTS, EXT, VECTORS, WORDS
from fcacrawler.orders.semrank.parts import MEANINGS as SEMRANK
from fcacrawler.page import key_of
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadStore
from tests.crawling import Outcome, crawl
from tests.processes import scrapy
from tests.site import Site, page
from tests.spiders.test_crawls import RACING, town  # noqa: F401  # a fixture
from tests.spiders.test_crawls import text as text_of
from tests.test_addon import FOCUSED, Foreign


@pytest.fixture
def job(town: Site, tmp_path: Path) -> tuple[Site, Outcome, Path]:  # noqa: F811
    """Twelve pages of the town, which also links to what is not followed, and has a seed that is not there."""
    links = {"/login": "Log in", **{f"/race/{n}": f"auto racing {n}" for n in range(5)}}
    seed = town.pages["/"]
    assert isinstance(seed, str)
    town.pages["/"] = seed.replace("</body>", '<a rel="nofollow" href="/advert">advert</a></body>')
    town.pages["/race/0"] = page("Auto racing 0", text_of(RACING, 0), links)
    seeds = f"{town.base},{town.url('/ghost')}"
    settings = {"JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 1, "FCA_DENY": "/login"}
    return town, crawl(SemRankSpider, settings, topic="auto racing", seeds=seeds, pages="12"), tmp_path / "job"


def explain(folder: Path, url: str) -> Story:
    job = Job(folder)
    try:
        return job.explain(url)
    finally:
        job.close()


def alike(one: Any, other: Any) -> bool:
    """The same, but for what weights lose when they are kept in single precision."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(part, other[name]) for name, part in one.items())
    return bool(one == (pytest.approx(other, abs=2e-6) if isinstance(one, float) else other))


def test_a_fetched_page_says_what_its_item_says(job: tuple[Site, Outcome, Path]) -> None:
    _, outcome, folder = job
    seed, *_, item = outcome.items
    story = explain(folder, item.url)
    assert (story.state, story.depth) == ("fetched", item.depth)
    assert alike(story.explanation, json.loads(json.dumps(item.explanation)))
    assert [step["url"] for step in story.path] == item.path
    assert f"its rank was {item.rank_before_fetch:.3f}" in story.why
    assert "it is a seed" in explain(folder, seed.url).why


def chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def of_links(e: dict[str, Any]) -> float:
    """The rank that is made of the shown parts."""
    score = e["w"] * e["ext"] + (1 - e["w"]) * e["int"]
    return chance(e["calibration"]["slope"] * score + e["calibration"]["learned"])


def test_the_parts_that_are_shown_give_the_numbers_that_are_shown(job: tuple[Site, Outcome, Path]) -> None:
    town, outcome, folder = job  # noqa: F811
    read = [item for item in outcome.items if item.depth]
    assert len(read) > 8
    for item in read:
        judge = item.explanation["judge"]
        own = sum(judge[name] for name in ("text", "query", "seeds", "company"))
        odds = min(max((own / judge["reach"] - 0.6) / 0.12, -5.0), 5.0)
        odds += judge["taught"] * (judge["learned"] - odds) - judge["doubt"]
        assert item.semrank == pytest.approx(chance(odds) / judge["part"], abs=1e-3)
        assert item.explanation["calibration"]["p"] == pytest.approx(of_links(item.explanation), abs=1e-4)
    waits = explain(folder, town.url("/cook/0")).explanation
    assert waits["rank"] == waits["calibration"]["p"] == pytest.approx(of_links(waits), abs=1e-4)
    told = io.StringIO()
    Console(file=told, width=250).print(shown(explain(folder, read[-1].url)))
    assert f"{read[-1].explanation['calibration']['p']:.4f}" in told.getvalue()
    assert "its text says" in told.getvalue()


def test_every_part_has_a_sentence(job: tuple[Site, Outcome, Path]) -> None:
    explanation = job[1].items[-1].explanation
    assert explanation["features"].keys() == set(SEMRANK) - set(CLICKS) == {*EXT, *WORDS, *CONCEPTS, *VECTORS}
    assert explanation["judge"].keys() == set(PARTS) - {"mark", "said", "language"}
    assert all(meanings(explanation["features"])[name] for name in explanation["features"])


def test_a_foreign_spiders_pages_are_explained_exported_and_drawn(town: Site, tmp_path: Path) -> None:  # noqa: F811
    settings = {**FOCUSED, "JOBDIR": str(tmp_path), "CLOSESPIDER_PAGECOUNT": 0, "FCA_PAGES": "14"}
    crawl(Foreign, settings, start=town.url("/"))
    story = explain(tmp_path, town.url("/race/0"))
    assert (story.state, "relevant" in story.why) == ("fetched", True)
    assert len([*Items(tmp_path)]) > 8
    assert "<svg" in topic(tmp_path, Namespace(concepts=40))


def test_a_page_whose_item_was_dropped_was_read(town: Site, tmp_path: Path) -> None:  # noqa: F811
    class Drops:
        def process_item(self, item: Any) -> Any:
            raise DropItem("not wanted")

    settings = {"JOBDIR": str(tmp_path), "ITEM_PIPELINES": {Drops: 10}}
    crawl(SemRankSpider, settings, topic="auto racing", seeds=town.url("/"), pages="5")
    story = explain(tmp_path, town.url("/"))
    assert (story.state, "its item was dropped" in story.why) == ("fetched", True)


def test_what_waits_has_the_rank_that_the_order_gives_it_now(job: tuple[Site, Outcome, Path]) -> None:
    town, outcome, folder = job  # noqa: F811
    live: Crawl = focus_of(outcome.crawler).parts.crawl
    story = explain(folder, town.url("/cook/0"))
    assert story.state == "waits"
    assert story.rank is not None
    assert "not above γ" in story.why or "leave before it" in story.why
    with closing(read_store(folder)) as db:
        found = Look(db, 8).at(key_of(story.url).key)
    assert found is not None
    assert story.explanation["rank"] == pytest.approx(live.order.rank([found[1].candidate])[0], abs=1e-6)
    assert story.path[-1]["url"] == story.links[0]["parent"]
    assert story.links[0]["relevance"] == live.judge.relevance(story.links[0]["parent"])
    assert {near["url"] for near in story.nearest} <= {item.url for item in outcome.items}
    assert len(story.nearest) == 5


def test_what_is_not_followed_names_the_rule_and_the_pages(job: tuple[Site, Outcome, Path]) -> None:
    town, _, folder = job  # noqa: F811
    for path, rule, parent in (("/advert", "nofollow", "/"), ("/login", "deny", "/race/0")):
        story = explain(folder, town.url(path))
        assert (story.state, story.left_out[0]["rule"]) == ("left out", rule)
        assert story.left_out[0]["url"] == town.url(parent)
        assert rule in story.why


def test_what_gave_no_page_and_what_nobody_knows(job: tuple[Site, Outcome, Path]) -> None:
    town, _, folder = job  # noqa: F811
    ghost = explain(folder, town.url("/ghost"))
    assert (ghost.state, "something else" in ghost.why) == ("done", True)
    unknown = explain(folder, town.url("/race/77"))
    assert unknown.state == "unknown"
    assert any("/race/" in url for url in unknown.similar)


def test_a_file_of_items_knows_what_was_fetched(job: tuple[Site, Outcome, Path], tmp_path: Path) -> None:
    _, outcome, _ = job
    item = outcome.items[-1]
    lines = tmp_path / "out.jsonl"
    lines.write_text('{"url": "torn\n' + "".join(json.dumps(asdict(i)) + "\n" for i in outcome.items), "utf-8")
    story = of_items(lines, item.url)
    assert (story.state, [step["url"] for step in story.path]) == ("fetched", item.path)
    assert of_items(lines, item.url + "x").similar[0] == item.url


def test_what_strangers_wrote_cannot_reach_the_terminal(job: tuple[Site, Outcome, Path]) -> None:
    story = Story("http://a.test/\x1b[31m", path=[{"url": "http://b.test/", "anchor": "\x1b]0;pwned\x07[bold]"}])
    story.links = [{"parent": "http://b.test/", "anchor": "\x9b31m[red]x", "relevance": 0.5}]
    told = io.StringIO()
    Console(file=told, width=100).print(shown(story))
    assert not {c for c in told.getvalue() if not c.isprintable()} - {"\n"}
    assert "[bold]" in told.getvalue()


def test_a_folder_without_a_crawl_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="holds no crawl"):
        Job(tmp_path)


def test_marks_that_move_a_page_are_named_with_what_each_adds(town: Site, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "job"
    outcome = crawl(SemRankSpider, {"JOBDIR": str(folder)}, topic="auto racing", seeds=town.base, pages="30")
    good, bad, item = [item for item in outcome.items if item.depth][-3:]
    for url, said in ((good.url, "good"), (bad.url, "bad")):
        assert scrapy("mark", folder, url, said).returncode == 0
    assert explain(folder, item.url).marks == []  # the crawl has not heard of them
    assert scrapy("rejudge", folder).returncode == 0
    story = explain(folder, item.url)
    assert {(mark["url"], mark["mark"]) for mark in story.marks} == {(good.url, "good"), (bad.url, "bad")}
    first, second = (abs(mark["said"]) for mark in story.marks)
    assert first >= second
    told = io.StringIO()
    Console(file=told, width=250).print(shown(story))
    assert "marks that matter most" in told.getvalue()
