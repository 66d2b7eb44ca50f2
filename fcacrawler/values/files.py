"""Files of the user: one that he named, read with bounds (a device, a pipe or something huge is refused instead of
waited for), and the folder where what can be computed again is kept.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from fcacrawler.values.errors import FcaError


class BadFile(FcaError):
    """A file that cannot be read, or is none."""


def read_bytes(path: Path, most: int) -> bytes:
    """All of it; ``most``: bytes that it may have."""
    try:
        with open(path, "rb", opener=_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BadFile(f"{path}: is no plain file")
            data = file.read(most + 1)
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror}") from None
    if len(data) > most:
        raise BadFile(f"{path}: is larger than {most:,} bytes")
    return data


def read_text(path: Path, most: int) -> str:
    try:
        return read_bytes(path, most).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: is no text in UTF-8 (byte {error.start})") from None


def check_plain(path: Path) -> None:
    """Raises BadFile if it is there, and neither a plain file nor a folder."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise BadFile(f"{path}: is no plain file")


def cache_folder() -> Path:
    """What lies there may be deleted: it is made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fcacrawler"


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # a pipe that nobody writes to is open at once, too
