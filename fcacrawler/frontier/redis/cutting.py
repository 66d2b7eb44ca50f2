"""A crawl in Redis is cut anew, into more parts or fewer, while nobody is at work.

All is copied to parts with names of their own, then what is common says in one step that these are the crawl, then the
old ones go. So whenever it is killed the crawl is whole, as it was or as it is to be, and doing it again completes it.
What is done or evicted is known by its key alone: its host is forgotten. So each part that may have it is told; one of
them counts it.

Why so: decision 400.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import gcd
from typing import Any, NamedTuple

from redis.exceptions import RedisError

from fcacrawler.frontier.records import load_page
from fcacrawler.frontier.redis.admin import Admin, wiped
from fcacrawler.frontier.redis.cut import part_of
from fcacrawler.frontier.redis.log import line_of
from fcacrawler.frontier.redis.outbox import TOGETHER
from fcacrawler.frontier.redis.records import load_link
from fcacrawler.frontier.redis.server import Argument, Away, Server
from fcacrawler.values.errors import BadRecord, BadStore

logger = logging.getLogger(__name__)

COMMON = ("about", "granted", "returned")  # what the whole has under the name that one part has alone
HASHES_BY_HOST = ("unreached", "sites", "used", "taken")  # in the last the host is the last word
SETS_BY_HOST = ("busy", "pauses")

HostOf = Callable[[str], str]
Progress = Callable[[int, int], None]


class Cut(NamedTuple):
    links: int  # that wait, or are dead
    pages: int  # of the log
    keys: int  # that are gone


def cut(admin: Admin, parts: int, force: bool, host_of: HostOf, progress: Progress) -> Cut:
    """``force``: though workers are at it; they end then, and what they had under way is fetched again. BadStore: it
    cannot be cut now, and says why."""
    try:
        gone = _swept(admin)
        before = admin.about.pop("cutting", None)
        if parts == len(admin.parts):
            if before is not None:
                gone += _as_it_was(admin, int(before))
            return Cut(0, 0, gone)
        _fence(admin, parts, force)
        if before is not None:
            for server in admin.servers(int(before), admin.cut + 1):
                gone += _wiped(admin, server)
        copy = _Copy(admin, parts, host_of)
        links, pages = copy.all(progress)
        _is_now(admin, parts, copy.fetched)
        return Cut(links, pages, gone + _swept(admin))
    except (RedisError, Away) as error:
        raise BadStore(f"Redis does not answer: {error}. Nothing is lost; do it again") from None


def _swept(admin: Admin) -> int:
    """What an earlier cut has left to be wiped away: how many keys."""
    if not admin.left:
        return 0
    gone = sum(_wiped(admin, server) for server in admin.left)
    admin.common.redis.hdel(f"{admin.common.prefix}about", "left")
    admin.left = []
    return gone


def _wiped(admin: Admin, part: Server) -> int:
    return wiped(part, COMMON if part is admin.common else ())


def _as_it_was(admin: Admin, to: int) -> int:
    """A cut that was killed is taken back."""
    gone = sum(_wiped(admin, server) for server in admin.servers(to, admin.cut + 1))
    for part in admin.parts:
        part.redis.hdel(f"{part.prefix}about", "fenced")
    admin.common.redis.hdel(f"{admin.common.prefix}about", "cutting")
    return gone


def _fence(admin: Admin, parts: int, force: bool) -> None:
    """From here on no worker joins, and none that is there does anything."""
    there = [part for part in admin.parts if not part.redis.hexists(f"{part.prefix}about", "fenced")]
    if not force:
        _nobody_at(admin, [name for part in there for name in _at_work(part)])
    admin.common.redis.hset(f"{admin.common.prefix}about", "cutting", str(parts))
    for part in there:
        (busy,) = part.run([("fence", [int(force)])])
        if busy:
            _as_it_was(admin, parts)
            _nobody_at(admin, busy)


def _at_work(part: Server) -> list[bytes]:
    seconds, micro = part.redis.time()
    found: Any = part.redis.zrangebyscore(f"{part.prefix}deadlines", f"({1000 * seconds + micro // 1000}", "+inf")
    return list(found)


def _nobody_at(admin: Admin, busy: Sequence[bytes]) -> None:
    if busy:
        names = ", ".join(sorted({name.decode("utf-8", "replace") for name in busy}))
        raise BadStore(
            f"workers of {admin.name} are at it: {names}. Stop them (Ctrl-C) and cut then; of those that were killed "
            "FCA_LEASE seconds have to pass. --force cuts nevertheless: they end, and nothing is lost"
        )


def _is_now(admin: Admin, parts: int, fetched: Sequence[int]) -> None:
    """In one step. What parts were granted of the budget is what they have used."""
    about, granted = (f"{admin.common.prefix}{name}" for name in ("about", "granted"))
    with admin.common.redis.pipeline(transaction=True) as step:
        step.delete(granted, f"{admin.common.prefix}returned")
        if parts > 1:
            step.hset(about, "crawl.parts", str(parts))
            step.hset(granted, mapping={str(n): used for n, used in enumerate(fetched)})
        else:
            step.hdel(about, "crawl.parts")
        step.hset(about, mapping={"cut": str(admin.cut + 1), "left": f"{len(admin.parts)} {admin.cut}"})
        step.hdel(about, "cutting")
        step.execute()
    admin.left = admin.parts


class _Copy:
    """From the parts of now to those that are to be."""

    def __init__(self, admin: Admin, parts: int, host_of: HostOf) -> None:
        self._admin, self._old, self._host_of = admin, admin.parts, host_of
        self.new = admin.servers(parts, admin.cut + 1)
        about: dict[Any, Any] = {**admin.about, "cut": str(admin.cut + 1), "crawl.parts": str(parts)}
        for server in self.new:
            _wiped(admin, server)
            if parts > 1:
                server.redis.hset(f"{server.prefix}about", mapping=about)
            else:
                server.redis.hdel(f"{server.prefix}about", "fenced", "floor")
        self._sites: dict[str, str] = {}
        self.fetched = [0] * parts

    def _part(self, host: str) -> int:
        return part_of(self._sites.get(host, host), len(self.new))

    def all(self, progress: Progress) -> tuple[int, int]:
        """How many links and pages."""
        for old in self._old if "crawl.site budget" in self._admin.about else ():
            found = old.redis.hscan_iter(f"{old.prefix}sites", count=TOGETHER)
            self._sites |= {_text(host): _text(site) for host, site in found}
        for old in self._old:
            self._hosts(old)
            self._sayings(old)
        of, links = sum(old.redis.hlen(f"{old.prefix}records") for old in self._old), 0
        for old in self._old:
            for some in _lots(old.redis.hscan_iter(f"{old.prefix}records", count=TOGETHER)):
                links += self._links(old, some)
                progress(min(links, of), of)
        for n, old in enumerate(self._old):
            self._gone(n, old)
        pages = self._pages()
        self._letters()
        self._counts()
        return links, pages

    def _hosts(self, old: Server) -> None:
        """What is known of hosts, and of sites with budgets."""
        for name in HASHES_BY_HOST:
            for some in _lots(old.redis.hscan_iter(f"{old.prefix}{name}", count=TOGETHER)):
                for to, told in self._by_part(some, lambda one: _text(one[0]).rpartition(" ")[2]):
                    to.redis.hset(f"{to.prefix}{name}", mapping=dict(told))
        for name in SETS_BY_HOST:
            for some in _lots(old.redis.zscan_iter(f"{old.prefix}{name}", count=TOGETHER)):
                for to, told in self._by_part(some, lambda one: _text(one[0])):
                    to.redis.zadd(f"{to.prefix}{name}", dict(told))

    def _by_part(self, some: Iterable[Any], host: Callable[[Any], str]) -> Iterator[tuple[Server, list[Any]]]:
        of: dict[int, list[Any]] = defaultdict(list)
        for one in some:
            of[self._part(host(one))].append(one)
        return ((self.new[n], told) for n, told in of.items())

    def _sayings(self, old: Server) -> None:
        """What every part is to know."""
        marks: Any = old.redis.lrange(f"{old.prefix}marks", 0, -1)
        for to in self.new:
            for i in range(0, len(marks), TOGETHER):
                to.run([("mark", [*map(line_of, marks[i : i + TOGETHER])])])
            for name in ("homes", "forgotten"):
                for some in _lots(old.redis.sscan_iter(f"{old.prefix}{name}", count=TOGETHER)):
                    to.redis.sadd(f"{to.prefix}{name}", *some)

    def _links(self, old: Server, some: Sequence[tuple[bytes, bytes]]) -> int:
        further: Any = old.redis.hmget(f"{old.prefix}more", [key for key, _ in some])
        places: Any = [record[:16] + key for key, record in some]
        dead: Any = old.redis.zmscore(f"{old.prefix}dead", places)
        told: list[tuple[str, tuple[Argument, ...]]] = []
        for (key, record), more, score in zip(some, further, dead, strict=True):
            try:
                host = load_link(key, record, more or b"").entry.candidate.host
            except BadRecord as e:
                logger.error("a link in Redis is left out: %s", e)
            else:
                told.append((host, (host, key, record, more or b"", int(score is not None))))
        for to, links in self._by_part(told, lambda one: str(one[0])):
            to.run([("bring", [x for _, link in links for x in link])])
        return len(told)

    def _gone(self, n: int, old: Server) -> None:
        """The first part that may have it counts what is done or evicted."""
        common = gcd(len(self._old), len(self.new))
        first, *others = self.new[n % common :: common]
        for name in ("done", "evicted", "before"):
            for some in _lots(old.redis.sscan_iter(f"{old.prefix}{name}", count=TOGETHER)):
                first.redis.sadd(f"{first.prefix}{name}", *some)
                for other in others:
                    other.redis.sadd(f"{other.prefix}before", *some)

    def _pages(self) -> int:
        """The log, in the order in which it was written; where two parts have the same moment the later one is put
        after it."""
        last = [(0, 0)] * len(self.new)
        pages = 0
        for number, fields in self._admin.log():
            try:
                n = self._part(self._host_of(load_page(fields.get(b"p", b"")).url))
            except BadRecord as e:
                logger.error("a page in Redis is left out: %s", e)
                continue
            last[n] = max(number, (last[n][0], last[n][1] + 1))
            to, pages = self.new[n], pages + 1
            to.redis.xadd(f"{to.prefix}log", fields, id="{}-{}".format(*last[n]))
        return pages

    def _letters(self) -> None:
        """What was on its way to another part goes to where that is now."""
        for old in self._old:
            letters: Any = old.redis.xrange(f"{old.prefix}outbox")
            for _, letter in letters:
                n = self._part(_text(letter[b"h"]))
                self.new[n].redis.xadd(f"{self.new[n].prefix}outbox", letter | {b"t": str(n)})

    def _counts(self) -> None:
        """Those that scripts have not counted."""
        found = [_figures(old) for old in self._old]
        common = gcd(len(self._old), len(self.new))
        for n, counts in enumerate(found):
            self.fetched[n % common] += counts.get("fetched", 0)
        begun = min((counts["begun"] for counts in found if "begun" in counts), default=None)
        for to, fetched in zip(self.new, self.fetched, strict=True):
            told: dict[Any, Any] = {name: to.redis.scard(f"{to.prefix}{name}") for name in ("done", "evicted")}
            told["arrivals"] = max(counts.get("arrivals", 0) for counts in found)  # what comes leaves after these
            told["fetched"] = fetched
            if begun is not None:
                told["begun"] = begun
            if len(self.new) > 1:
                told |= {"granted": fetched, "returned": 0}
            to.redis.hset(f"{to.prefix}counts", mapping=told)


def _figures(part: Server) -> dict[str, int]:
    told: Any = part.redis.hgetall(f"{part.prefix}counts")
    return {_text(name): int(n) for name, n in told.items()}


def _lots(found: Iterable[Any]) -> Iterator[list[Any]]:
    them = iter(found)
    while some := list(islice(them, TOGETHER)):
        yield some


def _text(told: bytes) -> str:
    return told.decode("utf-8", "surrogatepass")
