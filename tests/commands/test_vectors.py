"""``scrapy vectors``: what is missing is told before the work begins."""

from __future__ import annotations

import bz2
from argparse import Namespace
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from fcacrawler.commands.vectors import Command

FINE = {"phrases": "", "texts": "", "english_only": True, "rows": 9, "others": 9, "size": 8, "width": 1}
FINE |= {"wordnet": "", "descriptions": ""}


@pytest.mark.parametrize(
    ("arguments", "options", "told"),
    [
        ([], {}, "name the folder of a sentence model"),
        (["distill", "nowhere"], {"rows": 0}, "must be at least 1"),
        (["distill", "nowhere"], {"size": 9}, "a multiple of 2"),
        (["distill", "nowhere"], {"phrases": "no-such-file"}, "no-such-file"),
        (["distill", "nowhere"], {}, "nowhere"),
        (["texts", "out"], {"wordnet": "nowhere"}, "wordnet-base"),
        (["distill"], {}, "name the folder"),
        (["unheard", "x"], {}, "name the folder"),
    ],
)
def test_a_mistake_is_told_and_nothing_is_written(
    arguments: list[str], options: dict[str, object], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, command = tmp_path / "out", Command()
    try:
        command.run(arguments, Namespace(**FINE | {"out": str(out)} | options))
        assert command.exitcode
        said = capsys.readouterr().err
    except UsageError as error:
        said = str(error)
    assert told in said
    assert not out.exists()


def test_texts_are_written_in_the_form_that_distill_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index.noun").write_text("steam_engine n 1 2 @ ~ 1 1 04309000\n", "latin-1")
    for kind in ("noun", "verb", "adj"):
        (tmp_path / f"data.{kind}").write_text("04309000 06 n 01 x 0 000 | external-combustion engine\n", "latin-1")
    german = "Description-de: Dampfmaschinen und Kessel\n"
    (tmp_path / "Translation-de.bz2").write_bytes(bz2.compress(german.encode()))
    out = tmp_path / "texts"
    Command().run(["texts", str(out)], Namespace(**FINE | {"wordnet": tmp_path, "descriptions": tmp_path}))
    assert (out / "phrases.txt").read_text() == "steam engine\n"
    assert (out / "texts.tsv").read_text() == "en\texternal-combustion engine\nde\tDampfmaschinen und Kessel\n"
    assert str(out) in capsys.readouterr().out
