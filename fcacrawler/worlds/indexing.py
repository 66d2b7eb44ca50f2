"""Tells how far the indexing of a large recorded world has got."""

from __future__ import annotations

from typing import TextIO

LARGE = 100 << 20  # bytes; what is smaller is done before anybody wonders


class Indexing:
    """A line a tenth, on the stream."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.told = -1

    def __call__(self, done: int, whole: int) -> None:
        tenth = 10 * done // max(1, whole)
        if whole >= LARGE and tenth > self.told:
            self.told = tenth
            self.stream.write(f"indexing: {10 * tenth} % of {whole >> 20} MB\n")
            self.stream.flush()
