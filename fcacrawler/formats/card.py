"""What is known of a harvest as a whole: told beforehand, and counted while it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fcacrawler.formats.choosing import host_of, signals_of

HOSTS = 100_000  # that are counted; more are only counted together
VALUES = 1000  # of licences and signals, likewise
OTHERS = "others"


@dataclass(slots=True)
class Card:
    """``note`` is called for every item that is written."""

    topic: str = ""
    order: str = ""
    gamma: float | None = None
    chosen: str = ""  # how items were chosen, in words
    recordings: tuple[str, ...] = ()  # folders in which the recordings are looked for that items name
    fields: tuple[str, ...] = ()
    part: int = 10_000  # items of one file, where there are several
    left_out: Mapping[str, int] = field(default_factory=dict)
    items: int = 0
    relevant: int = 0
    characters: int = 0
    first: str = ""
    last: str = ""
    hosts: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    signals: Counter[str] = field(default_factory=Counter)

    def noting(self, items: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for item in items:
            self.note(item)
            yield item

    def note(self, item: Mapping[str, Any]) -> None:
        self.items += 1
        self.relevant += bool(item.get("relevant"))
        self.characters += len(str(item.get("text") or ""))
        fetched = str(item.get("fetched_at") or "")
        if fetched:
            self.first = min(self.first or fetched, fetched)
            self.last = max(self.last, fetched)
        self.topic = self.topic or str(item.get("topic") or "")
        _count(self.hosts, host_of(item), HOSTS)
        _count(self.languages, str(item.get("language") or ""), VALUES)
        _count(self.licences, str(item.get("licence") or ""), VALUES)
        for name, said in signals_of(item).items():
            _count(self.signals, f"{name}: {said}"[:200], VALUES)


def _count(counts: Counter[str], name: str, most: int) -> None:
    counts[name if name in counts or len(counts) < most else OTHERS] += 1
