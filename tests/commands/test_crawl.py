"""``scrapy crawl`` as a user types it, in a process of its own."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT, scrapy
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture

SCRAPY = [sys.executable, "-m", "scrapy"]


def demo(tmp_path: Path, *arguments: str) -> list[str]:
    return ["crawl", "semrank", "-s", "FCA_WORLD=demo", "-O", str(tmp_path / "out.jsonl"), *arguments]


def test_mistakes_are_answered_in_one_message_and_exit_code_2() -> None:
    mistyped = ("-a", "gama=0.4", "-s", "FCA_PAGEZ=3", "-a", "pages=x", "-a", "order=shrak", "-a", "stai=any")
    told = scrapy("crawl", "semrank", "-a", "topic=tea", *mistyped)
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    for mistake in ("gamma?", "FCA_PAGES?", "pages='x'", "did you mean shark?", "stay?", "no seeds"):
        assert mistake in told.stderr


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["-a", "topic=tea"], "-a seeds=https"),
        (["-a", "topic=tea", "-s", "FCA_WORLD=demo"], "auto racing"),
        (["-a", "topic=rugby", "-s", "FCA_WORLD=demo", "-a", "order=shrak"], "shark?"),
        (["-a", "topic=tea", "-s", "FCA_WORLD=no/such/folder"], "no/such/folder"),
    ],
)
def test_what_is_missing_is_told_with_its_remedy(arguments: list[str], remedy: str) -> None:
    told = scrapy("crawl", "semrank", *arguments)
    assert told.returncode == 2
    assert remedy in told.stderr
    assert "Traceback" not in told.stderr


def test_a_crawl_of_the_demo_web_says_what_it_found(tmp_path: Path) -> None:
    told = scrapy(*demo(tmp_path, "-a", "topic=auto racing", "-a", "pages=60"))
    assert told.returncode == 0
    assert "budget used up" in told.stderr
    assert "harvest rate" in told.stderr
    items = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert 50 < len(items) <= 60
    assert sum(item["relevant"] for item in items) > 10


@pytest.mark.slow
def test_items_can_be_written_as_csv(tmp_path: Path) -> None:
    told = scrapy(*demo(tmp_path, "-a", "topic=golf", "-a", "pages=5", "-O", str(tmp_path / "out.csv")))
    assert told.returncode == 0
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text("utf-8").splitlines()))
    assert rows
    assert rows[0]["url"].startswith("http")


@pytest.mark.slow
def test_ctrl_c_ends_a_crawl_cleanly_with_its_summary(town: Site, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "out.jsonl"
    command = [*SCRAPY, "crawl", "semrank", "-a", "topic=auto racing", "-a", f"seeds={town.base}", "-O", str(out)]
    seen = []
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            seen.append(line)
            if "pages/s" in line and len(seen) == 1:
                process.send_signal(signal.SIGINT)
    told = "".join(seen)
    assert process.returncode == 0
    assert "stopped by the user" in told
    assert "Traceback" not in told
    assert json.loads(out.read_text("utf-8").splitlines()[0])["url"] == town.base + "/"


FOREIGN_SPIDER = """
import scrapy

class Quotes(scrapy.Spider):
    name = "quotes"

    def __init__(self, start, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [start]

    def parse(self, response):
        yield {"url": response.url}
        yield from response.follow_all(css="a")
"""


@pytest.mark.slow
def test_a_foreign_project_is_focused_by_two_lines_of_its_settings(town: Site, tmp_path: Path) -> None:  # noqa: F811
    scrapy("startproject", "foreign", str(tmp_path), cwd=tmp_path)
    (tmp_path / "foreign" / "spiders" / "quotes.py").write_text(FOREIGN_SPIDER)
    with (tmp_path / "foreign" / "settings.py").open("a") as settings:
        settings.write(
            '\nADDONS = {"fcacrawler.addon.FocusedCrawl": 500}\nFCA_TOPIC = "auto racing"\nDOWNLOAD_DELAY = 0\n'
        )
    told = scrapy("crawl", "quotes", "-a", f"start={town.base}", "-s", "CLOSESPIDER_ITEMCOUNT=8", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert "harvest rate" in told.stderr
    assert all(path.startswith("/race") for path in town.fetched[1:7])
