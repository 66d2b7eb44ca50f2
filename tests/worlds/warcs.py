"""Small recorded worlds for tests, written by warcio."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HTML = ("Content-Type", "text/html; charset=utf-8")


def write_warc(
    path: Path, pages: dict[str, str | bytes], status: str = "200 OK", headers=(HTML,), gzip=True, **info: str
) -> Path:  # type: ignore[no-untyped-def]
    """A WARC with one response a page. ``info``: what it says of itself, with - for _."""
    about = {name.replace("_", "-"): value for name, value in info.items()}
    with path.open("wb") as out:
        writer = WARCWriter(out, gzip=gzip)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "a test", **about}))
        for url, body in pages.items():
            add(writer, url, body.encode() if isinstance(body, str) else body, status, headers)
    return path


def add(writer: WARCWriter, url: str, body: bytes, status: str = "200 OK", headers=(HTML,)) -> None:  # type: ignore[no-untyped-def]
    http = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1")
    writer.write_record(
        writer.create_warc_record(url, "response", payload=BytesIO(body), length=len(body), http_headers=http)
    )
