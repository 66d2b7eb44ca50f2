"""``scrapy review``: which pages are proposed, what keys do, and what is told and kept of it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from io import StringIO
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from fcacrawler.app.opinion import kept
from fcacrawler.app.review import Review
from fcacrawler.commands.review import Command, asked
from fcacrawler.frontier.sqlite.mark_log import marks_in
from fcacrawler.judge.profile import dot
from fcacrawler.page import key_of
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import crawl
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def review(*words: object) -> int:
    command, parser = Command(), ArgumentParser()
    command.settings = Settings()
    command.add_options(parser)
    opts, args = parser.parse_known_args(list(map(str, words)))
    command.run(args, opts)
    return command.exitcode


def test_a_user_is_asked_by_one_key_a_page(
    town: Site,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "job"
    crawl(SemRankSpider, {"JOBDIR": str(folder)}, topic="auto racing", seeds=town.url("/"), pages="25")
    assert review(folder, "--list", 6, "--json") == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len({page["url"] for page in listed}) == 6
    assert marks_in(folder) == []

    of = Review(folder)
    first = of.next()
    assert first is not None
    assert (first.url, round(first.rank, 6)) == (listed[0]["url"], listed[0]["rank"])
    doubts = {url: abs((of.crawl.judge.relevance(url) or 0) - of.gamma) for url in of.job.observed}
    assert doubts[first.url] <= min(doubts.values()) * 2 + 0.01
    assert of.crawl.store is not None
    pages = [of.crawl.store.page(key_of(page["url"])[0]) for page in listed]
    assert max(dot(a.terms, b.terms) for a in pages for b in pages if a and b and a.url < b.url) < 0.99
    of.job.close()

    keys = iter("xogbugsq")
    asked(Review(folder), lambda: next(keys))
    out = capsys.readouterr().out
    assert [line.partition(";")[0] for line in out.splitlines()][-1] == "2 pages marked"
    assert "how it was found" in out
    assert "no longer marked: " in out
    assert [mark.word for mark in marks_in(folder)] == ["good", "bad", "none", "good"]
    assert [mark.url for mark in marks_in(folder)][:2] == [page["url"] for page in listed[:1]] + [
        marks_in(folder)[2].url
    ]
    opinion = kept(folder)
    held = opinion.of(listed[0]["url"]) if opinion else None
    assert held is not None
    assert held.rank == 1.0

    before = len(marks_in(folder))  # the same with a machine, in lines, until it says nothing more
    said = [{"mark": "good"}, "torn", {"mark": "undo"}, {"mark": "skip"}, {"mark": "bad"}]
    monkeypatch.setattr("sys.stdin", StringIO("".join(f"{json.dumps(line)}\n" for line in said)))
    assert review(folder, "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    pages = [line for line in lines if "replayed" not in line]
    assert [page["said"] for page in pages] == [0, 1]  # what is no answer is the end
    assert [mark.word for mark in marks_in(folder)][before:] == ["good"]
    monkeypatch.setattr("sys.stdin", StringIO("".join(f"{json.dumps(line)}\n" for line in said if line != "torn")))
    assert review(folder, "--json") == 0
    pages = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "replayed" not in line]
    assert [page["said"] for page in pages] == [0, 1, 0, 0, 1]
    assert pages[2]["url"] == pages[1]["url"]
    assert pages[3]["url"] != pages[2]["url"]
    assert [mark.word for mark in marks_in(folder)][before + 1 :] == ["good", "none", "bad"]


@pytest.mark.parametrize(
    ("words", "why"), [([], "name the folder"), (["x", "--list", "0"], "takes a number"), (["x"], "no terminal")]
)
def test_what_makes_no_sense_is_told(
    words: list[str], why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with open("/dev/null", encoding="ascii") as nobody:
        monkeypatch.setattr("sys.stdin", nobody)
        with pytest.raises(UsageError, match=why):
            review(*words)
    assert review(tmp_path, "--list", 3) == 1
    assert "holds no crawl" in capsys.readouterr().err
