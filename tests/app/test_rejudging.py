"""What is thought of a crawl's pages now, as its judge had it in the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fcacrawler.addon import focus_of
from fcacrawler.app.rejudging import Rejudged
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.topics import Topic
from tests.crawling import crawl
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def told(found: Rejudged) -> dict[str, dict[str, Any]]:
    return {item["url"]: item for item in map(json.loads, found)}


@pytest.fixture
def job(town: Site, tmp_path: Path) -> tuple[Path, Any]:  # noqa: F811
    """A crawl that has read everything, a copy of a page too, and the judge as it was in the end."""
    town.pages["/cook/0"] = town.pages["/race/0"]
    settings = {"JOBDIR": str(tmp_path / "job"), "FCA_TUNNEL": "1000"}
    outcome = crawl(SemRankSpider, settings, topic="auto racing", seeds=town.url("/"))
    assert len(outcome.items) > 30
    return tmp_path / "job", focus_of(outcome.crawler).parts.crawl.judge


def test_verdicts_are_those_of_the_judge_in_the_end_and_copies_have_their_originals(job: tuple[Path, Any]) -> None:
    folder, judge = job
    found = Rejudged(folder)
    items = told(found)
    copies = [item for item in items.values() if item["duplicate_of"]]
    assert copies
    for url, item in items.items():
        now = judge.relevance(item["duplicate_of"] or url)
        assert item["semrank"] == pytest.approx(now, abs=1e-6)
        assert item["relevant"] == (now > 0.45)
        assert item["explanation"]["judge"] == judge.parts(item["duplicate_of"] or url)
    changed = [item for item in items.values() if "relevant_before" in item]
    assert len(changed) == found.changed
    assert all(item["relevant"] != item["relevant_before"] for item in changed)


def test_another_gamma_another_topic_and_the_better_ones_alone(job: tuple[Path, Any]) -> None:
    folder, _ = job
    strict = told(Rejudged(folder, gamma=0.9))
    assert all(item["relevant"] == (item["semrank"] > 0.9) for item in strict.values())
    some = told(Rejudged(folder, least=0.6))
    assert 0 < len(some) < len(strict)
    assert all(item["semrank"] >= 0.6 for item in some.values())
    cooking = told(Rejudged(folder, topic=Topic("soup recipe butter"), relevant=True))
    assert cooking
    assert {item["topic"] for item in cooking.values()} == {"soup recipe butter"}
    racing = told(Rejudged(folder, relevant=True))
    assert sum("/cook/" in url for url in cooking) > sum("/cook/" in url for url in racing)
