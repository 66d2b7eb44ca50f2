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
import struct
import zlib
from collections.abc import Callable, Iterable
from json.encoder import encode_basestring as _quote
from typing import Any, TypeVar

from fcacrawler.errors import BadRecord
from fcacrawler.items import Candidate, Evidence, Link, SeenPage

T = TypeVar("T")
Found = tuple[int, tuple[Evidence, ...]]  # links from a seed, and how it was found
PAGE = {"keywords": tuple, "terms": dict, "links": tuple, "evidence": tuple, "depth": int, "simhash": int}  # else str

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False).encode
_scan: Callable[[str, int], tuple[Any, int]] = vars(json.JSONDecoder())["scan_once"]


def dump_candidate(candidate: Candidate) -> bytes:
    """Everything but the key."""
    c = candidate
    request = f",{_quote(c.request)}" if c.request else ""
    return encoded(f"[{_quote(c.url)},{_quote(c.host)},{_found(c)}{request}]")


def dump_found(found: Iterable[tuple[int, Candidate]]) -> bytes:
    """Where these, by number, have been found, and how far from a seed."""
    return encoded(f"[{','.join([f'[{number},{_found(c)}]' for number, c in found])}]")


def _found(candidate: Candidate) -> str:
    evidence = ",".join([dump_evidence(e, e.parent) for e in candidate.evidence])
    return f"{candidate.depth},[{evidence}]"


def load_candidate(key: bytes, record: bytes) -> Candidate:
    def made(url: str, host: str, depth: int, evidence: list[list[Any]], request: str = "") -> Candidate:
        if not (type(url) is type(host) is type(request) is str and type(depth) is int):
            are(str, url, host, request)
            are(int, depth)
        return Candidate(key, url, host, depth, tuple([to_evidence(*e) for e in evidence]), request)

    return read(record, lambda fields: made(*fields))


def load_found(record: bytes) -> list[tuple[int, Found]]:
    """What ``dump_found`` wrote."""

    def made(number: int, depth: int, evidence: list[list[Any]]) -> tuple[int, Found]:
        are(int, number, depth)
        return number, (depth, tuple([to_evidence(*e) for e in evidence]))

    return read(record, lambda found: [made(*fields) for fields in found])


def dump_page(page: SeenPage) -> bytes:
    """A page as strategies see it, compressed. The weights of its terms stand behind that as their bits, which no
    compression makes shorter; as digits they would take as long as all the rest."""
    fields = {name: getattr(page, name) for name in SeenPage.__slots__}
    fields["terms"] = list(page.terms)
    weights = struct.pack(f"<{len(page.terms)}d", *page.terms.values())
    return zlib.compress(encoded(_encode(fields)), 1) + weights


def load_page(record: bytes) -> SeenPage:
    def made(**fields: Any) -> SeenPage:
        for word, weight in fields["keywords"]:
            are(str, word)
            are(float, weight)
        words = fields["terms"]
        are(str, *words)
        fields["terms"] = dict(zip(words, struct.unpack(f"<{len(words)}d", packed.unused_data), strict=True))
        fields["keywords"] = tuple((word, weight) for word, weight in fields["keywords"])
        fields["links"] = tuple(_to_link(*e) for e in fields["links"])
        fields["evidence"] = tuple(to_evidence(*e) for e in fields["evidence"])
        for name, value in fields.items():
            are(PAGE.get(name, str), value)
        return SeenPage(**fields)

    packed = zlib.decompressobj()
    try:
        raw = packed.decompress(record)
    except (zlib.error, TypeError) as e:
        raise BadRecord(f"not a page of ours: {e}") from None
    return read(raw, lambda fields: made(**fields))


def dump_evidence(e: Evidence, parent: str) -> str:
    """With another parent."""
    return f"[{_quote(parent)},{_quote(e.anchor)},{_quote(e.context)},{e.position},{e.siblings}]"


def encoded(text: str) -> bytes:
    """What a record is written as; ``read`` is the way back."""
    return text.encode("utf-8", "surrogatepass")


def read(record: bytes, made: Callable[[Any], T]) -> T:
    """What ``made`` makes of the JSON."""
    try:
        text = record.decode("utf-8", "surrogatepass")
        fields, end = _scan(text, 0)
        if end != len(text):
            raise ValueError("more than one value")
        return made(fields)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError, StopIteration, struct.error) as e:
        raise BadRecord(f"not a record of ours ({e}): {record[:80]!r}") from None


def _to_link(url: str, anchor: str, context: str, position: int, nofollow: bool) -> Link:
    are(str, url, anchor, context)
    are(int, position, nofollow)
    return Link(url, anchor, context, position, nofollow)


def to_evidence(parent: str, anchor: str, context: str, position: int, siblings: int) -> Evidence:
    """TypeError where a field is not what it should be."""
    if not type(parent) is type(anchor) is type(context) is str or not type(position) is type(siblings) is int:
        are(str, parent, anchor, context)
        are(int, position, siblings)
    return Evidence(parent, anchor, context, position, siblings)


def are(kind: type, *values: object) -> None:
    """TypeError where one of them is not."""
    for value in values:
        if not isinstance(value, kind) and not (kind is float and isinstance(value, int)):
            raise TypeError(f"{value!r} is no {kind.__name__}")
