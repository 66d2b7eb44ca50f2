"""The frontier's values as compact JSON, for stores that outlive a process. Reading trusts nothing.

>>> record = dump_candidate(Candidate(b"k", "http://a/", "a", 2, (Evidence("http://p/", "text", "around", 3, 9),)))
>>> record
b'["http://a/","a",2,[["http://p/","text","around",3,9]]]'
>>> load_candidate(b"k", record).evidence[0].anchor
'text'
>>> load_candidate(b"k", b'["http://a/","a","2",[]]')
Traceback (most recent call last):
fcacrawler.errors.BadRecord: not a record of ours ('2' is no int): b'["http://a/","a","2",[]]'
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

from fcacrawler.errors import BadRecord
from fcacrawler.items import Candidate, Evidence, Link, SeenPage

T = TypeVar("T")
PAGE = {"keywords": tuple, "terms": dict, "links": tuple, "evidence": tuple, "depth": int, "simhash": int}  # else str

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False).encode
_link = attrgetter("url", "anchor", "context", "position", "nofollow")
_evidence = attrgetter("parent", "anchor", "context", "position", "siblings")


def dump_candidate(candidate: Candidate) -> bytes:
    """Everything but the key."""
    fields = [candidate.url, candidate.host, candidate.depth, [_evidence(e) for e in candidate.evidence]]
    return _bytes([*fields, candidate.request] if candidate.request else fields)


def load_candidate(key: bytes, record: bytes) -> Candidate:
    def made(url: str, host: str, depth: int, evidence: list[list[Any]], request: str = "") -> Candidate:
        _are(str, url, host, request)
        _are(int, depth)
        return Candidate(key, url, host, depth, tuple(_to_evidence(*e) for e in evidence), request)

    return _read(record, lambda fields: made(*fields))


def dump_head(candidate: Candidate) -> bytes:
    """The second line of a record of several lines, to which evidence can be added without reading it: before it stands
    "depth generation", where generation counts the changes; after it, one line a piece of evidence.

    >>> dump_head(Candidate(b"k", "http://a/", "a", 2))
    b'["http://a/","a"]'
    """
    return _bytes([candidate.url, candidate.host, *([candidate.request] if candidate.request else [])])


def dump_evidence(evidence: Evidence) -> bytes:
    return _bytes(_evidence(evidence))


def load_lines(key: bytes, record: bytes) -> tuple[Candidate, int]:
    """The candidate and the generation.

    >>> load_lines(b"k", b'2 5\\n["http://a/","a"]')
    (Candidate(key=b'k', url='http://a/', host='a', depth=2, evidence=(), request=''), 5)
    """
    numbers, *lines = record.split(b"\n")
    depth, _, generation = numbers.partition(b" ")
    if not (depth.isdigit() and generation.isdigit() and lines):
        raise BadRecord(f"not a record of ours: {record[:80]!r}")

    def made(url: str, host: str, request: str = "") -> Candidate:
        _are(str, url, host, request)
        found = tuple(_read(line, lambda fields: _to_evidence(*fields)) for line in lines[1:])
        return Candidate(key, url, host, int(depth), found, request)

    return _read(lines[0], lambda fields: made(*fields)), int(generation)


def dump_page(page: SeenPage) -> bytes:
    """A page as strategies see it, compressed."""
    fields = {name: getattr(page, name) for name in SeenPage.__slots__}
    fields["terms"] = dict(page.terms)
    fields["links"] = [_link(e) for e in page.links]
    fields["evidence"] = [_evidence(e) for e in page.evidence]
    return zlib.compress(_bytes(fields), 1)


def load_page(record: bytes) -> SeenPage:
    def made(**fields: Any) -> SeenPage:
        for word, weight in fields["keywords"]:
            _are(str, word)
            _are(float, weight)
        _are(str, *fields["terms"])
        _are(float, *fields["terms"].values())
        fields["keywords"] = tuple((word, weight) for word, weight in fields["keywords"])
        fields["links"] = tuple(_to_link(*e) for e in fields["links"])
        fields["evidence"] = tuple(_to_evidence(*e) for e in fields["evidence"])
        for name, value in fields.items():
            _are(PAGE.get(name, str), value)
        return SeenPage(**fields)

    try:
        raw = zlib.decompress(record)
    except (zlib.error, TypeError) as e:
        raise BadRecord(f"not a page of ours: {e}") from None
    return _read(raw, lambda fields: made(**fields))


def _bytes(fields: Any) -> bytes:
    return _encode(fields).encode("utf-8", "surrogatepass")


def _read(record: bytes, made: Callable[[Any], T]) -> T:
    try:
        return made(json.loads(record.decode("utf-8", "surrogatepass")))
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as e:
        raise BadRecord(f"not a record of ours ({e}): {record[:80]!r}") from None


def _to_link(url: str, anchor: str, context: str, position: int, nofollow: bool) -> Link:
    _are(str, url, anchor, context)
    _are(int, position, nofollow)
    return Link(url, anchor, context, position, nofollow)


def _to_evidence(parent: str, anchor: str, context: str, position: int, siblings: int) -> Evidence:
    _are(str, parent, anchor, context)
    _are(int, position, siblings)
    return Evidence(parent, anchor, context, position, siblings)


def _are(kind: type, *values: object) -> None:
    for value in values:
        if not isinstance(value, kind) and not (kind is float and isinstance(value, int)):
            raise TypeError(f"{value!r} is no {kind.__name__}")
