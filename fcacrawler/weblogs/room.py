"""How much disk learning from logs takes, told before it begins.

Why so: decision 441.
"""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fcacrawler.weblogs.lines import SAMPLE
from fcacrawler.weblogs.store import events_kept

BYTES, ONCE = 140, 90  # of disk that a click takes while it is learned: at all, and in one part more; decision 441


@dataclass(frozen=True, slots=True)
class Room:
    """What a run of ``learn`` will find."""

    folder: Path
    clicks: int  # about: lines of the logs, and clicks learned from before
    needed: int  # bytes, about
    free: int


def room_for(files: Sequence[Path], out: Path, parts: int) -> Room:
    """What learning from these files into ``out``, in parts, will take, and what is free there."""
    folder = next(parent for parent in out.absolute().parents if parent.is_dir())
    clicks = sum(map(lines_about, files)) + events_kept(out)
    return Room(folder, clicks, (BYTES + ONCE // parts) * clicks, shutil.disk_usage(folder).free)


def lines_about(path: Path) -> int:
    """About how many lines a file has, by those at its head; 0 if it cannot be read, which is told by who reads it."""
    try:
        with path.open("rb") as file:
            sample = file.read(SAMPLE)
        unzipped = zlib.decompressobj(wbits=31).decompress(sample) if sample[:2] == b"\x1f\x8b" else sample
        return unzipped.count(b"\n") * path.stat().st_size // max(1, len(sample))
    except (OSError, zlib.error):
        return 0
