"""``scrapy search``: what is printed, and what is said when it cannot be done."""

from __future__ import annotations

import argparse
import json
from contextlib import suppress
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from fcacrawler.app.searching import opened
from fcacrawler.commands.search import BOLD, Command, tell
from fcacrawler.search import Query, ask
from tests.search.harvests import harvest, item

PAGE = item("http://tea.test/green", "Green \x1b[2Jtea", "Leaves are steamed, dried and poured over.", semrank=0.75)
COPY = item("http://copy.test/", "Green tea", "Leaves are steamed.", duplicate_of=PAGE.url)


def search(*arguments: object) -> int:
    """As ``scrapy search`` does it; the exit code."""
    command, parser = Command(), argparse.ArgumentParser()
    command.settings = Settings()
    command.add_options(parser)
    opts, rest = parser.parse_known_args(list(map(str, arguments)))
    command.run(rest, opts)
    return command.exitcode


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return harvest(tmp_path_factory.mktemp("jobs"), [PAGE, COPY])


def test_machines_get_a_line_of_json_a_page(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert search(job, "steaming", "--json", "--min", "0.5") == 0
    (hit,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (hit["url"], hit["relevance"], hit["copies"]) == (PAGE.url, 0.75, [COPY.url])
    assert ["steamed", True] in hit["snippet"]


def test_people_see_marked_words_and_no_stranger_reaches_their_terminal(
    job: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened([job]) as jobs:
        (hit,) = ask(jobs, Query("steaming")).hits
    tell(1, hit)
    shown = capsys.readouterr().out
    assert "*steamed*" in shown
    assert "tea.test, en, relevance 0.75, 2026-05-01" in shown
    assert "and 1 with the same text: http://copy.test/" in shown
    assert BOLD not in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{job}", "?!"], "no word to look for"),
        (["{job}", "zebra"], "nothing was found"),
        (["{job}/none", "tea"], "is not there: name folders of crawls"),
        (["tests", "tea"], "holds no crawl"),
        (["{job}", "tea", "--min", "7"], "invalid share value"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    job: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(SystemExit):
        assert search(*(argument.format(job=job) for argument in arguments)) == 1
    assert said in "".join(capsys.readouterr())


def test_without_a_crawl_or_words_it_says_how() -> None:
    with pytest.raises(UsageError, match="say in which crawl and what"):
        search("tea")


def test_a_crawl_can_be_made_searchable_without_a_search(tmp_path: Path) -> None:
    harvest(tmp_path, [PAGE])
    assert search("--index", tmp_path) == 0
    assert (tmp_path / "search.sqlite").exists()
