"""The frontier of a crawl that goes on after a kill: the best in memory, the rest on disk, all of it in one file.

A page and its completion are one transaction, and its links come before or with it: after a kill what was in flight is
fetched again, and the last few pages with it (see ``journal``). Where what waits is: see ``tiers``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path

from fcacrawler.frontier import Entry, Sizes, anywhere
from fcacrawler.frontier.evidence import joined
from fcacrawler.frontier.latest import Latest
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite.forgetting import forgotten_in
from fcacrawler.frontier.sqlite.journal import Journal
from fcacrawler.frontier.sqlite.log import COLD, DEAD, DONE, EVICTED, GONE, HOT, LEASED
from fcacrawler.frontier.sqlite.mark_log import HEARD, MarkLog
from fcacrawler.frontier.sqlite.pages import Pages
from fcacrawler.frontier.sqlite.store import SHUT, damage_told, fact, homes_in, lock, open_store
from fcacrawler.frontier.sqlite.tiers import Tiers
from fcacrawler.frontier.sqlite.urls import Urls
from fcacrawler.frontier.unreached import Shut, Unreached
from fcacrawler.values.links import Candidate
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage


class SqliteFrontier:
    """See ``Frontier`` and ``Store``. In memory: ``hot`` entries (twice as many at most), what is in flight, a mark a
    host."""

    shared = None

    def __init__(
        self, folder: Path, options: FrontierOptions, crawl: Mapping[str, str], told: str = "", hot: int = 10_000
    ) -> None:
        """``crawl`` says which crawl it is, ``told`` is what it says of itself to whoever reads its store."""
        self.options = options
        with ExitStack() as opened:
            self._lock = opened.enter_context(closing(lock(folder)))
            self._db = opened.enter_context(closing(open_store(folder, crawl)))
            with damage_told(self._db):
                self._urls = Urls(self._db)
                self._pages = Pages(self._db)
                self._marks = MarkLog(folder, self._db)
                self.forgotten = forgotten_in(self._db)
                self._pages.last = max(self._pages.last, *(number for number, _ in self._marks.heard), 0)
                self._journal = Journal(self._db, self._urls, self._pages)
                self._tiers = Tiers(self._urls, self._journal, hot)
                self._hot = self._tiers.hot
                self._shut = Shut()
                self._leased: dict[bytes, Entry] = {}
                self._over = Latest(hot)  # done, dead, evicted: that need not be looked up
                self._resume(told)
            opened.pop_all()

    def _resume(self, told: str) -> None:
        self._journal.begin()
        self._counts = Counter({name: int(n) for name, n in fact(self._db, "counts", dict).items()})
        self._counts["dead"] += self._urls.recover(self.options.attempts, self.options.evidence)
        self._db.execute("INSERT OR REPLACE INTO facts VALUES ('told', ?)", (told,))
        self._db.execute(f"DELETE FROM facts WHERE name = '{SHUT}'")  # they are asked again
        self._tiers.recall()
        self._make_room()
        self.commit()

    @property
    def store(self) -> SqliteFrontier:
        return self

    @property
    def fetched(self) -> int:
        return self._counts["fetched"]

    # -- in

    def add(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        self._tiers.exchange(len(candidates))
        self._look_up([c.key for c in candidates])
        waiting: dict[bytes, Candidate] = {}
        for found in candidates:
            entry = self._hot.entries.get(found.key)
            if entry is not None:
                candidate = joined(entry.candidate, found, self.options.evidence)
                if candidate is not entry.candidate:
                    entry = Entry(candidate, entry.rank, entry.epoch, entry.arrival, entry.attempts)
                    self._hot.change(entry)
                    self._journal.grow(entry, found)
                waiting[found.key] = candidate
            elif not self._at_hand(found.key):
                self._counts["arrivals"] += 1
                entry = Entry(found, 0.0, 0, self._counts["arrivals"])
                self._hot.put(entry)
                self._journal.note(entry, HOT)
                waiting[found.key] = found
        return list(waiting.values())

    def update(self, ranks: Sequence[tuple[bytes, float]], epoch: int) -> None:
        self._look_up([key for key, _ in ranks])
        self._journal.note_all(self._hot.rank(ranks, epoch), HOT)
        self._make_room()

    def _look_up(self, keys: Sequence[bytes]) -> None:
        """What of these is in the file only is at hand now, and hot if it was cold; until the next time at least."""
        self._over.forget()
        missing = [key for key in dict.fromkeys(keys) if not self._at_hand(key)]
        found = list(self._urls.found(missing)) if missing else []
        self._tiers.warm([entry for _, _, entry in found if entry is not None])
        for key, state, _ in found:
            if state != COLD:
                self._over.add(key)

    def _at_hand(self, key: bytes) -> bool:
        """It is known, without looking into the file."""
        return key in self._hot.entries or key in self._over or key in self._leased or key in self._journal

    # -- out

    def lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        self.sync()
        entry = self._tiers.take(self._shut.out_of(free), floor)
        if entry is not None:
            self._leased[entry.candidate.key] = entry
            self._journal.note(entry, LEASED)
        return entry

    def best(self, hosts: Callable[[str], bool] = anywhere) -> float | None:
        return self._tiers.best(self._shut.out_of(hosts))

    def top(self, n: int) -> list[Entry]:
        return self._tiers.top(n)

    def record(self, key: bytes, page: SeenPage) -> None:
        if key in self._leased:
            self._pages.record(key, page)

    def keep(self, key: bytes, item: str) -> None:
        if key in self._leased:
            self._pages.keep(key, item)

    def done(self, key: bytes, responded: bool = True) -> None:
        entry = self._leased.pop(key, None)
        if entry is None:
            return
        self._over.add(key)
        self._journal.note(entry, DONE if responded else GONE)
        self._counts.update(done=1, fetched=int(responded))
        self._pages.done(key, entry.arrival)
        self.sync()

    def drop(self, key: bytes) -> None:
        self.done(key, responded=False)

    def shut(self, host: str, why: str) -> None:
        self._shut.why[host] = why
        self._journal.begin()
        self._db.execute(f"INSERT OR REPLACE INTO facts VALUES ('{SHUT}', ?)", (json.dumps(self._shut.why),))

    def unreached(self) -> Mapping[str, Unreached]:
        return self._shut.counted(entry.candidate.host for entry in self) if self._shut.why else {}

    def release(self, key: bytes, counted: bool = True) -> None:
        entry = self._leased.pop(key, None)
        self._pages.drop(key)
        if entry is None:
            return
        entry = entry._replace(attempts=entry.attempts + counted)
        if entry.attempts >= self.options.attempts:
            self._counts["dead"] += 1
            self._journal.note(entry, DEAD)
        else:
            self._hot.put(entry)
            self._journal.note(entry, HOT)
            self._make_room()

    # -- looking

    def dead(self) -> list[Entry]:
        self._journal.settle_all()
        return sorted(self._urls.each(DEAD), key=lambda e: e.arrival)

    def again(self, ranks: Sequence[tuple[bytes, float]]) -> list[bytes]:
        self._journal.settle_all()
        keys = self._urls.again(ranks)
        for key in keys:
            self._over.discard(key)
        self._counts["done"] -= len(keys)
        self._tiers.recall()
        self.commit()
        return keys

    def knows(self, key: bytes) -> bool:
        return self._at_hand(key) or self._urls.knows(key)

    def homes(self, more: Collection[str] = ()) -> Collection[str]:
        known = homes_in(self._db)
        if missing := [host for host in more if host not in known]:
            known += missing
            self._journal.begin()
            self._db.execute("INSERT OR REPLACE INTO facts VALUES ('homes', ?)", (json.dumps(known),))
        return known

    def sizes(self, floor: float) -> Sizes:
        running = self._tiers.above(floor)
        ends = (self._counts[name] for name in ("done", "dead", "evicted"))
        return Sizes(running, len(self._tiers) - running, len(self._leased), *ends)

    def taken(self) -> Mapping[str, int]:
        self._journal.flush()
        return self._urls.responses()

    def observed(self) -> Iterator[SeenPage | Sequence[Mark]]:
        heard = len(self._marks.heard)
        yield from self._marks.among(self._pages.observed(), self._pages.last)
        if len(self._marks.heard) > heard:
            self._journal.begin()
            self._db.execute(f"INSERT OR REPLACE INTO facts VALUES ('{HEARD}', ?)", (json.dumps(self._marks.heard),))
            self.commit()

    def mark(self, marks: Sequence[Mark]) -> None:
        self._marks.add(marks)

    def page(self, key: bytes) -> SeenPage | None:
        self._journal.flush()
        return self._pages.page(key)

    def __iter__(self) -> Iterator[Entry]:
        self._journal.settle_all()
        return chain(list(self._hot), self._urls.each(COLD))

    # -- forgetting

    def forget(self, key: bytes) -> None:
        self._journal.flush()
        self._look_up([key])
        state = self._urls.forget(key)
        if key in self._hot:
            self._hot.take(key)
        self._leased.pop(key, None)
        self._over.discard(key)
        self._pages.drop(key)
        counted = {DONE: "done", GONE: "done", DEAD: "dead", EVICTED: "evicted"}
        if state in counted:
            self._counts[counted[state]] -= 1

    def _make_room(self) -> None:
        size, waiting = self.options.frontier_size, len(self._tiers)
        if size and waiting > size:
            self._counts["evicted"] += len(self._tiers.evict(waiting - (size - size // 10), EVICTED))

    def sync(self) -> None:
        if self._journal.due:
            self.commit()

    def commit(self) -> None:
        """What has happened so far survives a kill."""
        self._journal.commit(self._counts)

    def close(self) -> None:
        """What a file that has failed holds since its last commit is not added to: the crawl goes on from there."""
        try:
            if not self._db.failure:
                self.commit()
        finally:
            self._db.close()
            self._lock.close()
