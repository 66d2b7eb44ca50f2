"""The frontier of a crawl that many workers share: all of it in Redis, in scripts that are atomic there.

A worker knows by heart the links that it has found itself, as far as they wait, and ranks those. Whenever it needs
leases it tells Redis all that is new in the same round trip, and hears what others have observed; some leases ahead, so
that one trip serves several pages. Where others are at work each page's links are told at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from time import monotonic

from fcacrawler.frontier import Entry, Sizes, anywhere, finite
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.records import dump_page
from fcacrawler.frontier.redis.joining import PLAINLY, Joining
from fcacrawler.frontier.redis.outbox import TOGETHER, Done, Released
from fcacrawler.frontier.redis.records import dump_rank
from fcacrawler.frontier.redis.server import Server, closed_if_bad
from fcacrawler.frontier.redis.talk import Talk
from fcacrawler.frontier.unreached import Unreached
from fcacrawler.values.errors import BadRecord, BadStore
from fcacrawler.values.forgetting import Forgotten
from fcacrawler.values.links import Candidate
from fcacrawler.values.marks import Mark, dump_mark
from fcacrawler.values.pages import SeenPage

logger = logging.getLogger(__name__)

EARLY = 20  # pages after which a crawl's ranks last long enough for one lease more ahead
REFUSALS = 8  # how often in a row a lease may be given back because its host is not free here


class RedisFrontier:
    """See ``Frontier`` and ``Sharing``. ``add`` answers what waits as far as this worker knows; where others know more,
    ``outdated`` says so after the next round trip. Items are in the workers' feeds."""

    store = None

    def __init__(
        self, url: str, name: str, options: FrontierOptions, crawl: Mapping[str, str], joining: Joining = PLAINLY
    ) -> None:
        """``crawl``: what all workers must have the same, "host budget" and "site budget" (needs ``site_of``)
        included."""
        self.options = options
        self._server = Server(url, f"fcacrawler:{{{name}}}:")
        self.talk = Talk(self._server, options, joining)
        self._known, self._leases = self.talk.known, self.talk.leases
        self._ahead, self._lot = joining.ahead, 1
        self._recorded: dict[bytes, tuple[bytes, bool]] = {}  # page, and whether it is relevant
        self._sizes = Sizes(0, 0, 0, 0, 0)
        self._asked = inf  # the floor of the last question for a lease
        with closed_if_bad(self._server):
            self._server.claim(name, crawl, joining.told)
            self.forgotten = Forgotten(self._server.members("forgotten"))
            self.talk.line.run([("reopen", [])])
            self.talk.trip()

    @property
    def trips(self) -> int:
        """Round trips so far."""
        return self._server.trips

    # -- what is asked of every frontier

    @property
    def shared(self) -> RedisFrontier:
        return self

    @property
    def fetched(self) -> int:
        return self.talk.state.fetched + sum(done.responded for done in self.talk.out.done)

    @property
    def elsewhere(self) -> int:
        return max(0, self.talk.state.leased - len(self._leases) - self.talk.out.ended)

    def quiet(self) -> bool:
        return not self.elsewhere

    def polite(self, delay: Callable[[str], float], at_once: int) -> None:
        self.talk.delay, self.talk.at_once = delay, at_once

    def add(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        self.talk.out.sites |= self.talk.shared.sites(c.host for c in candidates)
        return self._known.add(candidates, self.talk.out)

    def heard(self, candidates: Sequence[Candidate]) -> None:
        self._known.heard(candidates)

    def update(self, ranks: Sequence[tuple[bytes, float]], epoch: int) -> None:
        self.talk.epoch = epoch
        self._known.update([(key, finite(rank)) for key, rank in ranks], epoch, self.talk.out)
        news = len(self.talk.out.news)
        if news >= TOGETHER or (news and self.elsewhere):  # others may have nothing to fetch
            self._give_back_overtaken(anywhere)
            self.talk.trip()

    def lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        leases, talk = self._leases, self.talk
        self._give_back_overtaken(free)
        entry = leases.pick(free, floor)
        if entry is None and (self._may_have_changed(free, floor) or monotonic() >= talk.ask_at):
            self._asked = floor
            wanted = 1 if floor == -inf else self._lot
            self._lot = min(self._ahead, 2 * self._lot, 1 + self.fetched // EARLY)
            for _ in range(REFUSALS):
                held = len(leases.ready)
                if talk.trip(wanted, floor) is None or (entry := leases.pick(free, floor)) is not None:
                    break
                if len(leases.ready) <= held:
                    break
                talk.give_back(leases.refuse(free, self._ahead))
        return entry

    def _give_back_overtaken(self, free: Callable[[str], bool]) -> None:
        """If something was found that is to leave before what was leased ahead: the next is asked for alone."""
        out = self.talk.out
        if out.links_found and self._leases.overtaken(free, self._known.entries(out.keys())):
            self.talk.give_back(self._leases.give_up())
            self._lot = 1

    def _may_have_changed(self, free: Callable[[str], bool], floor: float) -> bool:
        """Is there reason to ask for leases again?"""
        news = self.talk.out.urgent and not self._leases.ready
        return not self._leases.still_refused(free) or news or floor < self._asked

    def best(self, hosts: Callable[[str], bool] = anywhere) -> float | None:
        if self.talk.out:
            self.talk.trip()
        if self.talk.line.away:
            return inf  # whatever may have come from others
        ranks = [lease.entry.rank for lease in self._leases.ready]
        if self.talk.state.best is not None:
            ranks.append(self.talk.state.best)
        return max(ranks, default=None)

    def wait(self) -> float:
        return max(0.0, self.talk.ask_at - monotonic())

    def top(self, n: int) -> list[Entry]:
        return [told.entry for told in self.talk.loaded(self.talk.ask("list_best", n) or ())]

    def at_hand(self, n: int) -> list[Entry]:
        self.talk.give_back(self._leases.give_up())  # lest they leave by ranks that are no longer thought right
        here = self._known.here
        return [here.entries[key] for key in here.heaps.best(n)]

    def outdated(self) -> list[Candidate]:
        outdated, self._known.outdated = self._known.outdated, []
        return [entry.candidate for entry in self._known.entries(dict.fromkeys(outdated))]

    def record(self, key: bytes, page: SeenPage, relevant: bool = False) -> None:
        self._recorded[key] = dump_page(page), relevant

    def done(self, key: bytes, responded: bool = True) -> None:
        self._over(key, responded)

    def drop(self, key: bytes) -> None:
        self._over(key, responded=False, asked=False)

    def _over(self, key: bytes, responded: bool, asked: bool = True) -> None:
        lease = self._leases.take(key)
        page, relevant = self._recorded.pop(key, (b"", False))
        if lease is not None:
            self.talk.out.done.append(Done(key, lease.entry.candidate.host, responded, page, asked, relevant))

    def shut(self, host: str, why: str) -> None:
        self.talk.ask("shut", host, why)

    def unreached(self) -> Mapping[str, Unreached]:
        """None, if Redis cannot tell."""
        with suppress(BadStore, BadRecord):
            told = self.talk.ask("list_unreached") or ()
            return {_text(h): Unreached(_text(w), n) for h, w, n in zip(told[::3], told[1::3], told[2::3], strict=True)}
        return {}

    def release(self, key: bytes, counted: bool = True) -> None:
        self._recorded.pop(key, None)
        lease = self._leases.take(key)
        if lease is not None:
            entry, generation = lease
            self.talk.out.released.append(Released(key, entry.candidate.host, counted))
            attempts = entry.attempts + counted
            if attempts < self.options.attempts:
                self._known.back(Entry(entry.candidate, entry.rank, entry.epoch, entry.arrival, attempts), generation)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.top(2**31))

    def dead(self) -> list[Entry]:
        return sorted(
            (told.entry for told in self.talk.loaded(self.talk.ask("list_dead") or ())), key=lambda e: e.arrival
        )

    def knows(self, key: bytes) -> bool:
        return key in self._known or self.talk.ask("knows", key) == [1]

    def forget(self, key: bytes) -> None:
        self.talk.ask("forget", key)
        self._leases.take(key)
        self._known.forget(key)

    def homes(self, more: Collection[str] = ()) -> Collection[str]:
        """Those that are to be added, if Redis cannot tell."""
        answer = self.talk.ask("add_homes", *more)
        return list(map(_text, answer)) if answer else more

    def sizes(self, floor: float) -> Sizes:
        """As they were last, if Redis cannot tell."""
        with suppress(BadStore, BadRecord):
            if counted := self.talk.ask("count", dump_rank(floor)):
                above, waiting, *ends = counted
                self._sizes = Sizes(above, waiting - above, *ends)
        return self._sizes

    def left_out(self) -> Mapping[str, int]:
        return self.talk.shared.left_out()

    def mark(self, marks: Sequence[Mark]) -> None:
        lines = [dump_mark(mark) for mark in marks]
        for i in range(0, len(lines), TOGETHER):
            if self.talk.ask("mark", *lines[i : i + TOGETHER]) is None:
                raise BadStore("Redis does not answer: what was said is not kept, say it again")

    def observed(self) -> Iterator[SeenPage | Sequence[Mark]]:
        log = self.talk.log
        while log or log.more:
            yield from log.observed()
            if log.more:
                log.more = False  # if Redis does not answer
                self.talk.trip()

    def sync(self) -> None:
        """Redis hears from this worker, and this worker from the others."""
        self.talk.trip()

    def close(self) -> None:
        self.talk.give_back(self._leases.give_up())
        self.talk.line.away_until = -inf
        try:
            if self.talk.trip(0, 0.0, ("leave", [self.talk.worker])) is None:
                logger.error("Redis does not answer: what is under way here is fetched again by others")
        except (BadStore, BadRecord) as e:
            logger.error("what is under way here is fetched again: %s", e)
        finally:
            self._server.close()


def _text(answer: bytes) -> str:
    return answer.decode("utf-8", "surrogatepass")
