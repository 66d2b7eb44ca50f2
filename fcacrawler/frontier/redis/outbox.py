"""What a worker has to tell Redis at its next round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from math import ceil
from typing import NamedTuple

from fcacrawler.frontier import Entry
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.records import dump_link, dump_rank
from fcacrawler.frontier.redis.server import Argument, Call
from fcacrawler.values.links import Candidate, Evidence

TOGETHER = 500  # links that one script takes: it keeps everyone else waiting


@dataclass(frozen=True, slots=True)
class Done:
    """A fetch that is over."""

    key: bytes
    host: str
    responded: bool
    page: bytes
    asked: bool = True  # False: the host was not
    relevant: bool = False  # the page is


class Ranked(NamedTuple):
    """A new rank."""

    host: str  # "" if it is not known
    rank: float
    epoch: int


class Posted(NamedTuple):
    """A link that another part is to have, with the rank that it has here, and of its evidence what is new."""

    part: int
    candidate: Candidate
    rank: float
    generation: int
    evidence: tuple[Evidence, ...]


class Released(NamedTuple):
    """A lease that is given back unfinished."""

    key: bytes
    host: str
    counted: bool  # as an attempt


@dataclass(slots=True)
class Outbox:
    """Buffered news. What goes ``back`` is told of first, since it may be ranked again; then ``links``, and their
    parent's end among the ``leases``: a kill in between loses nothing."""

    news: dict[bytes, tuple[Evidence, ...]] = field(default_factory=dict)  # of links found: what Redis does not have
    ranks: dict[bytes, Ranked] = field(default_factory=dict)
    done: list[Done] = field(default_factory=list)
    released: list[Released] = field(default_factory=list)
    sites: dict[str, str] = field(default_factory=dict)  # by host
    unused: list[bytes] = field(default_factory=list)  # leases of which nothing came: they do not count as attempts
    posts: dict[bytes, Posted] = field(default_factory=dict)  # of links found
    delivered: list[bytes] = field(default_factory=list)  # which posts other parts have

    def __bool__(self) -> bool:
        return bool(self.urgent or self.unused)

    @property
    def pressing(self) -> bool:
        """More than ranks."""
        return bool(self.news or self.ended or self.posts or self.delivered)

    @property
    def ended(self) -> int:
        """Leases."""
        return len(self.done) + len(self.released) + len(self.unused)

    @property
    def links_found(self) -> bool:
        return bool(self.news or self.ranks)

    def keys(self) -> Iterator[bytes]:
        """Of links found or ranked, which the leases at hand were not held against."""
        yield from self.news
        yield from self.ranks

    @property
    def urgent(self) -> bool:
        """Something that may make more links leave."""
        return bool(self.news or self.ranks or self.done or self.released or self.posts or self.delivered)

    def back(self, worker: str) -> Iterator[Call]:
        """Leases that wait again."""
        if self.unused:
            yield "release", [worker, 1, 0, *(x for key in self.unused for x in (key, 0))]

    def links(
        self, options: FrontierOptions, waiting: Mapping[bytes, Entry], generation: Callable[[bytes], int]
    ) -> Iterator[Call]:
        """What there is to tell of those that wait."""
        if self.sites:
            yield "name_sites", [x for pair in self.sites.items() for x in pair]
        news = [(key, evidence) for key, evidence in self.news.items() if key in waiting]  # not leased meanwhile
        for i in range(0, len(news), TOGETHER):
            some = news[i : i + TOGETHER]
            yield "push", [options.evidence, *chain.from_iterable(_push(waiting[k], generation(k), e) for k, e in some)]
        yield from self.changes()
        posts = list(self.posts.values())
        for i in range(0, len(posts), TOGETHER):
            yield "post", list(chain.from_iterable(map(_post, posts[i : i + TOGETHER])))
        for i in range(0, len(self.delivered), TOGETHER):
            yield "delivered", self.delivered[i : i + TOGETHER]

    def changes(self) -> Iterator[Call]:
        """Of ranks, host by host."""
        changes: dict[tuple[str, int], list[bytes]] = {}
        for key, ranked in self.ranks.items():
            changes.setdefault((ranked.host, ranked.epoch), []).append(dump_rank(ranked.rank) + key)
        told: list[Argument] = []
        for (host, epoch), changed in changes.items():
            for i in range(0, len(changed), TOGETHER):
                here = changed[i : i + TOGETHER]
                told += (host, epoch, len(here), *here)
                if len(told) >= TOGETHER:
                    yield "rank", told
                    told = []
        if told:
            yield "rank", told

    def leases(self, worker: str, options: FrontierOptions, delay: Callable[[str], float]) -> Iterator[Call]:
        """What has become of leases. ``delay``: how many seconds a host is to be left alone after a fetch."""

        def pause(host: str) -> int:
            return ceil(1000 * seconds) + 1 if (seconds := delay(host)) else 0  # Redis's clock counts whole ones

        for counted in (True, False):
            told = [x for r in self.released if r.counted is counted for x in (r.key, pause(r.host))]
            if told:
                yield "release", [worker, options.attempts, int(counted), *told]
        if self.done:
            over = (_over(d, pause(d.host) if d.asked else 0) for d in self.done)
            yield "done", [worker, options.shared_pages, *(x for fields in over for x in fields)]


def _over(d: Done, pause: int) -> tuple[Argument, ...]:
    return d.key, d.host, int(d.responded), pause, d.page, int(d.relevant)


def _post(posted: Posted) -> tuple[Argument, ...]:
    """Ranked by what is known elsewhere: epoch 0, so that whoever leases it ranks it anew."""
    c = posted.candidate
    return posted.part, c.key, c.host, dump_rank(posted.rank), dump_link(c, 0, posted.generation, posted.evidence)


def _push(entry: Entry, generation: int, evidence: tuple[Evidence, ...]) -> tuple[Argument, ...]:
    c = entry.candidate
    return c.key, c.host, dump_rank(entry.rank), dump_link(c, entry.epoch, generation, evidence)
