"""Where a crawl is shown: what is logged stands above the picture, and a reader who leaves does not end a crawl."""

from __future__ import annotations

import io
import logging
import os
import re
import sys

import pytest
from rich.text import Text

from fcacrawler.app.screen import LiveView, Screen


class Terminal(io.StringIO):
    """As much of a terminal as the live view asks for."""

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        """What can be read on it."""
        found, row, column = [""], 0, 0
        for code, text in re.findall(r"\x1b\[[?\d;]*(\w)|([^\x1b]+)", self.getvalue()):
            row -= code == "A"
            if code == "K":
                found[row] = ""
            for c in text:
                if c == "\r":
                    column = 0
                elif c == "\n":
                    row, column = row + 1, 0
                    found += [""] * (row + 1 - len(found))
                else:
                    found[row] = found[row][:column].ljust(column) + c + found[row][column + 1 :]
                    column += 1
        return [line for line in found if line]


def test_what_is_logged_stands_above_the_live_view(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    handler = logging.StreamHandler()
    logging.root.addHandler(handler)
    live = LiveView(Screen())
    live.show(Text("1 page\n0 relevant"))
    logging.getLogger("tea").warning("not fetched")
    live.show(Text("2 pages\n1 relevant"))
    logging.getLogger("tea").warning("no room")
    assert terminal.lines == ["not fetched", "no room", "2 pages", "1 relevant"]
    live.stop()
    logging.getLogger("tea").warning("the end")
    assert terminal.lines == ["not fetched", "no room", "the end"]
    assert (sys.stderr, handler.stream) == (terminal, terminal)
    logging.root.removeHandler(handler)


@pytest.mark.parametrize("times", [1, 3])
def test_a_reader_who_leaves_ends_nothing(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", buffering=1) as pipe:
        monkeypatch.setattr(sys, "stderr", pipe)
        screen = Screen()
        for _ in range(times):
            screen.show("7 pages")
        pipe.write("what is logged goes nowhere\n")
