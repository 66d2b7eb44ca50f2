"""``scrapy vectors``: what is missing is told before the work begins."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from fcacrawler.commands.vectors import Command

FINE = {"phrases": "", "texts": "", "english_only": True, "rows": 9, "others": 9, "size": 8, "width": 1}


@pytest.mark.parametrize(
    ("arguments", "options", "told"),
    [
        ([], {}, "name the folder of a sentence model"),
        (["distill", "nowhere"], {"rows": 0}, "must be at least 1"),
        (["distill", "nowhere"], {"size": 9}, "a multiple of 2"),
        (["distill", "nowhere"], {"phrases": "no-such-file"}, "no-such-file"),
        (["distill", "nowhere"], {}, "nowhere"),
    ],
)
def test_a_mistake_is_told_and_nothing_is_written(
    arguments: list[str], options: dict[str, object], told: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(UsageError, match=told):
        Command().run(arguments, Namespace(**FINE | {"out": str(out)} | options))
    assert not out.exists()
