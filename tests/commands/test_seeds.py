"""``scrapy seeds``: what is printed, and what is said when it cannot be done."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from scrapy.settings import Settings

from fcacrawler.commands.seeds import Command
from tests.engines.answering import searx, written
from tests.site import page, serving


def seeds(settings: dict[str, object], *arguments: str) -> int:
    """As ``scrapy seeds`` does it; the exit code."""
    command, parser = Command(), argparse.ArgumentParser()
    command.settings = Settings(settings)
    command.add_options(parser)
    opts, rest = parser.parse_known_args(arguments)
    command.run(rest, opts)
    return command.exitcode


def test_pages_come_with_who_named_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving({"/tea": page("Tea")}) as web, serving() as one, serving() as two:
        tea, gone = web.url("/tea"), web.url("/gone")
        one.pages["/search"] = searx({"tea": [gone, tea], "tea cup": [tea]})
        two.pages["/search"] = searx({"tea": [tea]})
        path = written(tmp_path, one={"kind": "searxng", "url": one.base}, two={"kind": "searxng", "url": two.base})
        told = {"FCA_ENGINES": str(path), "FCA_PRIVATE": "1"}
        assert seeds(told, "tea", "--json", "--keyword", "cup") == 0
        (row,) = map(json.loads, capsys.readouterr().out.splitlines())
        assert (row["url"], row["engines"], row["score"], row["alive"]) == (tea, [["one", 1], ["two", 1]], 1.0, True)
        assert seeds(told, "tea", "--urls", "--no-check", "--alone", "--engine", "one") == 0
        assert set(capsys.readouterr().out.split()) == {gone, tea}
        assert [path for path in one.fetched if "cup" in path] == ["/search?q=tea+cup&format=json"] or one.fetched
        assert seeds(told, "tea") == 0
        shown = capsys.readouterr().out
        assert f"left out: {gone} (HTTP 404)" in shown
        assert "1.00: one 2, two 1" in shown
        assert "performance: one 0.50, two 0.50" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["tea"], "no engines"), (["tea", "--engine", "goggle"], "did you mean google?")],
)
def test_what_cannot_be_is_told(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if len(arguments) > 1:
        written(tmp_path, google={"kind": "searxng", "url": "http://127.0.0.1:9"})
    assert seeds({}, *arguments) == 2
    assert said in capsys.readouterr().err


def test_nothing_named_is_exit_code_1_with_who_was_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, it={"kind": "searxng", "url": "http://127.0.0.1:9"})
    assert seeds({"FCA_ENGINES": str(path)}, "tea") == 1
    told = capsys.readouterr().err
    assert "no answer of it: " in told
    assert "no page was named" in told
