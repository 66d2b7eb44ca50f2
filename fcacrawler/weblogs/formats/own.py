"""Our own log: TSV with a header, or JSON lines. The columns are named, so their order is free.

``user``, ``query`` and ``url`` must be there; ``group``, ``time``, ``step`` and ``clicks`` may be.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import compress

from fcacrawler.weblogs.events import SHORT_QUERY, BadLine, Click, ClickColumns, checked_query
from fcacrawler.weblogs.formats.format import AtOnce, Format, Parser

NEEDED = ("user", "query", "url")


def parser_of_tsv(head: Sequence[str]) -> Parser | None:
    """A parser for the columns that the header names; None without such a header."""
    header = head[0]
    names = header.split("\t")
    if not set(NEEDED) <= set(names):
        return None
    width = len(names)
    user, query, url = (names.index(n) for n in NEEDED)
    group, time, step, clicks = (names.index(n) if n in names else width for n in ("group", "time", "step", "clicks"))

    def parse(line: str) -> Click | None:
        fields = line.split("\t")
        if len(fields) != width:
            if not line:
                return None
            raise BadLine(f"{len(fields)} columns where the header has {width}")
        if line == header:
            return None
        if not fields[user]:
            raise BadLine("no user")
        if not fields[url]:
            return None
        query_text, count = checked_query(fields[query]), 1 if clicks == width else _count(fields[clicks])
        fields.append("")  # in the place of what the log does not have
        return Click(fields[user], query_text, fields[url], fields[group], fields[time], fields[step], count)

    return parse


def at_once_of_tsv(head: Sequence[str]) -> AtOnce:
    """The same column by column, where each line has all columns, a user, and a query and a count that can be used."""
    names = head[0].split("\t")
    places = {name: names.index(name) for name in Click._fields if name in names}

    def parse(text: str) -> ClickColumns | None:
        lines = text.split("\n")
        if head[0] in lines or {line.count("\t") for line in lines} != {len(names) - 1}:
            return None
        fields = text.replace("\n", "\t").split("\t")
        found: dict[str, list[str]] = {name: fields[place :: len(names)] for name, place in places.items()}
        if "" in found["user"]:
            return None
        if "" in found["url"]:
            found = {name: list(compress(values, found["url"])) for name, values in found.items()}
        n = len(found["url"])
        try:
            query = [text.strip() if len(text) <= SHORT_QUERY else checked_query(text) for text in found["query"]]
            clicks = [_count(text) for text in found["clicks"]] if "clicks" in found else [1] * n
        except BadLine:
            return None
        group, time, step = (found.get(name, [""] * n) for name in ("group", "time", "step"))
        return ClickColumns(found["user"], query, found["url"], group, time, step, clicks, [0] * n)

    return parse


def parser_of_jsonl(head: Sequence[str]) -> Parser | None:
    """One JSON object a line, keyed as the TSV's columns; other keys are ignored."""
    return _parse_json if head[0].lstrip().startswith("{") else None


def _parse_json(line: str) -> Click | None:
    if not line.strip():
        return None
    try:
        event = json.loads(line)
    except (ValueError, RecursionError) as e:
        raise BadLine("not JSON") from e
    if not isinstance(event, dict):
        raise BadLine("not a JSON object")
    url = _text(event, "url")
    if not url:
        return None
    user = _text(event, "user")
    if not user:
        raise BadLine("no user")
    return Click(
        user,
        checked_query(_text(event, "query")),
        url,
        _text(event, "group"),
        _text(event, "time"),
        _text(event, "step"),
        _count(event.get("clicks", 1)),
    )


def _text(event: Mapping[str, object], name: str) -> str:
    value = event.get(name)
    if value is None:
        return ""
    if isinstance(value, str | int | float):
        return str(value)
    raise BadLine(f"{name} is neither text nor a number")


def _count(value: object) -> int:
    try:
        number = int(str(value))
    except ValueError:
        number = 0
    if not 0 < number < 1 << 31:
        raise BadLine(f"clicks is {str(value)[:20]!r}, not a number above 0")
    return number


TSV = Format("tsv", parser_of_tsv, at_once=at_once_of_tsv)
JSONL = Format("jsonl", parser_of_jsonl)
