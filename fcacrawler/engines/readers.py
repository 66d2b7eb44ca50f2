"""Answers of engines → results: JSON by paths, RSS and Atom, HTML, lines of a CDX index. What is broken is nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import Any
from urllib.parse import quote

from lxml import etree

from fcacrawler.engines.table import Engine, host_of
from fcacrawler.engines.web import Reply, Unanswered
from fcacrawler.page import canonical_url, read_page, terms, url_words

MOST = 100  # results of one answer
LONGEST = 300  # characters of a title or snippet
LONGEST_URL = 2_000
_TAG = re.compile(r"<[^<>]{0,300}>")
_LATIN = re.compile(r"charset\s*=\s*[\"']?\s*(?:iso-8859-1|latin-?1|windows-1252)", re.I)


@dataclass(frozen=True, slots=True)
class Result:
    """A page that an engine names."""

    url: str
    title: str = ""
    snippet: str = ""


def results(found: Iterable[tuple[Any, Any, Any]]) -> list[Result]:
    """Of (URL, title, snippet) as they stand somewhere: each page once, no more than ``MOST``.

    >>> results([("javascript:alert(1)", "x", ""), ("HTTP://A.test/b#c", "<b>Tea</b> &amp; more", None)])
    [Result(url='http://a.test/b', title='Tea & more', snippet='')]
    """
    kept: dict[str, Result] = {}
    for url, title, snippet in found:
        url = canonical_url(url) if isinstance(url, str) and len(url) <= LONGEST_URL else ""
        if url and url not in kept:
            kept[url] = Result(url, plain(title), plain(snippet))
            if len(kept) >= MOST:
                break
    return list(kept.values())


def plain(said: Any) -> str:
    """One line without markup, not long; of a list of pairs (as ours are) the texts."""
    if isinstance(said, list):
        said = "".join(part[0] for part in said[:50] if isinstance(part, list) and part and isinstance(part[0], str))
    if not isinstance(said, str):
        return ""
    text = unescape(_TAG.sub(" ", said[: 4 * LONGEST]))
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:LONGEST]


def by_paths(reply: Reply, engine: Engine) -> list[Result]:
    """JSON; raises Unanswered for what is none, or has no list where the results should be."""
    found = _at(_json(reply), engine.results)
    if not isinstance(found, list):
        raise Unanswered(f"no list at {engine.results!r} in its answer: {_begins(reply)}")
    parts = (engine.link, engine.title, engine.snippet)
    rows = (tuple(_at(row, part) for part in parts) for row in found[: 10 * MOST])
    return results((url, title, snippet) for url, title, snippet in rows)


def _json(reply: Reply) -> Any:
    encoding = "latin-1" if _LATIN.search(reply.kind) else "utf-8-sig"
    try:
        return json.loads(reply.body.decode(encoding, "replace"))
    except (ValueError, RecursionError):
        raise Unanswered(f"its answer is no JSON: {_begins(reply)}") from None


def _begins(reply: Reply) -> str:
    """For its user, who looks what is wrong."""
    return repr(reply.body[:60].decode("utf-8", "replace"))


def _at(value: Any, path: str) -> Any:
    """What a path leads to; None where there is nothing.

    >>> _at({"web": {"results": [{"url": "x"}]}}, "web.results.0.url"), _at([], "a.b")
    ('x', None)
    """
    for step in filter(None, path.split(".")):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and len(step) < 6 and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def feed(reply: Reply) -> list[Result]:
    """RSS (any) or Atom; raises Unanswered for what is none."""
    root = _xml(reply)
    items = islice(root.iter("{*}item", "{*}entry"), 10 * MOST)
    return results((_link(i), _text(i, "title"), _text(i, "description", "summary", "content")) for i in items)


def _xml(reply: Reply) -> Any:
    """No entities of its own, nothing from elsewhere."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(reply.body, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        raise Unanswered(f"its answer is no XML: {_begins(reply)}")
    return root


