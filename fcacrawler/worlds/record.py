"""Writes a standard WARC, record by record: what was asked and what was answered.

Each record is a gzip member of its own, written in one go: a crawl that is killed leaves whole records. A file that
exists is never touched; the next free name is taken instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http.client import responses
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from fcacrawler.values.errors import BadWorld

Headers = Iterable[tuple[str, str]]

SECRET = frozenset(["authorization", "proxy-authorization", "cookie"])
OF_THE_WIRE = frozenset(["transfer-encoding", "content-length", "connection", "keep-alive"])
ENDINGS = (".warc.gz", ".warc")
ORDER = "crawl-order"  # field of a warcinfo record: which order has chosen what was fetched


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its response, the body as it came (still compressed, if it was)."""

    url: str
    method: str
    request_headers: Headers
    request_body: bytes
    status: int
    headers: Headers
    body: bytes
    address: str = ""  # IP address of the server
    truncated: bool = False  # not all of the body is there


def free_path(path: Path) -> Path:
    """The path, or the first of ``name-1``, ``name-2`` … that nobody uses."""
    ending = next((e for e in ENDINGS if path.name.endswith(e)), "")
    stem = path.name.removesuffix(ending)
    number = 0
    while path.exists():
        number += 1
        path = path.with_name(f"{stem}-{number}{ending}")
    return path


def check_place(path: Path) -> None:
    """Make the folder that a recording shall stand in; raises BadWorld where that cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise BadWorld(f"FCA_RECORD {path}: {path.parent} cannot be written to ({error.strerror})") from None


class Written(NamedTuple):
    """Where an exchange stands in its file."""

    offset: int  # of its response
    length: int  # bytes of its response
    size: int  # bytes of all of it


class Recording:
    """An open WARC file."""

    def __init__(self, path: Path, info: Mapping[str, str]) -> None:
        """Raises OSError where the file cannot be made."""
        self.path = free_path(path)
        self._file = self.path.open("xb", buffering=0)
        self._gzip = self.path.name.endswith(".gz")
        name = os.fsencode(self.path.name).decode("utf-8", "backslashreplace")
        self._write(lambda writer: [writer.create_warcinfo_record(name, info)])

    def add(self, exchange: Exchange) -> Written:
        """Write one request and its response. Raises OSError."""
        return self._write(lambda writer: _records(writer, exchange))

    def _write(self, records: Callable[[WARCWriter], Iterable[object]]) -> Written:
        buffer = BytesIO()
        writer = WARCWriter(buffer, gzip=self._gzip, warc_version="1.1")
        ends = []
        for record in records(writer):
            writer.write_record(record)
            ends.append(buffer.tell())
        return Written(self._file.tell(), ends[0], self._file.write(buffer.getbuffer()))

    def close(self) -> None:
        self._file.close()


def _records(writer: WARCWriter, exchange: Exchange) -> list[object]:
    """The response, and the request that it answers."""
    about = {"WARC-IP-Address": exchange.address} if exchange.address else {}
    if exchange.truncated:
        about["WARC-Truncated"] = "length"
    kept = [(n, v) for n, v in exchange.headers if n.lower() not in OF_THE_WIRE]
    response = writer.create_warc_record(
        exchange.url,
        "response",
        payload=BytesIO(exchange.body),
        length=len(exchange.body),
        warc_headers_dict=about,
        http_headers=StatusAndHeaders(
            f"{exchange.status} {responses.get(exchange.status, '')}",
            [*kept, ("Content-Length", str(len(exchange.body)))],
            protocol="HTTP/1.1",
        ),
    )
    where = urlsplit(exchange.url)
    target = (where.path or "/") + (f"?{where.query}" if where.query else "")
    asked = [(n, v) for n, v in exchange.request_headers if n.lower() not in SECRET | {"host"}]
    request = writer.create_warc_record(
        exchange.url,
        "request",
        payload=BytesIO(exchange.request_body),
        length=len(exchange.request_body),
        warc_headers_dict={"WARC-Concurrent-To": response.rec_headers.get_header("WARC-Record-ID")},
        http_headers=StatusAndHeaders(
            f"{exchange.method} {target} HTTP/1.1", [("Host", where.netloc), *asked], is_http_request=True
        ),
    )
    return [response, request]
