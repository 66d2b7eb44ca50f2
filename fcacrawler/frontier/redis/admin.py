"""What an operator asks of a crawl in Redis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from redis.exceptions import RedisError

from fcacrawler.frontier import Entry
from fcacrawler.frontier.redis.leases import leases_of
from fcacrawler.frontier.redis.log import load_line
from fcacrawler.frontier.redis.outbox import TOGETHER
from fcacrawler.frontier.redis.server import Argument, Away, Server
from fcacrawler.values.errors import BadStore
from fcacrawler.values.marks import Mark, dump_mark


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
    """One crawl, looked at from outside."""

    def __init__(self, url: str, name: str) -> None:
        self.name = name
        self.prefix = f"fcacrawler:{{{name}}}:"
        self.server = Server(url, self.prefix)
        try:
            if not self.server.redis.exists(f"{self.prefix}about"):
                raise BadStore(f"there is no crawl {name!r} in this Redis{self._others()}")
        except RedisError as e:
            raise BadStore(f"Redis does not answer: {e}") from None

    def status(self) -> Status:
        r, p = self.server.redis, self.prefix
        seconds, micro = r.time()
        now = seconds + micro / 1e6
        workers = []
        for name, value in _text(r.hgetall(f"{p}workers")).items():
            at, learned, *_ = value.split(" ")
            workers.append(Worker(name, now - int(at) / 1000, int(learned)))
        heads, parked = r.zcard(f"{p}heads"), r.zcard(f"{p}parked")
        counts = {name: int(n) for name, n in _text(r.hgetall(f"{p}counts")).items()}
        about = _text(r.hgetall(f"{p}about"))
        about.pop("floor", None)
        unreached = _text(r.hgetall(f"{p}unreached"))
        leased, here = counts.get("leased", 0), tuple(sorted(workers, key=str))
        return Status(about, counts, leased, heads + parked, parked, unreached, here)

    def top(self, n: int) -> Iterator[Entry]:
        return self._entries("list_best", n)

    def dead(self) -> Iterator[Entry]:
        return iter(sorted(self._entries("list_dead"), key=lambda e: e.arrival))

    def marks(self) -> list[Mark]:
        """All that users have said of pages, in order."""
        lines: Any = self.server.redis.lrange(f"{self.prefix}marks", 0, -1)
        return [mark for line in lines if (mark := load_line(line)) is not None]

    def mark(self, marks: Sequence[Mark]) -> None:
        """Every worker hears of it."""
        lines = [dump_mark(mark) for mark in marks]
        for i in range(0, len(lines), TOGETHER):
            self._answer("mark", *lines[i : i + TOGETHER])

    def clear(self) -> int:
        """Everything of this crawl goes; how many keys there were."""
        r, gone = self.server.redis, 0
        for key in r.scan_iter(match=f"{_literal(self.prefix)}*", count=1000):
            gone += r.unlink(key)
        return gone

    def close(self) -> None:
        self.server.close()

    def _entries(self, script: str, *arguments: int) -> Iterator[Entry]:
        return (told.entry for told in leases_of(self._answer(script, *arguments), lambda key: None))

    def _answer(self, script: str, *arguments: Argument) -> Any:
        try:
            (answer,) = self.server.run([(script, arguments)])
        except Away as e:
            raise BadStore(f"Redis does not answer: {e}") from None
        return answer

    def _others(self) -> str:
        found = self.server.redis.scan_iter(match="fcacrawler:{*}:about", count=1000)
        names = sorted(key.decode("utf-8", "replace").split("{")[1].rpartition("}")[0] for key in found)
        return f"; there are {', '.join(names)}" if names else ", nor any other"


def _text(mapping: Any) -> dict[str, str]:
    return {k.decode("utf-8", "replace"): v.decode("utf-8", "replace") for k, v in mapping.items()}


def _literal(text: str) -> str:
    """For MATCH.

    >>> _literal("a*[b]?")
    'a\\\\*\\\\[b\\\\]\\\\?'
    """
    return "".join(f"\\{c}" if c in "*?[]\\" else c for c in text)
