"""What a crawl says of itself: on a screen, in a log, and after going on."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
from pathlib import Path

import pytest

from fcacrawler.app.progress import Summary, ended
from fcacrawler.app.screen import as_text
from fcacrawler.extensions.report import Report
from fcacrawler.spiders.semrank import SemRankSpider
from tests.app.test_screen import Terminal
from tests.commands.test_crawl import SCRAPY
from tests.crawling import Outcome, crawl
from tests.processes import ROOT, scrapy
from tests.site import Site, page
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def told(outcome: Outcome) -> Summary:
    report = outcome.crawler.get_extension(Report)
    assert report is not None
    return report.summary(outcome.reason)


def test_a_crawl_that_goes_on_tells_its_own_pace_and_the_whole_harvest(town: Site, tmp_path: Path) -> None:  # noqa: F811
    arguments = {"topic": "auto racing", "seeds": town.base}
    first, second, third = (
        told(crawl(SemRankSpider, {"JOBDIR": str(tmp_path)}, **arguments, pages=str(pages))) for pages in (8, 20, 20)
    )
    assert [(s.snapshot.pages, s.snapshot.here, s.snapshot.hosts) for s in (first, second, third)] == [
        (8, 8, 1),
        (20, 12, 1),
        (20, 0, 0),
    ]
    assert second.snapshot.rate == pytest.approx(12 / second.snapshot.seconds)
    assert second.snapshot.harvest[:8] == first.snapshot.harvest
    assert third.snapshot.harvest == second.snapshot.harvest
    assert len(set(second.first)) == 5  # of the pages of both runs, relevant ones
    assert all(url.startswith(town.base) for url in second.first)
    assert (first.doubted, second.doubted) == ({}, {town.url("/"): "a home page"})


def test_a_seed_that_does_not_look_like_the_topic_is_told_once(town: Site, caplog: pytest.LogCaptureFixture) -> None:  # noqa: F811
    crawl(SemRankSpider, topic="auto racing", seeds=f"{town.base},{town.url('/race/1')}", pages="15")
    told = [line for line in caplog.messages if "does not look like the topic" in line]
    assert sum(f"{town.url('/')} does not look like the topic (a home page)" in line for line in told) == 1
    assert len(told) == len(set(told)) <= 2


def test_an_example_that_cannot_be_had_is_told(town: Site, tmp_path: Path) -> None:  # noqa: F811
    topic = tmp_path / "topic.toml"
    examples = [town.url("/race/1"), town.url("/ghost")]
    topic.write_text(f"words = 'auto racing'\nexamples = {json.dumps(examples)}")
    assert told(crawl(SemRankSpider, topic=str(topic), seeds=town.base, pages="6")).unread == [town.url("/ghost")]


def test_a_log_file_has_the_summary(town: Site, caplog: pytest.LogCaptureFixture) -> None:  # noqa: F811
    arguments = {"topic": "auto racing", "seeds": town.base, "pages": "5"}
    for settings, times in (({"LOG_FILE": "x"}, 1), ({}, 0), ({"LOG_FILE": "x", "FCA_PROGRESS": "off"}, 0)):
        caplog.clear()
        crawl(SemRankSpider, {"FCA_PROGRESS": "auto", **settings}, **arguments)
        assert caplog.text.count("budget used up") == times
        assert all(line.isprintable() for line in caplog.text.splitlines())


def test_a_log_file_has_the_refusal(tmp_path: Path) -> None:
    scrapy("crawl", "semrank", "-a", "topic=tea", "--logfile", str(tmp_path / "log"))
    assert "ERROR: The crawl was not started.\nno seeds" in (tmp_path / "log").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("ended", "budget"), [(None, 1500), (signal.SIGTERM, 20_000)])
def test_a_crawl_whose_reader_leaves_goes_on_and_obeys(
    ended: signal.Signals | None, budget: int, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    settings = ["-s", "FCA_WORLD=demo", "-s", "FCA_PROGRESS=lines", "-s", "FCA_TUNNEL=10000", "-O", str(out)]
    command = [*SCRAPY, "crawl", "semrank", "-a", "topic=golf", "-a", f"pages={budget}", *settings]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while not re.search(r"\] [1-9]\d*/\d+ pages", process.stderr.readline()):  # loops may have to be compiled first
            assert process.poll() is None
        process.stderr.close()
        if ended:
            process.send_signal(ended)
        assert process.wait(120) == 0
    pages = len(out.read_text("utf-8").splitlines())
    assert 0 < pages < 15_000 if ended else pages > 1400


@pytest.mark.slow
def test_what_is_logged_is_whole_beside_the_live_view(town: Site) -> None:  # noqa: F811
    terminal, stderr = pty.openpty()
    arguments = ["-a", "topic=auto racing", "-a", f"seeds={town.base}", "-a", "pages=6", "-s", "FEEDS={}"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "250"}
    shown = Terminal()
    with subprocess.Popen(
        [*SCRAPY, "crawl", "semrank", "-L", "DEBUG", *arguments],
        cwd=ROOT,
        stderr=stderr,
        stdin=subprocess.DEVNULL,
        env=environment,
    ):
        os.close(stderr)
        while part := _read(terminal):
            shown.write(part.decode("utf-8", "replace"))
    os.close(terminal)
    text = "\n".join(shown.lines)
    fetched = [path for path in town.fetched if path != "/"]
    assert len(fetched) == 5
    assert all(text.count(f"DEBUG: Crawled (200) <GET {town.url(path)}> (referer") == 1 for path in fetched)
    assert text.count("╭") == text.count("╰") == 1
    assert "budget used up" in text


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # its other end is closed
        return b""


def test_the_summary_shows_in_which_words_a_topic_of_another_language_was_looked_for(site: Site) -> None:
    german = "Das ist die Seite über Physik, und sie ist auf Deutsch geschrieben, weil wir nicht Englisch sprechen."
    site.pages["/"] = page("Physik", german, {"/x": "Formel"})
    site.pages["/x"] = page("Formel", german)
    summary = told(crawl(SemRankSpider, topic="physics", seeds=site.base))
    assert (summary.language, summary.translated) == ("de", {"physics": "physik"})
    assert "physics: physik" in as_text(ended(summary))
    off = told(crawl(SemRankSpider, {"FCA_TRANSLATE": "0"}, topic="physics", seeds=site.base))
    assert (off.language, off.translated) == ("de", {})


def test_what_is_held_back_for_want_of_the_words_is_told_with_what_to_do(town: Site) -> None:  # noqa: F811
    words = "racing telescope chemistry quantum"  # of which pages say one
    summary = told(crawl(SemRankSpider, topic=words, seeds=town.base, pages="30"))
    assert summary.held_back > summary.snapshot.relevant
    assert f"{summary.held_back} pages, for hardly a page says the topic's words" in as_text(ended(summary))
    assert told(crawl(SemRankSpider, topic="auto racing", seeds=town.base, pages="30")).held_back == 0
