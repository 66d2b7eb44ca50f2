"""What a worker in Redis knows by heart: the links that it found and that wait, as far as it knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fcacrawler.frontier import Entry
from fcacrawler.frontier.evidence import joined
from fcacrawler.frontier.latest import Latest
from fcacrawler.frontier.redis.outbox import Outbox, Ranked
from fcacrawler.frontier.redis.records import load_link
from fcacrawler.frontier.waiting import Waiting
from fcacrawler.values.links import Candidate

KNOWN = 10_000  # links; twice as many at most


class Known:
    """``here`` are those that wait. A record's generation counts its changes: so Redis sees who knows less than all."""

    def __init__(self, evidence: int) -> None:
        self.here = Waiting()
        self.outdated: list[bytes] = []  # others know more of them, or ranked them knowing less
        self._evidence = evidence
        self._elsewhere = Latest(KNOWN)  # known not to wait: leased by others, done, dead
        self._generations: dict[bytes, int] = {}  # where it is not 1
        self._arrivals = 0

    def __contains__(self, key: bytes) -> bool:
        return key in self.here or key in self._elsewhere

    def entries(self, keys: Iterable[bytes]) -> Iterator[Entry]:
        """Of those that wait."""
        here = self.here.entries
        return (here[key] for key in keys if key in here)

    def generation(self, key: bytes) -> int:
        return self._generations.get(key, 1)

    def add(self, candidates: Sequence[Candidate], out: Outbox) -> list[Candidate]:
        waiting: dict[bytes, Candidate] = {}
        for found in candidates:
            key = found.key
            entry = self.here.entries.get(key)
            if entry is not None:
                waiting[key] = self._again(entry, found, out)
            elif key not in self._elsewhere:
                self._arrivals += 1
                self.here.put(Entry(found, 0.0, 0, self._arrivals))
                out.news[key] = found.evidence
                waiting[key] = found
        return list(waiting.values())

    def _again(self, entry: Entry, found: Candidate, out: Outbox) -> Candidate:
        key = found.key
        candidate = joined(entry.candidate, found, self._evidence)
        if candidate is not entry.candidate:
            self.here.change(Entry(candidate, entry.rank, entry.epoch, entry.arrival, entry.attempts))
            if key in out.news and key not in self._generations:
                out.news[key] = candidate.evidence
            else:
                if key not in out.news:
                    self._generations[key] = self.generation(key) + 1
                more = tuple(e for e in found.evidence if e not in entry.candidate.evidence)
                out.news[key] = out.news.get(key, ()) + more
        return candidate

    def heard(self, candidates: Sequence[Candidate]) -> None:
        """Others have told Redis of these: what they say of links that wait here is known here too, lest their ranks
        be overwritten by ranks that know less."""
        for found in candidates:
            entry = self.here.entries.get(found.key)
            if entry is not None:
                candidate = joined(entry.candidate, found, self._evidence)
                if candidate is not entry.candidate:
                    self.here.change(Entry(candidate, entry.rank, entry.epoch, entry.arrival, entry.attempts))
                    self._generations[found.key] = self.generation(found.key) + 1

    def update(self, ranks: Sequence[tuple[bytes, float]], epoch: int, out: Outbox) -> None:
        here, news = self.here.entries, out.news
        self.here.rank(ranks, epoch)
        for key, rank in ranks:
            if key not in news and key not in self._elsewhere:
                entry = here.get(key)
                out.ranks[key] = Ranked(entry.candidate.host if entry else "", rank, epoch)
        if len(self.here) > 2 * KNOWN:
            for key in self.here.worst(len(self.here) - KNOWN):
                if key not in out.news:
                    self.forget(key)

    def corrected(self, key: bytes, record: bytes = b"", more: bytes = b"") -> None:
        """Others know this of the link; without a record: that it does not wait."""
        entry = self.here.entries.get(key)
        if entry is not None and record:
            now = load_link(key, record, more)
            self._generations[key] = now.generation
            self.here.change(Entry(now.entry.candidate, entry.rank, entry.epoch, entry.arrival, entry.attempts))
            self.outdated.append(key)
        elif entry is not None:
            self.gone(key)

    def tell_again(self, out: Outbox) -> None:
        """Redis may have forgotten what it was told last."""
        self._elsewhere = Latest(KNOWN)
        for key, entry in self.here.entries.items():
            out.news.setdefault(key, entry.candidate.evidence)

    def gone(self, key: bytes) -> None:
        """It does not wait any more."""
        self.forget(key)
        self._elsewhere.add(key)
        self._elsewhere.forget()

    def back(self, entry: Entry, generation: int) -> None:
        """It waits again."""
        self.forget(entry.candidate.key)
        self.here.put(entry)
        if generation != 1:
            self._generations[entry.candidate.key] = generation

    def forget(self, key: bytes) -> None:
        if key in self.here:
            self.here.take(key)
        self._elsewhere.discard(key)
        self._generations.pop(key, None)
