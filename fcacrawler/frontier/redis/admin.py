"""What an operator asks of a crawl in Redis."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from operator import itemgetter
from typing import Any

from redis.exceptions import RedisError

from fcacrawler.frontier import Entry
from fcacrawler.frontier.redis.cut import names_of
from fcacrawler.frontier.redis.leases import leases_of
from fcacrawler.frontier.redis.log import line_of, load_line
from fcacrawler.frontier.redis.outbox import TOGETHER
from fcacrawler.frontier.redis.records import load_link
from fcacrawler.frontier.redis.server import Argument, Away, Server
from fcacrawler.values.errors import BadRecord, BadStore
from fcacrawler.values.forgetting import Forgotten
from fcacrawler.values.marks import Mark, dump_mark


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except RedisError as e:
        raise BadStore(f"Redis does not answer: {e}") from None


@dataclass(frozen=True, slots=True)
class Worker:
    name: str
    silent: float  # seconds since it was here
    learned: int  # pages of other workers that it has learned from


@dataclass(frozen=True, slots=True)
class Status:
    about: dict[str, str]
    counts: dict[str, int]
    leased: int
    hosts: int  # that have links which wait
    parked: int  # of these, may not be fetched now
    unreached: dict[str, str]  # hosts that could not be reached, and why
    workers: tuple[Worker, ...]


class Admin:
    """One crawl, looked at from outside: all its parts."""

    def __init__(self, url: str, name: str) -> None:
        self.name, self._url = name, url
        self._opened = ExitStack()
        self.common = self._server(name)
        try:
            if not self.common.redis.exists(f"{self.common.prefix}about"):
                raise BadStore(f"there is no crawl {name!r} in this Redis{self._others(self.common)}")
            self.about = _text(self.common.redis.hgetall(f"{self.common.prefix}about"))
        except RedisError as e:
            raise BadStore(f"Redis does not answer: {e}") from None
        for what in ("floor", "fenced"):
            self.about.pop(what, None)
        self.told = self.about.pop("told", "")  # what it says of itself
        self.cut, left = int(self.about.pop("cut", 0)), self.about.pop("left", "")
        self.left = self.servers(*map(int, left.split())) if left else []  # which a cut has left to be wiped away
        self.parts = self.servers(int(self.about.get("crawl.parts", 1)), self.cut)

    def servers(self, parts: int, cut: int) -> list[Server]:
        """Where the parts are, if it was cut into so many, and so often anew."""
        return [self._server(name) for name in names_of(self.name, parts, cut)] if parts > 1 else [self.common]

    def _server(self, name: str) -> Server:
        server = Server(self._url, f"fcacrawler:{{{name}}}:")
        self._opened.callback(server.close)
        return server

    @_told()
    def status(self) -> Status:
        workers, counts, unreached = [], Counter[str](), dict[str, str]()
        heads = parked = 0
        for part in self.parts:
            r, p = part.redis, part.prefix
            seconds, micro = r.time()
            now = seconds + micro / 1e6
            for name, value in _text(r.hgetall(f"{p}workers")).items():
                at, learned, *_ = value.split(" ")
                workers.append(Worker(name, now - int(at) / 1000, int(learned)))
            heads, parked = heads + r.zcard(f"{p}heads"), parked + r.zcard(f"{p}parked")
            counts.update({name: int(n) for name, n in _text(r.hgetall(f"{p}counts")).items()})
            unreached |= _text(r.hgetall(f"{p}unreached"))
        here = tuple(sorted(workers, key=str))
        return Status(self.about, dict(counts), counts["leased"], heads + parked, parked, unreached, here)

    def top(self, n: int) -> Iterator[Entry]:
        found = (entry for part in self.parts for entry in self._entries(part, "list_best", n))
        return islice(sorted(found, key=lambda e: -e.rank), n)

    def dead(self) -> Iterator[Entry]:
        found = (entry for part in self.parts for entry in self._entries(part, "list_dead"))
        return iter(sorted(found, key=lambda e: e.arrival))

    @_told()
    def marks(self) -> list[Mark]:
        """All that users have said of pages, in order. (Every part has them all.)"""
        lines: Any = self.parts[0].redis.lrange(f"{self.parts[0].prefix}marks", 0, -1)
        return [mark for line in lines if (mark := load_line(line_of(line))) is not None]

    def pages(self) -> Iterator[bytes]:
        """The records of the log, in the order in which Redis heard of them, whatever their parts."""
        return (fields.get(b"p", b"") for _, fields in self.log())

    def log(self) -> Iterator[tuple[tuple[int, int], dict[Any, Any]]]:
        """Its entries, each by its moment."""
        return merge(*map(self._log, self.parts), key=itemgetter(0))

    def _log(self, part: Server) -> Iterator[tuple[tuple[int, int], dict[Any, Any]]]:
        last = b"-"
        with _told():
            while entries := _any(part.redis.xrange(f"{part.prefix}log", last, count=TOGETHER)):
                for number, fields in entries:
                    ms, _, nth = number.partition(b"-")
                    yield (int(ms), int(nth)), fields
                last = b"(" + entries[-1][0]

    def links(self) -> Iterator[Entry]:
        """All that wait or are under way."""
        with _told():
            for part in self.parts:
                dead = {place[16:] for place in _any(part.redis.zrange(f"{part.prefix}dead", 0, -1))}
                cursor = -1
                while cursor:
                    cursor, found = _any(part.redis.hscan(f"{part.prefix}records", max(cursor, 0), count=TOGETHER))
                    more = _any(part.redis.hmget(f"{part.prefix}more", list(found))) if found else ()
                    for (key, record), others in zip(found.items(), more, strict=True):
                        if key not in dead:
                            with suppress(BadRecord):
                                yield load_link(key, record, others or b"").entry

    def homes(self) -> list[str]:
        return sorted({home for part in self.parts for home in self._members(part, "homes")})

    def forgotten(self) -> Forgotten:
        return Forgotten({digest for part in self.parts for digest in self._members(part, "forgotten")})

    def _members(self, part: Server, name: str) -> frozenset[str]:
        try:
            return part.members(name)
        except Away as e:
            raise BadStore(f"Redis does not answer: {e}") from None

    def mark(self, marks: Sequence[Mark]) -> None:
        """Every worker hears of it."""
        lines = [dump_mark(mark) for mark in marks]
        for part in self.parts:
            for i in range(0, len(lines), TOGETHER):
                self._answer(part, "mark", *lines[i : i + TOGETHER])

    def clear(self) -> int:
        """Everything of this crawl goes; how many keys there were."""
        cutting = int(self.about.get("cutting", 1))
        return sum(map(wiped, {*self.parts, *self.left, *self.servers(cutting, self.cut + 1), self.common}))

    def close(self) -> None:
        self._opened.close()

    def _entries(self, part: Server, script: str, *arguments: int) -> Iterator[Entry]:
        return (told.entry for told in leases_of(self._answer(part, script, *arguments), lambda key: None))

    def _answer(self, part: Server, script: str, *arguments: Argument) -> Any:
        try:
            (answer,) = part.run([(script, arguments)])
        except Away as e:
            raise BadStore(f"Redis does not answer: {e}") from None
        return answer

    def _others(self, server: Server) -> str:
        found = server.redis.scan_iter(match="fcacrawler:{*}:about", count=1000)
        every = {key.decode("utf-8", "replace").split("{")[1].rpartition("}")[0] for key in found}
        names = sorted({re.sub(r"/\d+(\.\d+)?-\d+$", "", name) for name in every})  # of parts that of the whole
        return f"; there are {', '.join(names)}" if names else ", nor any other"


def wiped(server: Server, spared: Sequence[str] = ()) -> int:
    """How many keys there were, without those that are spared."""
    gone, kept = 0, {f"{server.prefix}{name}".encode() for name in spared}
    for key in server.redis.scan_iter(match=f"{_literal(server.prefix)}*", count=1000):
        gone += 0 if key in kept else server.redis.unlink(key)
    return gone


def _any(answer: Any) -> Any:
    return answer


def _text(mapping: Any) -> dict[str, str]:
    return {k.decode("utf-8", "replace"): v.decode("utf-8", "replace") for k, v in mapping.items()}


def _literal(text: str) -> str:
    """For MATCH.

    >>> _literal("a*[b]?")
    'a\\\\*\\\\[b\\\\]\\\\?'
    """
    return "".join(f"\\{c}" if c in "*?[]\\" else c for c in text)
