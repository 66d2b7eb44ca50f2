"""Recorded pages as CDXJ, an index into their recordings; and as WACZ 1.1.1, which holds the records as well.

An item says where its response stands (``record``). The records are copied byte by byte: each is a gzip member of its
own, or stands plain in a plain file.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO, Any
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from warcio.archiveiterator import ArchiveIterator

from fcacrawler.formats.card import Card
from fcacrawler.formats.choosing import text_of
from fcacrawler.values.errors import BadOutput

LARGEST = 256 << 20  # bytes of a record
OPEN = 50  # recordings at a time
_TEXT = 20_000  # characters of a page's text in pages.jsonl, for the search of viewers
_INTO = "archive/data.warc.gz"


@dataclass(frozen=True, slots=True)
class Record:
    """A response in a recording."""

    item: Mapping[str, Any]
    file: str
    offset: int
    raw: bytes  # as it stands there
    headers: Mapping[str, str]  # of the record, names in lower case
    status: str
    mime: str


def write_cdxj(items: Iterable[str], place: Path, card: Card) -> int:
    """Lines in the order of their keys."""
    lines = [_line(r, r.file, r.offset, len(r.raw)) for r in _records(items, card)]
    place.write_text("".join(sorted(lines)), "utf-8")
    return len(lines)


def write(items: Iterable[str], place: Path, card: Card) -> int:
    lines: list[str] = []
    with (
        TemporaryFile() as archive,
        NamedTemporaryFile("w", encoding="utf-8", errors="replace", suffix=".jsonl") as pages,
    ):
        pages.write(
            json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "All pages", "hasText": True}) + "\n"
        )
        for record in _records(items, card):
            raw = record.raw if record.raw[:2] == b"\x1f\x8b" else gzip.compress(record.raw, mtime=0)
            lines.append(_line(record, _INTO.rpartition("/")[2], archive.tell(), len(raw)))
            archive.write(raw)
            pages.write(_page(record.item, record.headers) + "\n")
        pages.flush()
        resources = []
        with ZipFile(place, "w") as wacz, open(pages.name, "rb") as told:
            index = BytesIO("".join(sorted(lines)).encode("utf-8", "replace"))
            archive.seek(0)
            for name, source in ((_INTO, archive), ("indexes/index.cdxj", index), ("pages/pages.jsonl", told)):
                resources.append(_put(wacz, name, source, ZIP_STORED if name == _INTO else ZIP_DEFLATED))
            package = json.dumps(_package(resources, card), ensure_ascii=False, indent=2).encode("utf-8", "replace")
            wacz.writestr("datapackage.json", package)
            digest = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(package).hexdigest()}"}
            wacz.writestr("datapackage-digest.json", json.dumps(digest))
    return len(lines)


def _package(resources: list[dict[str, Any]], card: Card) -> dict[str, Any]:
    return {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": f"Web pages: {card.topic}",
        "description": card.chosen,
        "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "software": "fcacrawler",
        "resources": resources,
    }


def _put(wacz: ZipFile, name: str, source: IO[bytes], how: int) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    info = ZipInfo(name, datetime.now(UTC).timetuple()[:6])
    info.compress_type = how
    with wacz.open(info, "w", force_zip64=True) as target:
        while piece := source.read(1 << 20):
            digest.update(piece)
            size += len(piece)
            target.write(piece)
    return {"name": name.rpartition("/")[2], "path": name, "hash": f"sha256:{digest.hexdigest()}", "bytes": size}


def _page(item: Mapping[str, Any], headers: Mapping[str, str]) -> str:
    page = {
        "id": hashlib.sha256(str(item.get("url")).encode("utf-8", "replace")).hexdigest()[:22],
        "url": headers.get("warc-target-uri", ""),
        "title": item.get("title") or item.get("url"),
        "ts": headers.get("warc-date", ""),
        "text": text_of(item)[:_TEXT],
    }
    return json.dumps(page, ensure_ascii=False)


def _records(items: Iterable[str], card: Card) -> Iterator[Record]:
    """Those of items that are recorded; each once. Raises BadOutput where a recording is not there, or is another."""
    known: set[tuple[str, int]] = set()
    with ExitStack() as stack:
        files: dict[str, IO[bytes]] = {}
        for item in card.noting(map(json.loads, items)):
            place = item.get("record")
            if not isinstance(place, dict):
                continue
            name, offset, length = str(place.get("file")), place.get("offset"), place.get("length")
            if not (isinstance(offset, int) and isinstance(length, int) and offset >= 0 and 0 < length <= LARGEST):
                raise BadOutput(f"{item.get('url')}: its record has no place that could be: {place}")
            if (name, offset) in known:
                continue
            known.add((name, offset))
            if name not in files:
                if len(files) >= OPEN:
                    files.pop(next(iter(files))).close()
                files[name] = stack.enter_context(_recording(name, card))
            files[name].seek(offset)
            yield _read(item, name, offset, files[name].read(length))
    if not known:
        raise BadOutput("none of these pages is recorded: crawl with -s FCA_RECORD=FILE.warc.gz")


def _recording(name: str, card: Card) -> IO[bytes]:
    if name != Path(name).name:  # an item is a stranger's word
        raise BadOutput(f"{name!r} is no name of a recording")
    for folder in card.recordings or (".",):
        if (path := Path(folder) / name).is_file():
            return path.open("rb")
    raise BadOutput(f"the recording {name} is not there: name its folder with --recordings FOLDER")


def _read(item: Mapping[str, Any], name: str, offset: int, raw: bytes) -> Record:
    try:
        record = next(iter(ArchiveIterator(BytesIO(raw))))
        headers = {key.lower(): value for key, value in record.rec_headers.headers}
        http = record.http_headers
        if record.rec_type != "response" or http is None:
            raise ValueError("no response")
        mime = (http.get_header("Content-Type") or "").partition(";")[0].strip().lower()
        return Record(item, name, offset, raw, headers, http.get_statuscode(), mime)
    except (StopIteration, ValueError, EOFError, OSError, zlib.error, AttributeError) as error:
        said = f"{name}: what stands at {offset} is not the record of {item.get('url')} ({error})"
        raise BadOutput(f"{said}: is it the recording of this crawl?") from None
    except Exception as error:  # warcio's own errors have no common kind
        raise BadOutput(f"{name}: what stands at {offset} cannot be read ({type(error).__name__})") from None


def _line(record: Record, file: str, offset: int, length: int) -> str:
    url = record.headers.get("warc-target-uri", "")
    told = {
        "url": url,
        "mime": record.mime,
        "status": record.status,
        "digest": record.headers.get("warc-payload-digest", ""),
        "length": str(length),
        "offset": str(offset),
        "filename": file,
    }
    moment = re.sub(r"\D", "", record.headers.get("warc-date", ""))[:14]
    return f"{surt(url)} {moment} {json.dumps(told, ensure_ascii=True)}\n"


def surt(url: str) -> str:
    """The key by which archives sort URLs.

    >>> surt("http://www.Example.org:8080/A/b?y=2&x=1"), surt("https://127.0.0.1/")
    ('org,example:8080)/a/b?x=1&y=2', '127.0.0.1)/')
    """
    parts = urlsplit(url)
    host = re.sub(r"^www\d*\.", "", parts.hostname or "")
    key = host if re.fullmatch(r"[\d.]+|.*:.*", host) else ",".join(reversed(host.split(".")))
    port = f":{parts.port}" if parts.port and parts.port not in (80, 443) else ""
    query = "?" + "&".join(sorted(parts.query.lower().split("&"))) if parts.query else ""
    return f"{key}{port}){parts.path.lower() or '/'}{query}".replace(" ", "%20")
