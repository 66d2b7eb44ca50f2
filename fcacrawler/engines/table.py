"""``engines.toml``: who may be asked, and how. A key never stands in it, but the name of a variable that holds it."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fcacrawler.page import canonical_url
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.files import BadFile, read_text
from fcacrawler.values.names import nearest

LARGEST = 1 << 20  # bytes of the file
MOST = 50  # engines
VARIABLE = re.compile(r"\$([A-Z_][A-Z0-9_]*)")
SECRET = re.compile(r"auth|cookie|key|token|secret", re.I)
_SECRET_IN_URL = re.compile(r"[?&][^=&]*(?:auth|key|token|secret)[^=&]*=(?!\$)[^&]{8,}", re.I)


@dataclass(frozen=True, slots=True)
class Engine:
    """One that may be asked."""

    name: str
    kind: str
    url: str  # of json: a template with {words}; of the others where it is, or its description, index or sitemap
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    results: str = ""  # json: the path into an answer to its results: "web.results"
    link: str = "url"  # … and inside a result to its parts
    title: str = "title"
    snippet: str = "snippet"
    patterns: tuple[str, ...] = ()  # cdx: which URLs are looked through: "*.example.org/*"
    pause: float = 1.0  # seconds between two questions


PRESETS: dict[str, dict[str, str]] = {  # kinds whose answers are JSON that is known
    "searxng": {"path": "/search?q={words}&format=json", "results": "results", "snippet": "content"},
    "pise": {"path": "/api/search?q={words}", "results": "hits"},
    "json": {"path": ""},
}
KINDS = (*PRESETS, "opensearch", "cdx", "sitemap")
TYPES: dict[str, type] = {"headers": dict, "patterns": list, "pause": float}
ONLY = {"patterns": ("cdx",), "results": ("json",), "link": ("json",), "title": ("json",), "snippet": ("json",)}


def read_engines(path: Path, environment: Mapping[str, str] = os.environ) -> tuple[Engine, ...]:
    """In the order of the file. Raises BadOptions with all that is wrong."""
    problems: list[str] = []
    try:
        table = tomllib.loads(read_text(path, LARGEST))
    except BadFile as error:
        raise BadOptions([f"engines file {error}"]) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else error
        raise BadOptions([f"engines file {path} is not TOML: {why}"]) from None
    read = (_engine(f"{path}: {name}", name, row, environment, problems) for name, row in table.items())
    found = [engine for engine in read if engine is not None]
    if len(table) > MOST:
        problems.append(f"{path}: {MOST} engines at most")
    if problems:
        raise BadOptions(problems)
    return tuple(found)


def _engine(
    where: str, name: str, row: Any, environment: Mapping[str, str], problems: list[str]
) -> Engine | None:  # fmt: skip
    if not isinstance(row, dict):
        problems.append(f"{where}: an engine is a table such as [{name}] with kind and url")
        return None
    wrong = list(_wrong(where, row))
    problems += wrong
    if wrong:
        return None
    kind, url = row["kind"], row["url"].strip()
    preset = PRESETS.get(kind, {})
    told = {n: row[n] for n in ("results", "link", "title", "snippet") if n in row}
    told |= {n: text for n, text in preset.items() if n != "path"}
    headers, missing = dict(row.get("headers", {})), set[str]()
    for header, value in headers.items():
        headers[header] = _filled(value, environment, missing)
    filled = _filled(url, environment, missing)
    if preset.get("path"):
        filled = filled.rstrip("/") + preset["path"]
    problems += [f"{where}: the variable {n} is not set in the environment" for n in sorted(missing)]
    pause = max(0.0, float(row.get("pause", 1.0)))
    return Engine(name, kind, filled, headers, patterns=tuple(row.get("patterns", ())), pause=pause, **told)


def _wrong(where: str, row: dict[str, Any]) -> list[str]:
    """What cannot be read, of one engine."""
    known = {f.name for f in fields(Engine)} - {"name"}
    found = [f"{where}: {n!r} is unknown{nearest(n, known)}" for n in row if n not in known]
    for n, value in row.items():
        wanted = TYPES.get(n, str)
        inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
        fits = isinstance(value, int | float) if wanted is float else isinstance(value, wanted)
        if n in known and (not fits or isinstance(value, bool) or not all(isinstance(v, str) for v in inside)):
            found.append(f"{where}: {n!r} must be {_NAMES.get(wanted, 'text')}")
    if found:
        return found
    kind, url = str(row.get("kind", "")), str(row.get("url", ""))
    if kind not in KINDS:
        found.append(f"{where}: kind {kind!r} is unknown{nearest(kind, KINDS)}")
    elif not canonical_url(VARIABLE.sub("x", url).replace("{", "").replace("}", "")):
        found.append(f"{where}: url {url!r} is no http or https URL")
    elif kind == "json" and ("{words}" not in url or not row.get("results")):
        found.append(f"{where}: of a json engine url has {{words}}, and results is where they are in the answer")
    elif kind == "cdx" and not row.get("patterns"):
        found.append(f'{where}: patterns says which URLs are looked through, such as ["*.example.org/*"]')
    found += [f"{where}: {n!r} is of {', '.join(of)} only" for n, of in ONLY.items() if n in row and kind not in of]
    secret = [h for h, v in row.get("headers", {}).items() if SECRET.search(h) and not VARIABLE.search(v)]
    found += [f'{where}: {h}: a key stands in the environment, and here its name: {h} = "$MY_KEY"' for h in secret]
    if _SECRET_IN_URL.search(url):
        found.append(f"{where}: url: a key stands in the environment, and here its name: &key=$MY_KEY")
    return found


_NAMES: dict[type, str] = {dict: "a table of texts", list: "a list of texts", float: "a number of seconds"}


def _filled(text: str, environment: Mapping[str, str], missing: set[str]) -> str:
    missing |= {name for name in VARIABLE.findall(text) if not environment.get(name)}
    return VARIABLE.sub(lambda found: environment.get(found[1], ""), text)


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()
