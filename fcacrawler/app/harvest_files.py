"""Where a crawl's pages go whose user has named no place: ``out/TOPIC-TIME.jsonl``, a file a crawl."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path

FOLDER, LATEST = "out", "latest.jsonl"
LONGEST = 50  # characters of a topic in a file's name
NAME = "harvest"  # in a JOBDIR: the name of its crawl's file


def claim(folder: Path, topic: str, now: datetime) -> Path:
    """A new file for a crawl that has just fetched its first page; crawls that begin at the same time get different
    ones. ``topic``: as a name."""
    folder.mkdir(parents=True, exist_ok=True)
    for n in count(1):
        path = folder / f"{topic[:LONGEST]}-{now:%Y-%m-%dT%H-%M-%SZ}{f'-{n}' if n > 1 else ''}.jsonl"
        with suppress(FileExistsError):
            path.open("xb").close()
            break
    return path


def recalled(job: Path | None, folder: Path) -> Path | None:
    """The file of the crawl in this JOBDIR, if it has begun one."""
    try:
        name = (job / NAME).read_text("utf-8").strip() if job is not None else ""
    except OSError:
        return None
    return folder / name if name == Path(name).name and name.endswith(".jsonl") else None


def remember(job: Path | None, path: Path) -> None:
    """The crawl in this JOBDIR goes on with this file."""
    if job is not None:
        (job / NAME).write_text(path.name, "utf-8")


def point_to(path: Path) -> str:
    """``latest.jsonl`` beside it is a link to it; else why it is not."""
    link, made = path.with_name(LATEST), path.with_name(f"{path.name}.link")
    if link.exists() and not link.is_symlink():
        return f"{link} is no link: the newest harvest is {path}"
    try:
        made.unlink(missing_ok=True)
        made.symlink_to(path.name)
        made.replace(link)
    except OSError as error:
        return f"{link} cannot be made a link ({error.strerror}): the newest harvest is {path}"
    return ""
