"""``scrapy vectors``: what is missing is told before the work begins."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from fcacrawler.commands.vectors import Command


@pytest.mark.parametrize(
    ("arguments", "options", "told"),
    [
        ([], {}, "name the folder of a sentence model"),
        (["distill", "nowhere"], {"rows": 0}, "must be at least 1"),
        (["distill", "nowhere"], {"phrases": "no-such-file"}, "no-such-file"),
        (["distill", "nowhere"], {}, "nowhere"),
    ],
)
def test_a_mistake_is_told_and_nothing_is_written(
    arguments: list[str], options: dict[str, object], told: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(UsageError, match=told):
        Command().run(arguments, Namespace(**{"out": str(out), "phrases": "", "rows": 9, "size": 9} | options))
    assert not out.exists()
