"""The demo web: some 4,700 labelled pages on about a hundred hosts, made from a recipe whenever they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol
from urllib.parse import parse_qsl

from fcacrawler.values.errors import BadWorld
from fcacrawler.worlds import Answer, WorldTopic
from fcacrawler.worlds.demo.atlas import NATURAL
from fcacrawler.worlds.demo.searches import HEADER
from fcacrawler.worlds.demo.sports import SportsWeb

FEWEST, MOST = 500, 900_000
RECIPE = ("pages", "seed", "closed")


class Part(Protocol):
    """Some hosts of the demo web, with the pages and topics on them; no two parts share a host or a topic's name."""

    topics: Mapping[str, WorldTopic]

    def answer(self, url: str) -> Answer | None:
        """The answer to GET url; None for other parts' hosts, and where this one's have nothing."""
        ...

    def labels(self) -> Iterator[tuple[str, str]]:
        """URL and label of each labelled page, in a fixed order."""
        ...

    def clicks(self) -> Iterator[str]:
        """Lines of the search log, without its header."""
        ...


class DemoWorld:
    """A web that is computed: the same bytes for the same recipe, on every machine."""

    notes: tuple[str, ...] = ()
    whole = True
    orders: tuple[str, ...] = ()

    def __init__(self, pages: int = NATURAL, seed: int = 1, closed: bool = False) -> None:
        """``closed``: there are the labelled pages and the links among them, and nothing else."""
        recipe = [f"pages={pages}", f"seed={seed}"] if (pages, seed) != (NATURAL, 1) else []
        recipe += ["closed=1"] if closed else []
        self.name = "?".join(filter(None, ("demo", "&".join(recipe))))
        self.sports = SportsWeb(pages, seed, closed)
        self.parts: tuple[Part, ...] = (self.sports,)
        self.topics: Mapping[str, WorldTopic] = {n: t for part in self.parts for n, t in part.topics.items()}

    def answer(self, url: str) -> Answer | None:
        return next((found for part in self.parts if (found := part.answer(url))), None)

    def urls(self) -> Iterator[str]:
        return (url for part in self.parts for url, _ in part.labels())

    def labels(self) -> Iterator[tuple[str, str]]:
        return (pair for part in self.parts for pair in part.labels())

    def relevant(self, topic: str) -> frozenset[str]:
        wanted = self.topics[topic].labels
        return frozenset(url for url, label in self.labels() if label in wanted)

    def clicks(self) -> Iterator[str]:
        yield HEADER
        for part in self.parts:
            yield from part.clicks()

    def close(self) -> None: ...


def demo_world(recipe: str) -> DemoWorld:
    """The demo web of a recipe, written as ``pages=100000&seed=2&closed=1``."""
    wanted = dict(parse_qsl(recipe, keep_blank_values=True))
    odd = [f"{k}={v}" for k, v in wanted.items() if k not in RECIPE or not v.isdecimal()]
    if odd or (recipe and not wanted) or wanted.get("closed", "0") not in ("0", "1"):
        raise BadWorld(
            f"demo?{recipe}: the demo web's recipe is pages=N, seed=N and closed=1, such as demo?pages=100000"
        )
    pages = int(wanted.get("pages", NATURAL))
    if not FEWEST <= pages <= MOST:
        raise BadWorld(f"demo?{recipe}: pages must lie between {FEWEST} and {MOST}")
    return DemoWorld(pages, int(wanted.get("seed", 1)), wanted.get("closed") == "1")
