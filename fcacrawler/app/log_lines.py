"""A log of lines of JSON, for programs that read logs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """A record a line, whatever strangers have put into it.

    >>> record = logging.LogRecord("fcacrawler", logging.WARNING, "", 0, "two\\nlines of %s", ("tea",), None)
    >>> record.created = 0.0
    >>> JsonLines().format(record)
    '{"time":"1970-01-01T00:00:00.000+00:00","level":"WARNING","logger":"fcacrawler","message":"two\\\\nlines of tea"}'
    """

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told, separators=(",", ":"))


def log_json() -> None:
    """From now on, wherever this process logs to."""
    for handler in logging.root.handlers:
        handler.setFormatter(JsonLines())
