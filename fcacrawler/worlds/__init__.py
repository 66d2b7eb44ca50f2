"""A web to crawl offline: the demo web, or the replay of a recorded one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Answer:
    """What a web server would have answered."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    delay: float = 0.0  # seconds that the server takes before it answers


@dataclass(frozen=True, slots=True)
class WorldTopic:
    """A topic that a world knows: what its user would type, where to start, and which labels count as relevant."""

    name: str
    words: str
    seeds: tuple[str, ...]
    labels: frozenset[str]


class World(Protocol):
    """An offline web."""

    name: str
    topics: Mapping[str, WorldTopic]

    def answer(self, url: str) -> Answer | None:
        """The answer to GET url; None where this world has nothing (to be told as 404).

        Redirects, errors and pages that are in no list are answers too: a crawler meets them as on the real web.
        """
        ...

    def urls(self) -> Iterator[str]:
        """The pages of this world, in a fixed order. There may be more behind their links (traps have no end)."""
        ...

    def relevant(self, topic: str) -> frozenset[str]:
        """URLs of the pages labelled relevant to the topic (a name in ``topics``)."""
        ...

    def clicks(self) -> Iterable[str]:
        """The lines of a click log (``user, group, time, query, step, url`` as TSV with a header); empty if none."""
        ...

    def close(self) -> None: ...


def open_world(name: str) -> World:
    """The world of that name: ``demo``, ``demo?pages=100000``, or a folder with a recorded web."""
    from fcacrawler.worlds.demo import DemoWorld

    return DemoWorld()
