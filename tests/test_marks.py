"""Marks of a crawl: heard while it runs, the same after going on, in what is exported; and the command."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from fcacrawler.addon import focus_of
from fcacrawler.app.assembly import check
from fcacrawler.app.config import Config, RunOptions
from fcacrawler.app.explain import Job
from fcacrawler.commands.mark import Command
from fcacrawler.frontier.sqlite.mark_log import NAME, append, marks_in
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.frontier.sqlite.store import open_store
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.marks import Mark
from tests.crawling import Outcome, crawl
from tests.redis_server import serving
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def run(town: Site, folder: Path, pages: int, spider: type = SemRankSpider, **more: Any) -> Outcome:  # noqa: F811
    settings = {"JOBDIR": str(folder), "CONCURRENT_REQUESTS": 1}
    return crawl(spider, settings, topic="auto racing", seeds=town.base, pages=str(pages), **more)


def mark(*words: object, **settings: str) -> int:
    """``scrapy mark``, in this process: its exit code."""
    command, parser = Command(), ArgumentParser()
    command.settings = Settings(settings)
    command.add_options(parser)
    opts, args = parser.parse_known_args(list(map(str, words)))
    command.run(args, opts)
    return command.exitcode


def test_marks_of_before_of_now_and_by_the_command(
    town: Site,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, file = tmp_path / "job", tmp_path / "marks.tsv"
    file.write_text(f"{town.url('/race/3')}\tgood\n{town.url('/nowhere')}\tbad\n")
    hits: list[str] = []

    class Marking(SemRankSpider):
        """Its user marks a page while it runs."""

        def parse(self, response: Any, **kwargs: Any) -> Any:
            hits.append(response.url)
            if len(hits) == 6:
                append(folder / NAME, [Mark(hits[2], False, "ann")])
                focus_of(self.crawler).parts.crawl.sync()
            yield from super().parse(response, **kwargs)

    first = run(town, folder, 9, Marking, marks=str(file))
    assert town.url("/race/3") in hits[:2]  # an example
    judge = focus_of(first.crawler).parts.crawl.judge
    assert (judge.relevance(town.url("/race/3")), judge.relevance(hits[2])) == (1.0, 0.0)

    assert mark(folder, hits[3], hits[4], "good", "--who", "bob") == 0
    assert mark(folder, "bad", hits[4]) == 0
    assert mark(folder, town.url("/never"), "good") == 0
    assert mark(folder, "--undo", town.url("/never")) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:3] == [f"{hits[3]}: good", f"{hits[4]}: good", told[2]]
    assert told[2].startswith(f"{hits[4]}: bad; was good (bob, ")
    assert told[3].endswith("/never: good; not known to this crawl: it is fetched next, as an example")
    assert told[4].endswith("/never: no longer good")

    items = {item["url"]: item for item in map(json.loads, Items(folder))}
    assert [items[hits[n]]["mark"] for n in (2, 3, 4, 5)] == ["bad", "good", "bad", None]

    second = run(town, folder, 20, marks=str(file))  # the file's marks are told once
    assert len(marks_in(folder)) == 8
    judge = focus_of(second.crawler).parts.crawl.judge
    with closing(Job(folder)) as job:
        replayed = job.replayed().judge
    assert replayed.relevances().tolist() == judge.relevances().tolist()
    assert replayed.marks == judge.marks
    assert judge.marks[hits[4]] is False

    out = tmp_path / "all.jsonl"
    assert mark(folder, "--export", out, "--list") == 0
    assert f"{hits[3]}\tgood\tbob\t" in capsys.readouterr().out
    other = tmp_path / "other"
    run(town, other, 1)
    capsys.readouterr()
    assert mark(other, "--import", out) == 0
    assert mark(other, "--import", out) == 0
    assert [line.partition(";")[0] for line in capsys.readouterr().err.splitlines()] == [
        "5 marks are new, of 5",
        "0 marks are new, of 5",
    ]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "say of which crawl"),
        (["{job}"], "say of which crawl"),
        (["{job}", "http://a.test/"], "say good or bad of them, once"),
        (["{job}", "http://a.test/", "good", "bad"], "say good or bad of them, once"),
        (["{job}", "mailto:a", "good"], "'mailto:a': no URL"),
        (["{job}", "--undo", "http://a.test/", "good"], "--undo takes back"),
        (["{job}", "--export", "x.csv"], "must end with .tsv or .jsonl"),
        (["{job}", "--import", "{job}"], "Is a directory"),
        (["{job}/none", "http://a.test/", "good"], "holds no crawl"),
    ],
)
def test_what_makes_no_sense_is_told(
    words: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_store(tmp_path, {}).close()
    try:
        assert mark(*(word.format(job=tmp_path) for word in words))
        said = capsys.readouterr().err
    except UsageError as error:
        said = str(error)
    assert why in said
    assert marks_in(tmp_path) == []


def test_a_file_that_is_wrong_is_told_with_what_else_is(tmp_path: Path) -> None:
    (tmp_path / "marks").write_text("racing\tgood\n")
    with pytest.raises(BadOptions, match=r"(?s)order 'besst' is unknown.*no mark in line 1"):
        check(Config(RunOptions(marks=str(tmp_path / "marks"), order="besst")))


def test_a_crawl_in_redis_is_marked_by_its_name(town: Site, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    with serving() as server:
        settings = {"FCA_FRONTIER": server.url, "CONCURRENT_REQUESTS": 1}

        def racing(pages: int) -> Any:
            outcome = crawl(SemRankSpider, settings, topic="auto racing", seeds=town.base, pages=str(pages))
            return focus_of(outcome.crawler).parts.crawl.judge

        racing(4)
        assert mark("auto-racing", town.url("/race/1"), "bad", FCA_FRONTIER=server.url) == 0
        assert capsys.readouterr().out == f"{town.url('/race/1')}: bad\n"
        assert racing(8).marks == {town.url("/race/1"): False}
