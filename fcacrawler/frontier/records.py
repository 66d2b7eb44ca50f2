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
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Sequence
from json.encoder import encode_basestring as _quote
from operator import attrgetter
from typing import Any, TypeVar

from fcacrawler.errors import BadRecord
from fcacrawler.items import Candidate, Evidence, Link, SeenPage

T = TypeVar("T")
PAGE = {"keywords": tuple, "terms": dict, "links": tuple, "evidence": tuple, "depth": int, "simhash": int}  # else str

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False).encode
_scan: Callable[[str, int], tuple[Any, int]] = vars(json.JSONDecoder())["scan_once"]
_link = attrgetter("url", "anchor", "context", "position", "nofollow")
_evidence = attrgetter("parent", "anchor", "context", "position", "siblings")


def dump_candidate(candidate: Candidate) -> bytes:
    """Everything but the key."""
    c = candidate
    evidence = ",".join([_dump_evidence(e, e.parent) for e in c.evidence])
    request = f",{_quote(c.request)}" if c.request else ""
    return _encoded(f"[{_quote(c.url)},{_quote(c.host)},{c.depth},[{evidence}]{request}]")


def load_candidate(key: bytes, record: bytes) -> Candidate:
    def made(url: str, host: str, depth: int, evidence: list[list[Any]], request: str = "") -> Candidate:
        _are(str, url, host, request)
        _are(int, depth)
        return Candidate(key, url, host, depth, tuple(_to_evidence(*e) for e in evidence), request)

    return _read(record, lambda fields: made(*fields))


def dump_lines(candidate: Candidate, generation: int, evidence: Sequence[Evidence]) -> bytes:
    """A record of several lines, to which evidence can be added without reading it: "depth generation", where
    generation counts the changes; the URL, with its host where that cannot be read in it; each piece of evidence,
    whose parent is without the origin where that is the URL's.

    >>> dump_lines(Candidate(b"k", "http://a/", "a", 2), 5, [Evidence("http://a/p", "text", "around", 3, 9)])
    b'2 5\\n["http://a/"]\\n["/p","text","around",3,9]'
    """
    url, host, request = candidate.url, candidate.host, candidate.request
    origin, in_url = _origin(url)
    head = _quote(url)
    if request or host != in_url:
        head += f",{_quote(host)},{_quote(request)}" if request else f",{_quote(host)}"
    lines = [f"{candidate.depth} {generation}\n[{head}]"]
    for e in evidence:
        parent = e.parent[len(origin) :] if e.parent.startswith(origin + "/") else e.parent
        lines.append(_dump_evidence(e, parent))
    return _encoded("\n".join(lines))


def load_lines(key: bytes, record: bytes) -> tuple[Candidate, int]:
    """The candidate and the generation.

    >>> load_lines(b"k", b'2 5\\n["http://a/"]\\n["/p","text","around",3,9]')[0].evidence[0].parent
    'http://a/p'
    """
    numbers, _, lines = record.partition(b"\n")
    depth, _, generation = numbers.partition(b" ")
    if not (depth.isdigit() and generation.isdigit() and lines):
        raise BadRecord(f"not a record of ours: {record[:80]!r}")

    def made(fields: list[Any]) -> Candidate:
        head, *found = fields
        _are(list, head)
        whole: list[Any] = [*head, *(None, "")[len(head) - 1 :]]
        url, host, request = whole
        origin, in_url = _origin(url)
        host = in_url if host is None else host
        _are(str, url, host, request)
        evidence = [_to_evidence(origin + p if p[:1] == "/" else p, a, c, n, of) for p, a, c, n, of in found]
        return Candidate(key, url, host, int(depth), tuple(evidence), request)

    return _read(b"[" + lines.replace(b"\n", b",") + b"]", made), int(generation)


def _origin(url: str) -> tuple[str, str]:
    """Scheme and host, and the host alone."""
    scheme, mark, rest = url.partition("://")
    host = rest.partition("/")[0]
    return scheme + mark + host, host


def dump_page(page: SeenPage) -> bytes:
    """A page as strategies see it, compressed. The weights of its terms are their bits: as digits they would take as
    long as all the rest."""
    fields = {name: getattr(page, name) for name in SeenPage.__slots__}
    fields["terms"] = [list(page.terms), _doubles(page.terms.values())]
    fields["links"] = [_link(e) for e in page.links]
    fields["evidence"] = [_evidence(e) for e in page.evidence]
    return zlib.compress(_encoded(_encode(fields)), 1)


def load_page(record: bytes) -> SeenPage:
    def made(**fields: Any) -> SeenPage:
        for word, weight in fields["keywords"]:
            _are(str, word)
            _are(float, weight)
        words, weights = fields["terms"]
        _are(str, *words)
        fields["terms"] = dict(
            zip(words, struct.unpack(f"<{len(words)}d", b64decode(weights, validate=True)), strict=True)
        )
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


def _doubles(values: Collection[float]) -> str:
    return b64encode(struct.pack(f"<{len(values)}d", *values)).decode()


def _dump_evidence(e: Evidence, parent: str) -> str:
    return f"[{_quote(parent)},{_quote(e.anchor)},{_quote(e.context)},{e.position},{e.siblings}]"


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _read(record: bytes, made: Callable[[Any], T]) -> T:
    try:
        text = record.decode("utf-8", "surrogatepass")
        fields, end = _scan(text, 0)
        if end != len(text):
            raise ValueError("more than one value")
        return made(fields)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError, StopIteration, struct.error) as e:
        raise BadRecord(f"not a record of ours ({e}): {record[:80]!r}") from None


def _to_link(url: str, anchor: str, context: str, position: int, nofollow: bool) -> Link:
    _are(str, url, anchor, context)
    _are(int, position, nofollow)
    return Link(url, anchor, context, position, nofollow)


def _to_evidence(parent: str, anchor: str, context: str, position: int, siblings: int) -> Evidence:
    if not type(parent) is type(anchor) is type(context) is str or not type(position) is type(siblings) is int:
        _are(str, parent, anchor, context)
        _are(int, position, siblings)
    return Evidence(parent, anchor, context, position, siblings)


def _are(kind: type, *values: object) -> None:
    for value in values:
        if not isinstance(value, kind) and not (kind is float and isinstance(value, int)):
            raise TypeError(f"{value!r} is no {kind.__name__}")
