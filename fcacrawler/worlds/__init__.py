"""A web to crawl offline: the demo web, or the replay of a recorded one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fcacrawler.values.errors import BadWorld
from fcacrawler.values.names import nearest


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
    notes: tuple[str, ...]
    """What its user should know: what is missing, or damaged, or does not fit together."""
    whole: bool
    """Whether what it does not have is not there. Of a recording nobody knows what is behind links that lead out."""
    orders: tuple[str, ...]
    """The orders of the crawls that recorded it, which found what the others are held against; none where nobody knows,
    and of a web that was made."""

    def answer(self, url: str) -> Answer | None:
        """The answer to GET url, its body decoded; None where this world has nothing (to be told as 404).

        Redirects, errors and pages that are in no list are answers too: a crawler meets them as on the real web.
        """
        ...

    def urls(self) -> Iterator[str]:
        """The pages of this world, in a fixed order. There may be more behind their links (traps have no end)."""
        ...

    def labels(self) -> Iterator[tuple[str, str]]:
        """URL and label of each labelled page, in a fixed order; a page may come with several labels."""
        ...

    def relevant(self, topic: str) -> frozenset[str]:
        """URLs of the pages labelled relevant to the topic (a name in ``topics``)."""
        ...

    def clicks(self) -> Iterator[str]:
        """The lines of a click log (``user, group, time, query, step, url`` as TSV with a header; a recorded world
        may lack the group); empty if there is none."""
        ...

    def close(self) -> None: ...


Progress = Callable[[int, int], None]  # how much has been read, of how much


def _demo(recipe: str) -> World:
    from fcacrawler.worlds.demo import demo_world

    return demo_world(recipe)


COMPUTED: dict[str, Callable[[str], World]] = {"demo": _demo}  # worlds made from a recipe, by name


def open_world(name: str, progress: Progress | None = None) -> World:
    """The world of that name: ``demo``, ``demo?pages=100000``, or the path of a recorded one.

    ``progress`` hears how far the indexing of a recorded world has got, which happens once. Raises ``BadWorld``.
    """
    kind, _, recipe = name.partition("?")
    if kind in COMPUTED:
        return COMPUTED[kind](recipe)
    from fcacrawler.worlds.replay import RecordedWorld

    if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):
        raise BadWorld(f"the world {name} is neither a folder nor a file: name one with WARC files")

    return RecordedWorld(Path(name), progress)


def unchanged(answer: Answer, etag: str | None, since: str | None) -> bool:
    """Whether a client that has a copy with this ETag, or of this date, may keep it (If-None-Match,
    If-Modified-Since; the first one counts if there are both).

    >>> page = Answer(200, (("ETag", '"1"'), ("Last-Modified", "Tue, 01 Jan 2030 00:00:00 GMT")), b"")
    >>> unchanged(page, '"0", "1"', None), unchanged(page, '"0"', "Tue, 01 Jan 2030 00:00:00 GMT")
    (True, False)
    """
    headers = {name.lower(): value for name, value in answer.headers}
    if answer.status != 200:
        return False
    if etag is not None:
        return headers.get("etag") in [tag.strip().removeprefix("W/") for tag in etag.split(",")]
    return since is not None and since == headers.get("last-modified")


def favours(orders: Sequence[str]) -> str:
    """What is to be said of a web that crawls of these orders have recorded.

    >>> favours(["shark", "bfs"])
    'recorded by crawls of the orders shark, bfs: what only others would have fetched is missing, which favours these'
    """
    if not orders:
        return ""
    these = f"orders {', '.join(orders)}" if len(orders) > 1 else f"order {orders[0]}"
    plural = "these" if len(orders) > 1 else "it"
    return f"recorded by crawls of the {these}: what only others would have fetched is missing, which favours {plural}"


def find_topic(world: World, name: str) -> WorldTopic:
    """The world's topic of that name; raises ``BadWorld`` with the nearest names."""
    if name in world.topics:
        return world.topics[name]
    if not world.topics:
        raise BadWorld(f"the world {world.name} knows no topics: it has neither topics.toml nor labels.tsv")
    raise BadWorld(f"the world {world.name} has no topic {name!r}{nearest(name, world.topics)}")
