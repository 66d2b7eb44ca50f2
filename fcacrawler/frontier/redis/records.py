"""What stands in Redis of a link that waits: lines, so that evidence can be added there without reading it; all after
the first piece of it in a place of its own, so that the rest is short.

"epoch attempts depth generation", where generation counts the changes; the URL, with its host where that cannot be
read in it; each piece of evidence, whose parent is without the origin where that is the URL's. Redis puts the place
before it: rank and arrival, eight bytes each. Reading trusts nothing.

>>> link = Candidate(b"k", "http://a/", "a", 2)
>>> record = dump_link(link, 7, 5, [Evidence("http://a/p", "text", "around", 3, 9)])
>>> record
b'7 0 2 5\\n["http://a/"]\\n["/p","text","around",3,9]'
>>> entry, generation = load_link(b"k", dump_rank(0.3) + (1).to_bytes(8) + record)
>>> entry.candidate.evidence[0].parent, entry.rank, entry.epoch, entry.arrival, generation
('http://a/p', 0.3, 7, 1, 5)
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from json.encoder import encode_basestring as _quote
from typing import Any, NamedTuple

from fcacrawler.frontier import Entry
from fcacrawler.frontier.records import dump_evidence, encoded, read, to_evidence
from fcacrawler.values.errors import BadRecord
from fcacrawler.values.links import Candidate, Evidence

_double, _signed, _unsigned = struct.Struct(">d"), struct.Struct(">q"), struct.Struct(">Q")


def dump_link(candidate: Candidate, epoch: int, generation: int, evidence: Sequence[Evidence]) -> bytes:
    """Of a link that has not been leased yet."""
    url, host, request = candidate.url, candidate.host, candidate.request
    origin, in_url = _origin(url)
    head = _quote(url)
    if request or host != in_url:
        head += f",{_quote(host)},{_quote(request)}" if request else f",{_quote(host)}"
    lines = [f"{epoch} 0 {candidate.depth} {generation}\n[{head}]"]
    for e in evidence:
        parent = e.parent[len(origin) :] if e.parent.startswith(origin + "/") else e.parent
        lines.append(dump_evidence(e, parent))
    return encoded("\n".join(lines))


class Told(NamedTuple):
    """A link as it stands in Redis."""

    entry: Entry
    generation: int  # counts the changes of its record


def load_link(key: bytes, record: bytes, more: bytes = b"") -> Told:
    """``more``: further links to it, as they stand in Redis."""
    numbers, _, lines = record[16:].partition(b"\n")
    try:
        epoch, attempts, depth, generation = map(int, numbers.split(b" "))
        rank, arrival = load_rank(record[:8]), int.from_bytes(record[8:16])
    except (ValueError, struct.error) as e:
        raise BadRecord(f"not a record of ours ({e}): {record[:80]!r}") from None

    def made(fields: list[Any]) -> Candidate:
        (url, host, request), found = _whole(*fields[0]), fields[1:]
        origin, in_url = _origin(url)
        evidence = tuple([to_evidence(origin + e[0] if e[0][:1] == "/" else e[0], *e[1:]) for e in found])
        return Candidate(key, url, in_url if host is None else host, depth, evidence, request)

    candidate = read(b"[" + (lines + more[:-1]).replace(b"\n", b",") + b"]", made)
    return Told(Entry(candidate, rank, epoch, arrival, attempts), generation)


def dump_rank(rank: float) -> bytes:
    """Eight bytes; those of a higher rank come first when sorted.

    >>> sorted([-1.0, 0.5, 0.0, 1.0, 1 / 3], key=dump_rank)
    [1.0, 0.5, 0.3333333333333333, 0.0, -1.0]
    """
    (bits,) = _signed.unpack(_double.pack(0.0 - rank))
    return _unsigned.pack(bits + 2**63 if bits >= 0 else ~bits)


def load_rank(rank: bytes) -> float:
    """
    >>> load_rank(dump_rank(1 / 3)) == 1 / 3, load_rank(dump_rank(-2.0))
    (True, -2.0)
    """
    (bits,) = _unsigned.unpack(rank)
    (negative,) = _double.unpack(_signed.pack(bits - 2**63 if bits >= 2**63 else ~bits))
    return 0.0 - float(negative)


def _whole(url: str, host: str | None = None, request: str = "") -> tuple[str, str | None, str]:
    if not type(url) is type(request) is str or (host is not None and type(host) is not str):
        raise TypeError("not a URL, a host and a request")
    return url, host, request


def _origin(url: str) -> tuple[str, str]:
    """Scheme and host, and the host alone."""
    scheme, mark, rest = url.partition("://")
    host = rest.partition("/")[0]
    return scheme + mark + host, host
