"""Commands that print, read by somebody who stops reading."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from fcacrawler import commands

ROOT = Path(__file__).resolve().parents[2]
PRINTING = sorted({f.stem for f in Path(commands.__file__).parent.glob("*.py")} - {"__init__", "crawl"})


@pytest.mark.parametrize("name", PRINTING)
def test_every_command_that_prints_minds_that_its_reader_may_leave(name: str) -> None:
    run = import_module(f"fcacrawler.commands.{name}").Command.run

    assert run.__wrapped__.__qualname__ == "Command.run"


@pytest.mark.parametrize("buffered", ["1", ""])
def test_a_command_whose_reader_has_left_ends_quietly(buffered: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "scrapy", "world", "info", "demo?pages=500"]

    done = subprocess.run(
        command, cwd=ROOT, stdout=write, stderr=subprocess.PIPE, env=os.environ | {"PYTHONUNBUFFERED": buffered}
    )
    os.close(write)

    assert (done.returncode, done.stderr) == (0, b"")