def _text(item: Any, *names: str) -> str:
    for child in item.iterchildren(*(f"{{*}}{name}" for name in names)):
        return "".join(child.itertext())[: 4 * LONGEST]
    return ""


def _link(item: Any) -> str:
    links = list(item.iterchildren("{*}link"))
    best = next((link for link in links if link.get("rel", "alternate") == "alternate"), None)
    return "" if best is None else (best.get("href") or "".join(best.itertext())).strip()


def outward(reply: Reply) -> list[Result]:
    """The links of a page of results that lead to other hosts, in its order."""
    page = read_page(reply.url, reply.url, reply.body, content_type=reply.kind)
    home = host_of(reply.url)
    return results((k.url, k.anchor, k.context) for k in page.links if k.anchor.strip() and host_of(k.url) != home)


def template(reply: Reply) -> tuple[str, str]:
    """The URL template of an OpenSearch description and the type of its answers, that which says most; raises
    Unanswered for what is none."""
    found: dict[str, str] = {}
    for node in _xml(reply).iter("{*}Url"):
        if (node.get("rel") or "results") == "results" and (node.get("method") or "get").lower() == "get":
            found.setdefault((node.get("type") or "").partition(";")[0].strip().lower(), node.get("template") or "")
    for kind in ("application/rss+xml", "application/atom+xml", "text/html", "application/xhtml+xml"):
        if "{searchTerms" in found.get(kind, ""):
            return found[kind], kind
    raise Unanswered("its OpenSearch description has no template of RSS, Atom or HTML with {searchTerms}")


_PARAMETERS = {"count": str(MOST // 2), "startIndex": "1", "startPage": "1", "language": "*"}


def filled(template: str, words: str) -> str:
    """OpenSearch 1.1, 4: what is optional may be left empty.

    >>> filled("http://a.test/?q={searchTerms}&n={count?}&e={outputEncoding}&x={x:y?}", "green tea")
    'http://a.test/?q=green%20tea&n=50&e=UTF-8&x='
    """
    told = {**_PARAMETERS, "searchTerms": quote(words, safe=""), "inputEncoding": "UTF-8", "outputEncoding": "UTF-8"}
    return re.sub(r"\{([^{}]{1,100})\}", lambda found: told.get(found[1].removesuffix("?"), ""), template[:LONGEST_URL])


def cdx(reply: Reply) -> Iterator[str]:
    """The URLs of pages that an index has: lines of JSON (Common Crawl), or a table of JSON (Wayback)."""
    lines = reply.body.decode("utf-8", "replace").split("\n")
    rows: list[Any] = []
    if lines[0].lstrip().startswith("["):
        table = _json(reply)
        head = table[0] if table and isinstance(table, list) and isinstance(table[0], list) else []
        rows = [dict(zip(map(str, head), row, strict=False)) for row in table[1:] if isinstance(row, list)]
    else:
        for line in lines:
            try:
                rows.append(json.loads(line))
            except (ValueError, RecursionError):
                continue  # the last one may be torn by our bound
    for row in rows:
        if isinstance(row, dict):
            status = str(row.get("status", row.get("statuscode", "200")))
            kind = str(row.get("mime", row.get("mimetype", "text/html")))
            url = row.get("url", row.get("original"))
            if status == "200" and "html" in kind and isinstance(url, str):
                yield url


def by_words(urls: Iterable[str], words: str) -> list[Result]:
    """Those whose URLs have some of the words, most first; ties as they came.

    >>> by_words(["http://a.test/green", "http://a.test/tea/green-tea", "http://a.test/b"], "green tea")[0].url
    'http://a.test/tea/green-tea'
    """
    wanted = set(terms(words, "en"))
    told = [(url, len(wanted & set(terms(url_words(url), "en")))) for url in urls if len(url) <= LONGEST_URL]
    best = sorted((row for row in told if row[1]), key=lambda row: -row[1])
    return results((url, url_words(url), "") for url, _ in best)
