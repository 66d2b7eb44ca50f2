"""What people open, as lines of our own log format: a pseudonym, the query, the page, when; ``scrapy learn`` reads it.

A line is written whole and at once, so that a kill takes none that was told, and running crawls hear of it
(``FCA_CLICKS``).
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

NAME = "clicks.jsonl"
LONGEST = 1000  # characters of a query


def write(path: Path, browser: str, query: str, url: str) -> None:
    """``browser``: a random name that stands for nobody. The step is the click's place within its second."""
    now = datetime.now(UTC)
    event = {"user": browser, "query": " ".join(query[:LONGEST].split()[:50]), "url": url}
    event |= {"time": now.isoformat(timespec="seconds"), "step": str(now.microsecond // 1000)}
    line = json.dumps(event).encode() + b"\n"
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, line)
    finally:
        os.close(file)
