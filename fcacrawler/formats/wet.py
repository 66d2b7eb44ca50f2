"""Items as WET, as Common Crawl has it: a WARC of ``conversion`` records, each a page's text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from warcio.warcwriter import WARCWriter

from fcacrawler.formats.card import Card
from fcacrawler.formats.choosing import text_of


def write(items: Iterable[str], place: Path, card: Card) -> int:
    """Pages without text are left out."""
    written = 0
    with place.open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        info = {"software": "fcacrawler", "description": f"topic: {card.topic}; {card.chosen}".strip("; ")}
        name = place.name.removesuffix(".part").encode("utf-8", "replace").decode()
        writer.write_record(writer.create_warcinfo_record(name, info))
        for item in card.noting(map(json.loads, items)):
            text = text_of(item)
            if not text:
                continue
            told = {"Content-Type": "text/plain; charset=utf-8"}
            if fetched := str(item.get("fetched_at") or ""):
                told["WARC-Date"] = f"{fetched[:19]}Z"
            if language := str(item.get("language") or ""):
                told["WARC-Identified-Content-Language"] = language
            body = text.encode("utf-8", "replace")
            url = str(item.get("final_url") or item.get("url") or "")
            record = writer.create_warc_record(
                url, "conversion", payload=BytesIO(body), length=len(body), warc_content_type="text/plain",
                warc_headers_dict=told,
            )  # fmt: skip
            writer.write_record(record)
            written += 1
    return written
