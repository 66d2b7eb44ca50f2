"""What stands in Redis of a link that waits: lines, so that evidence can be added there without reading it.

"epoch attempts depth generation", where generation counts the changes; the URL, with its host where that cannot be
read in it; each piece of evidence, whose parent is without the origin where that is the URL's. Redis puts the arrival
before it, in eight bytes. Reading trusts nothing.

>>> link = Candidate(b"k", "http://a/", "a", 2)
>>> record = dump_link(link, 7, 5, [Evidence("http://a/p", "text", "around", 3, 9)])
>>> record
b'7 0 2 5\\n["http://a/"]\\n["/p","text","around",3,9]'
>>> entry, generation = load_link(b"k", (1).to_bytes(8) + record, 0.5)
>>> entry.candidate.evidence[0].parent, entry.epoch, entry.arrival, generation
('http://a/p', 7, 1, 5)
"""

from __future__ import annotations

from collections.abc import Sequence
from json.encoder import encode_basestring as _quote
from typing import Any

from fcacrawler.frontier import Entry
from fcacrawler.frontier.records import dump_evidence, encoded, read, to_evidence
from fcacrawler.items import Candidate, Evidence


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


def load_link(key: bytes, record: bytes, rank: float) -> tuple[Entry, int]:
    """The entry and the generation."""
    numbers, _, lines = record[8:].partition(b"\n")

    def made(fields: list[Any]) -> tuple[Entry, int]:
        epoch, attempts, depth, generation = map(int, numbers.split(b" "))
        (url, host, request), found = _whole(*fields[0]), fields[1:]
        origin, in_url = _origin(url)
        evidence = tuple([to_evidence(origin + e[0] if e[0][:1] == "/" else e[0], *e[1:]) for e in found])
        candidate = Candidate(key, url, in_url if host is None else host, depth, evidence, request)
        return Entry(candidate, rank, epoch, int.from_bytes(record[:8]), attempts), generation

    return read(b"[" + lines.replace(b"\n", b",") + b"]", made)


def _whole(url: str, host: str | None = None, request: str = "") -> tuple[str, str | None, str]:
    if not type(url) is type(request) is str or (host is not None and type(host) is not str):
        raise TypeError("not a URL, a host and a request")
    return url, host, request


def _origin(url: str) -> tuple[str, str]:
    """Scheme and host, and the host alone."""
    scheme, mark, rest = url.partition("://")
    host = rest.partition("/")[0]
    return scheme + mark + host, host
