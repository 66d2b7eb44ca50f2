"""``scrapy learn`` as its user meets it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from fcacrawler.weblogs import load_omega
from tests.processes import scrapy
from tests.weblogs.conftest import SAMPLES

DEFINITION = "--keyword-users 1 --users 1 --pages 1 --part-links 1 --isa-lift 0 --part-lift 0".split()


def learn(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return scrapy("learn", *arguments, COLUMNS="200")


def test_the_papers_table_by_the_command_and_a_keyword_with_its_evidence(tmp_path: Path) -> None:
    out = tmp_path / "omega.parquet"
    links = SAMPLES / "table3.links.tsv"
    done = learn(SAMPLES / "table3.tsv", "--links", links, "--out", out, "--show", "Spiders", *DEFINITION)
    assert done.returncode == 0, done.stderr
    assert "tsv, 27 lines, 26 clicks, 0 rejected" in done.stdout
    assert "6 keywords, 3 ISA, 4 Part-Of" in done.stdout
    assert "spider: 565 clicks of 91,502" in done.stdout
    assert "is a   internet  (2 users, 1 pages, " in done.stdout
    assert "         http://pise.example/U1 → http://pise.example/U6" in done.stdout
    omega = load_omega(out)
    assert (len(omega.clicks), len(omega.isa), len(omega.part_of)) == (6, 3, 4)


def test_an_operators_mistakes_are_told_without_a_traceback(tmp_path: Path) -> None:
    out = tmp_path / "omega.parquet"
    for arguments, code, says in [
        (["--out", out], 2, "give at least one LOG"),
        (
            ["--out", out, SAMPLES / "own.tsv", "--bad", "7", "--memory", "much"],
            2,
            "--bad is 7.0, must lie between 0 and 1",
        ),
        (["--out", out, tmp_path / "none.tsv"], 1, "none.tsv: cannot be read"),
        (["--out", out, "--show", "racing"], 1, "there is no such file"),
    ]:
        done = learn(*arguments)
        assert done.returncode == code, done.stderr
        assert says in done.stderr + done.stdout
        assert "Traceback" not in done.stderr
        assert not out.exists()
