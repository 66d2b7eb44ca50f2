"""Hosts, or all of the network, away for a while: nothing is used up by that."""

from __future__ import annotations

import logging
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fcacrawler.app.explain import Job
from fcacrawler.commands.export import not_reached
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import Outcome, crawl
from tests.faults.web import Web, serving

QUICK = {"FCA_BACKOFF": 0.1, "FCA_TUNNEL": 10**6, "FCA_PATIENCE": 0, "FCA_PRIVATE": True, "DOWNLOAD_TIMEOUT": 5}


def crawled(web: Web, **settings: Any) -> Outcome:
    return crawl(SemRankSpider, {**QUICK, **settings}, topic="auto racing", seeds=web.url(0), order="bfs")


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    names = [r for r in caplog.records if r.name.startswith("fcacrawler.downloads") and r.levelno >= logging.WARNING]
    return [r.getMessage() for r in names]


def test_a_network_that_goes_away_costs_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Cut when 20 pages have been answered, in the middle of others; back after a second. Robots.txt cannot be had
    meanwhile either: of new hosts nothing is fetched without their rules."""
    with serving(60, 12) as web:
        web.on_page = lambda n: web.cut(1.0) if n == 20 else None
        outcome = crawled(web, JOBDIR=str(tmp_path), ROBOTSTXT_OBEY=True)
        assert set(web.answered) == web.urls
        assert web.twice <= 16, "what was under way"
        assert {item.url for item in outcome.items} == web.urls
        assert sorted(web.robots) == sorted(set(web.robots)) == sorted(web.addresses)
    away, back = told(caplog)
    assert away.startswith("the network seems to be away: ")
    assert away.endswith("; tried again in 0.1 s")
    assert back.startswith("the crawl goes on after ")
    assert outcome.reason == "exhausted"
    assert not [name for name in outcome.stats if name.startswith("fca/failed")]


def test_a_host_that_stays_away_costs_four_attempts_and_its_links_wait_for_the_next_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(60, 6) as web:
        web.on_page = lambda n: web.cut(hosts=slice(5, 6)) if n == 3 else None
        first = crawled(web, JOBDIR=str(tmp_path))
        there = {url for url in web.urls if web.addresses[5] not in url}
        before = set(web.answered) - there  # the host was cut
        assert len(before) <= 1
        assert first.reason == "not_reached"
        assert first.stats["fca/not_reached"] <= 4 + 7, "and what was under way at once"
        [line] = told(caplog)
        assert line.startswith(f"not reached: {web.addresses[5]}: ")
        with closing(Job(tmp_path)) as job:
            story = job.explain(min(web.urls - there - before))
        assert (story.state, story.attempts) == ("not reached", 0)
        assert [line.split(": ")[:2] for line in not_reached(tmp_path)] == [["not reached", web.addresses[5]]]
        web.on_page = lambda n: None
        web.mend()
        second = crawled(web, JOBDIR=str(tmp_path))
        assert second.reason == "exhausted"
        assert set(web.answered) == web.urls
        assert web.twice <= 7
        assert not_reached(tmp_path) == []


def test_rules_that_could_not_be_had_are_obeyed_when_they_can() -> None:
    with serving(60, 3) as web:
        web.rules = "User-agent: *\nDisallow: /p/2\n"
        web.cut(0.5, slice(1, 3))
        outcome = crawled(web, ROBOTSTXT_OBEY=True)
        assert not [url for url in web.answered if "/p/2" in url]
        assert outcome.stats["robotstxt/forbidden"] == 11, "2, and 20 to 29"
        assert web.url(1) in web.answered
