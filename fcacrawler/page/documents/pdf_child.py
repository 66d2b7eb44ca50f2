"""Reads one PDF from its standard input, in a process of its own whose memory and time are bounded: a PDF can ask for
any amount of both. Writes JSON: title, author, dates, pages (text), links. Imports nothing of the house: it is started
by its path, for every PDF."""

from __future__ import annotations

import io
import json
import logging
import resource
import sys
from typing import Any

PAGES, CHARACTERS, LINKS = 300, 400_000, 2000


def main(memory: int, seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.disable(logging.CRITICAL)
    from pypdf import PdfReader

    found: dict[str, Any] = {"pages": [], "links": [], "cut": False}
    out = sys.stdout
    sys.stdout = sys.stderr
    try:
        reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()), strict=False)
        if reader.is_encrypted:
            reader.decrypt("")
        about: Any = reader.metadata or {}
        for name, key in (
            ("title", "/Title"),
            ("author", "/Author"),
            ("created", "/CreationDate"),
            ("modified", "/ModDate"),
        ):
            value = about.get(key)
            found[name] = str(value)[:500] if value is not None else ""
        size = 0
        for number, page in enumerate(reader.pages):
            if number >= PAGES or size >= CHARACTERS:
                found["cut"] = True
                break
            try:
                text = page.extract_text()[: CHARACTERS - size]
            except (Exception, RecursionError):  # of a page that is broken
                text, found["cut"] = "", True
            size += len(text)
            found["pages"].append(text)
            found["links"].append(links_of(page, LINKS - sum(map(len, found["links"]))))
    except (Exception, RecursionError) as error:  # a library for a format of a thousand pages fails in any way
        found["error"] = f"{type(error).__name__}: {error}"[:200]
        found["cut"] = True
    out.write(json.dumps(found))
    out.flush()


def links_of(page: Any, most: int) -> list[str]:
    found: list[str] = []
    try:
        for annotation in page.get("/Annots") or ():
            if len(found) >= most:
                break
            action = annotation.get_object().get("/A")
            uri = action.get_object().get("/URI") if action is not None else None
            if uri is not None:
                found.append(str(uri)[:2000])
    except (Exception, RecursionError):
        pass
    return found


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
