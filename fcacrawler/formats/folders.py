"""Items as a folder of Markdown files, one a page: HOST/PATH-KEY.md, with what is known of the page at its head."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from fcacrawler.formats.card import Card
from fcacrawler.formats.choosing import host_of, text_of

HEAD = (
    "title", "url", "fetched_at", "language", "author", "published", "modified", "site", "licence", "description",
    "topic", "semrank", "relevant", "depth", "parent", "keywords", "signals", "quality_flags",
)  # fmt: skip
_LONGEST = 80  # characters of a name
_UNSAFE = re.compile(r"[^\w.-]+", re.ASCII)


def write(items: Iterable[str], place: Path, card: Card) -> int:
    for item in card.noting(map(json.loads, items)):
        file = place / name_of(item)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{_head(item)}\n{text_of(item)}\n", "utf-8", "replace")
    return card.items


def name_of(item: Mapping[str, Any]) -> str:
    """A relative path in which nothing of a stranger's can do harm.

    >>> name_of({"url": "http://e.org/a/../../etc/%2e%2e/passwd?x=1"})
    'e.org/a-etc-passwd-c17b2617df.md'
    """
    url = str(item.get("url") or "")
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        path = ""
    host = _safe(host_of(item)) or "no-host"
    digest = blake2b(url.encode("utf-8", "replace"), digest_size=5).hexdigest()
    parts = [safe for part in path.split("/") if (safe := _safe(part))]
    return f"{host}/{'-'.join([*parts, ''])[:_LONGEST].rstrip('-')}-{digest}.md".replace("/-", "/")


def _safe(text: str) -> str:
    return _UNSAFE.sub("-", text).strip(".-")[:_LONGEST]


def _head(item: Mapping[str, Any]) -> str:
    """YAML, of which JSON is a part."""
    told = [f"{n}: {json.dumps(item[n], ensure_ascii=False)}" for n in HEAD if item.get(n) not in (None, "", [], {})]
    return "\n".join(("---", *told, "---", ""))
