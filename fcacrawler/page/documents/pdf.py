"""A PDF as HTML: its text by paragraphs, what it says of itself, its links. Read in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fcacrawler.page.documents.plain import linked, page

MEMORY, SECONDS = 1 << 30, 20  # bytes of address space, and of CPU time, that a PDF may cost
CLOCK = 6  # times as long it may take by the clock: the machine may do other things
_CHILD = Path(__file__).with_name("pdf_child.py")
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?")
_ENDED = (".", ":", "!", "?", "…", "”", '"')


class NotRead(Exception):
    """A PDF that cannot be read, and why."""


class PdfReader:
    """Needs the extra ``pdf``."""

    def __init__(self, memory: int = MEMORY, seconds: int = SECONDS) -> None:
        self.memory = memory
        self.seconds = seconds

    @staticmethod
    def installed() -> bool:
        return find_spec("pypdf") is not None

    def html(self, body: bytes, name: str = "") -> str:
        """Takes its time: call it in a thread. ``name``: a title for a PDF without one. Raises NotRead."""
        command = [sys.executable, "-I", str(_CHILD), str(self.memory), str(self.seconds)]
        try:
            done = subprocess.run(command, input=body, capture_output=True, timeout=CLOCK * self.seconds)
        except subprocess.TimeoutExpired:
            raise NotRead(f"it took more than {CLOCK * self.seconds} s by the clock") from None
        except OSError as error:
            raise NotRead(f"no process for it: {error.strerror}") from None
        try:
            found = json.loads(done.stdout)
        except ValueError:
            raise NotRead(f"it took more than {self.seconds} s of CPU or {self.memory >> 20} MB") from None
        if "error" in found and not any(found["pages"]):
            raise NotRead(str(found["error"]))
        return html_of_pdf(found, name)


def html_of_pdf(found: dict[str, Any], name: str = "") -> str:
    """What the child has found, as a page."""
    head = "".join(
        f'<meta name="{what}" content="{escape(said)}">'
        for what, said in (
            ("author", str(found.get("author") or "")),
            ("date", day_of(str(found.get("created") or ""))),
            ("lastmod", day_of(str(found.get("modified") or ""))),
        )
        if said
    )
    return page(str(found.get("title") or "").strip() or name, _parts(found), head)


def _parts(found: dict[str, Any]) -> Iterator[str]:
    for text, urls in zip(found["pages"], found["links"], strict=False):
        for paragraph in _paragraphs(str(text)):
            yield f"<p>{linked(paragraph)}</p>"
        if urls:
            yield "<p>" + " ".join(f'<a href="{escape(str(url))}"></a>' for url in urls) + "</p>"


def _paragraphs(text: str) -> Iterator[str]:
    """Lines are where the paper ended: they are joined until one is short and ends a sentence, or an empty one comes.

    >>> list(_paragraphs("A long line that goes on and hy-\\nphens on.\\nA line of no length\\n\\nNew"))
    ['A long line that goes on and hyphens on.', 'A line of no length', 'New']
    """
    lines = [" ".join(line.split()) for line in text.splitlines()]
    longest = sorted(map(len, lines))[int(0.9 * len(lines))] if lines else 0
    held = ""
    for line in lines:
        if not line:
            if held:
                yield held
            held = ""
            continue
        parted = held.endswith("-") and line[:1].islower()
        held = held[:-1] + line if parted else f"{held} {line}".lstrip()
        if line.endswith(_ENDED) and len(line) < 0.8 * longest:
            yield held
            held = ""
    if held:
        yield held


def day_of(date: str) -> str:
    """Of a PDF's date.

    >>> day_of("D:20240203101112+01'00'"), day_of("2024"), day_of("soon")
    ('2024-02-03', '', '')
    """
    match = _DATE.match(date)
    return "-".join(match.groups()) if match is not None and all(match.groups()) else ""
