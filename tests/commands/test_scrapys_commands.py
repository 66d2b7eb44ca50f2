"""Scrapy's own commands, beside our crawl: in this project, and in somebody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcacrawler.app.assembly import check_store
from fcacrawler.app.config import Config
from fcacrawler.values.errors import BadStore
from fcacrawler.values.topics import Topic
from tests.processes import scrapy
from tests.site import Site, page

SPIDER = """
import scrapy

class Quotes(scrapy.Spider):
    name = "quotes"

    async def start(self):
        yield scrapy.Request(self.start_urls)

    def parse(self, response):
        yield {"url": response.url}
"""


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has the add-on, and no topic."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "theirs").mkdir()
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = theirs.settings\n")
    (folder / "theirs" / "settings.py").write_text(
        'SPIDER_MODULES = ["theirs.spiders"]\nADDONS = {"fcacrawler.addon.FocusedCrawl": 500}\n'
    )
    (folder / "theirs" / "spiders.py").write_text(SPIDER)
    return folder


def test_fetch_and_parse_need_no_topic_anywhere(site: Site, foreign: Path) -> None:
    site.pages["/"] = page("Quotes", "of people")
    here = scrapy("fetch", site.base)
    assert (here.returncode, "of people" in here.stdout, "Traceback" in here.stderr) == (0, True, False)
    there = scrapy("parse", "--spider", "quotes", site.base, cwd=foreign)
    assert (there.returncode, f"'url': '{site.base}'" in there.stdout, "Traceback" in there.stderr) == (0, True, False)


@pytest.mark.slow
def test_a_shell_has_scrapys_own_scheduler(site: Site, foreign: Path) -> None:
    site.pages["/"] = page("Quotes")
    for folder in ({}, {"cwd": foreign}):
        told = scrapy("shell", site.base, "-c", "response.status, crawler.engine._slot.scheduler", **folder)
        assert told.stdout.startswith("(200, <scrapy.core.scheduler."), told.stderr


@pytest.mark.slow
def test_what_our_spider_makes_of_a_page_needs_a_topic_and_no_seeds(site: Site) -> None:
    site.pages["/"] = page("Auto racing", "with cars")
    told = scrapy("parse", "--nocolour", "--spider", "semrank", "-a", "topic=auto racing", "-s", "FEEDS={}", site.base)
    assert (told.returncode, "'title': 'Auto racing'" in told.stdout) == (0, True)
    refused = scrapy("parse", "--spider", "semrank", site.base)
    assert (refused.returncode, "no topic" in refused.stderr, "Traceback" in refused.stderr) == (2, True, False)


@pytest.mark.parametrize(
    ("settings", "remedy"),
    [
        ((), "-a topic="),
        (("-s", "FCA_TOPIC=tea", "-s", "FCA_GAMA=3"), "FCA_GAMMA?"),
        (("-s", "FCA_TOPIC=tea", "-s", "FCA_CONTROL=/dev/null/s"), "/dev/null is no folder"),
    ],
)
def test_a_foreign_crawl_is_refused_in_one_message(foreign: Path, settings: tuple[str, ...], remedy: str) -> None:
    told = scrapy("crawl", "quotes", "--nolog", *settings, cwd=foreign)
    assert told.returncode == 2
    assert told.stderr.startswith("The crawl was not started.\n")
    assert remedy in told.stderr.splitlines()[1]


def test_a_spider_that_is_not_there_has_a_nearest() -> None:
    told = scrapy("crawl", "semrnk", "-a", "topic=tea")
    assert (told.returncode, told.stderr.splitlines()[1]) == (
        2,
        "spider 'semrnk' is unknown; did you mean semrank? If it is a topic: --seeds",
    )


def test_a_jobdir_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "job").touch()
    with pytest.raises(BadStore, match=r"job can be no crawl's folder .*: take another JOBDIR"):
        check_store(Config(), Topic("tea"), tmp_path / "job")
