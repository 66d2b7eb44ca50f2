"""Standard error, where a crawl is shown: a terminal, a file, or a pipe that nobody may read any more."""

from __future__ import annotations

import atexit
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO

from rich.console import Console, RenderableType
from rich.live import Live


class Screen(Console):
    """A console that never ends a crawl: when its reader has gone, nothing more is shown."""

    def __init__(self) -> None:
        super().__init__(file=sys.stderr)

    def on_broken_pipe(self) -> None:
        """Rich would end the program here, and send standard output nowhere too."""
        self.gone()

    def gone(self) -> None:
        self.quiet = True
        with suppress(OSError, ValueError):  # a file that is none
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.file.fileno())  # what is logged there, and what Python writes at its end
            os.close(nowhere)

    def show(self, what: RenderableType) -> None:
        with self._while_there():
            self.print(what, highlight=False, soft_wrap=isinstance(what, str))

    @contextmanager
    def _while_there(self) -> Iterator[None]:
        try:
            yield
        except OSError:  # a terminal that was closed
            self.gone()


class LiveView:
    """A picture at the bottom of a terminal, drawn anew again and again. What is logged meanwhile stands above it."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._live = Live(console=screen, auto_refresh=False, transient=True)
        self._handlers = [h for h in logging.root.handlers if getattr(h, "stream", None) is sys.stderr]
        self._stream = sys.stderr
        self._live.start()
        self._log_to(sys.stderr)  # Rich's now: whole lines, which go above the picture
        atexit.register(self.stop)  # a crawl that is ended by force leaves a terminal with its cursor

    def show(self, picture: RenderableType) -> None:
        with self._screen._while_there():
            self._live.update(picture, refresh=True)

    def stop(self) -> None:
        atexit.unregister(self.stop)
        with self._screen._while_there():
            self._live.stop()
        self._log_to(self._stream)

    def _log_to(self, stream: object) -> None:
        for handler in self._handlers:
            if isinstance(handler, logging.StreamHandler):
                handler.setStream(stream)


def as_text(what: RenderableType, width: int = 120) -> str:
    """Without colours, for a log."""
    console = Console(file=StringIO(), width=width, color_system=None)
    console.print(what, highlight=False)
    assert isinstance(console.file, StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())
