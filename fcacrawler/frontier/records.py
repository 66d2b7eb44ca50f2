"""The frontier's values as compact JSON, for stores that outlive a process. Reading trusts nothing.

>>> record = dump_candidate(Candidate(b"k", "http://a/", "a", 2, (Evidence("http://p/", "text", "around", 3, 9),)))
>>> record
b'["http://a/","a",2,[["http://p/","text","around",3,9]]]'
>>> load_candidate(b"k", record).evidence[0].anchor
'text'
>>> load_candidate(b"k", b'["http://a/","a","2",[]]')
Traceback (most recent call last):
fcacrawler.values.errors.BadRecord: not a record of ours ('2' is no int): b'["http://a/","a","2",[]]'
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from json.encoder import encode_basestring as _quote
from math import isfinite
from typing import Any, TypeVar

from fcacrawler.frontier import Entry
from fcacrawler.values.errors import BadRecord
from fcacrawler.values.links import Candidate, Evidence, Link
from fcacrawler.values.pages import SeenPage

T = TypeVar("T")
Found = tuple[int, tuple[Evidence, ...]]  # links from a seed, and how it was found

LARGEST = 64 << 20  # bytes of a page or item, unpacked: sixteen times the largest body that is read
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


def load_entry(key: bytes, record: bytes, rank: Any, epoch: Any, arrival: int, attempts: Any) -> Entry:
    """A candidate and its place, as they stand in a table."""
    if not (type(rank) is float and isfinite(rank) and type(epoch) is type(attempts) is int):
        raise BadRecord(f"not a place of ours: {(rank, epoch, attempts)!r:.80}")
    return Entry(load_candidate(key, record), rank, epoch, arrival, attempts)


def load_found(record: bytes) -> list[tuple[int, Found]]:
    """What ``dump_found`` wrote."""

    def made(number: int, depth: int, evidence: list[list[Any]]) -> tuple[int, Found]:
        are(int, number, depth)
        return number, (depth, tuple([to_evidence(*e) for e in evidence]))

    return read(record, lambda found: [made(*fields) for fields in found])


def dump_page(page: SeenPage) -> bytes:
    """A page as orders see it, compressed: its numbers as JSON, then its strings as they stand, a NUL before each,
    which has no place in them (as JSON they take three times as long). Weights stand behind that as their bits, which
    no compression makes shorter; as digits they would take as long as all the rest.

    >>> page = SeenPage("http://a/", "A\\0B", "en", 0, (("tea", 0.5),), {"tea": 1.0}, (Link("http://b/", "", "", 0),))
    >>> load_page(dump_page(page)).title, load_page(dump_page(page)).links == page.links
    ('AB', True)
    """
    p = page
    words, weights = _columns(p.keywords, 2)
    links, evidence = _columns(p.links, 7), _columns(p.evidence)
    head = _encode([p.depth, p.simhash, len(words), len(p.terms), *links[3:5], *evidence[3:]])
    about = (head, p.url, p.title, p.language, p.text, p.content_hash, p.canonical)
    strings = list(chain(about, words, p.terms, *links[:3], *links[5:], *evidence[:3]))
    text = "\0".join(strings)
    if text.count("\0") >= len(strings):
        text = "\0".join([string.replace("\0", "") for string in strings])
    numbers = struct.pack(f"<{len(words) + len(p.terms)}d", *weights, *p.terms.values())
    return zlib.compress(encoded(text), 1) + numbers


def load_page(record: bytes) -> SeenPage:
    """
    >>> load_page(zlib.compress(b"[0,0,0,0,[],[],[],[]]" + 7 * b"\\0"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    fcacrawler.values.errors.BadRecord: not a record of ours (more strings than there should be): b'[0,0,0,0,[],...
    """
    unpacked, rest = unpack(record)
    raw, _, strings = unpacked.partition(b"\0")

    def made(depth: int, simhash: int, words: int, terms: int, *lists: list[int]) -> SeenPage:
        are(int, depth, simhash, words, terms)
        positions, nofollow, places, siblings = lists
        left = iter(strings.decode("utf-8", "surrogatepass").split("\0"))
        url, title, language, text, content_hash, canonical = islice(left, 6)
        keywords, stems = tuple(islice(left, words)), tuple(islice(left, terms))
        links = [tuple(islice(left, len(positions))) for _ in range(5)]
        evidence = [tuple(islice(left, len(places))) for _ in range(3)]
        if next(left, None) is not None:
            raise ValueError("more strings than there should be")
        weights = struct.unpack(f"<{words + terms}d", rest)
        return SeenPage(
            url=url,
            title=title,
            language=language,
            depth=depth,
            keywords=tuple(zip(keywords, weights[:words], strict=True)),
            terms=dict(zip(stems, weights[words:], strict=True)),
            links=tuple([_to_link(*row) for row in zip(*links, positions, nofollow, strict=True)]),
            evidence=tuple([to_evidence(*row) for row in zip(*evidence, places, siblings, strict=True)]),
            text=text,
            content_hash=content_hash,
            simhash=simhash,
            canonical=canonical,
        )

    return read(raw, lambda head: made(*head))


def unpack(record: bytes) -> tuple[bytes, bytes]:
    """What is packed in a record, of ``LARGEST`` bytes at most, and what stands behind it."""
    packed = zlib.decompressobj()
    try:
        unpacked = packed.decompress(record, LARGEST)
    except (zlib.error, TypeError) as e:
        raise BadRecord(f"not a page of ours: {e}") from None
    if packed.unconsumed_tail or not packed.eof:
        raise BadRecord(f"not a page of ours: torn, or larger than {LARGEST >> 20} MiB when unpacked")
    return unpacked, packed.unused_data


def _columns(rows: Sequence[tuple[Any, ...]], n: int = 5) -> Sequence[tuple[Any, ...]]:
    return tuple(zip(*rows, strict=True)) or ((),) * n


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
    except (
        ValueError,
        TypeError,
        AttributeError,
        KeyError,
        IndexError,
        OverflowError,
        RecursionError,
        StopIteration,
        struct.error,
    ) as e:
        raise BadRecord(f"not a record of ours ({e}): {record[:80]!r}") from None


def _to_link(url: str, anchor: str, context: str, path: str, language: str, position: int, nofollow: bool) -> Link:
    are(str, url, anchor, context, path, language)
    are(int, position, nofollow)
    return Link(url, anchor, context, position, nofollow, path, language)


def to_evidence(parent: str, anchor: str, context: str, position: int, siblings: int) -> Evidence:
    """TypeError where a field is not what it should be."""
    if not type(parent) is type(anchor) is type(context) is str or not type(position) is type(siblings) is int:
        are(str, parent, anchor, context)
        are(int, position, siblings)
    return Evidence(parent, anchor, context, position, siblings)


def are(kind: type | tuple[type, ...], *values: object) -> None:
    """TypeError where one of them is not."""
    for value in values:
        if not isinstance(value, kind) and not (kind is float and isinstance(value, int)):
            raise TypeError(f"{value!r} is no {getattr(kind, '__name__', kind)}")
