"""How answers are written: pages of HTML, feeds, exports. Whatever strangers wrote is escaped."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from email.utils import format_datetime
from functools import cache, partial
from typing import Any
from urllib.parse import urlencode
from xml.sax.saxutils import escape

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response

from fcacrawler.frontier.sqlite.export import write_csv, write_jsonl
from fcacrawler.search.opened import Row
from fcacrawler.values.errors import BadOptions

NO_XML = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)])
TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv"}


@cache
def templates() -> Environment:
    made = Environment(
        loader=PackageLoader("fcacrawler.pise"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters["query"] = partial(urlencode, errors="replace")
    return made


def page(request: Request, template: str, status: int = 200, /, **values: Any) -> Response:
    text = (
        templates()
        .get_template(template)
        .render(stamp=request.scope["stamp"], **{"asked": None, "reply": "", **values})
    )
    return Response(text.encode("utf-8", "replace"), status, media_type="text/html; charset=utf-8")


def as_json(value: Any, status: int = 200, kind: str = "application/json") -> Response:
    """In ASCII: halves of characters, which pages may hold, are no UTF-8."""
    return Response(json.dumps(value), status, media_type=kind)


def export(items: Iterable[Mapping[str, Any]], kind: str) -> Response:
    if kind not in TYPES:
        raise BadOptions([f"{kind[:20]!r}: exported as {' or '.join(TYPES)}"])
    file = io.StringIO()
    lines = (json.dumps(item, ensure_ascii=False) for item in items)
    (write_csv if kind == "csv" else write_jsonl)(lines, file)
    headers = {"Content-Disposition": f'attachment; filename="found.{kind}"'}
    return Response(file.getvalue().encode("utf-8", "replace"), headers=headers, media_type=TYPES[kind])


def feed(name: str, base: str, rows: Sequence[Row]) -> Response:
    """RSS 2.0: what is new and relevant."""
    items = "".join(
        f"<item><title>{_xml(row.title or row.url)}</title><link>{_xml(row.url)}</link>"
        f'<guid isPermaLink="true">{_xml(row.url)}</guid><pubDate>{_date(row.fetched)}</pubDate></item>'
        for row in rows
    )
    head = f"<title>{_xml(name)}: new relevant pages</title><link>{_xml(base)}</link><description/>"
    text = f'<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>{head}{items}</channel></rss>'
    return Response(text.encode("utf-8", "replace"), media_type="application/rss+xml; charset=utf-8")


def description(base: str) -> Response:
    """OpenSearch 1.1: so that a browser can search here."""
    text = (
        '<?xml version="1.0" encoding="utf-8"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
        "<ShortName>PISE</ShortName><Description>What the crawls have fetched</Description>"
        f'<Url type="text/html" template="{_xml(base)}search?q={{searchTerms}}"/>'
        f'<Url type="application/x-suggestions+json" template="{_xml(base)}suggest?q={{searchTerms}}"/>'
        f'<Url type="application/json" template="{_xml(base)}api/search?q={{searchTerms}}"/>'
        "</OpenSearchDescription>"
    )
    return Response(text, media_type="application/opensearchdescription+xml")


def _xml(text: str) -> str:
    return escape(text.translate(NO_XML), {'"': "&quot;"})


def _date(iso: str) -> str:
    try:
        return format_datetime(datetime.fromisoformat(iso))
    except ValueError:
        return ""
