"""The demo web: some 4,700 pages on about a hundred hosts, made from a recipe whenever they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

from fcacrawler.errors import BadWorld
from fcacrawler.worlds import Answer, WorldTopic
from fcacrawler.worlds.demo.atlas import ARTICLE, NATURAL, Atlas, Region, Spot
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.extras import Extras, html, redirect
from fcacrawler.worlds.demo.layout import page, scripted
from fcacrawler.worlds.demo.links import Web
from fcacrawler.worlds.demo.prose import paragraphs, sentences


class DemoWorld:
    """A web that is computed: the same bytes for the same recipe."""

    notes: tuple[str, ...] = ()

    def __init__(self, pages: int = NATURAL, seed: int = 1) -> None:
        self.name = "demo" if (pages, seed) == (NATURAL, 1) else f"demo?pages={pages}&seed={seed}"
        self.atlas = Atlas(pages, seed)
        self.web = Web(self.atlas)
        self.extras = Extras(self.atlas, self.web)
        self.sites = {site.host: site for site in self.atlas.sites}
        self.regions = {r.label.name: r for r in self.atlas.regions}
        self.topics: Mapping[str, WorldTopic] = {
            name: WorldTopic(name, region.label.words, self._seeds(region), frozenset([name]))
            for name, region in self.regions.items()
            if region.label.words
        }

    def _seeds(self, region: Region) -> tuple[str, ...]:
        """Three pages that somebody would start from."""
        spots = [self.atlas.spots[i] for i in region.main]
        able = [s.url for s in spots if s.kind == ARTICLE and not s.scripted]
        return tuple(Dice(self.atlas.seed, 10, region.main.start).some(able, 3))

    def answer(self, url: str) -> Answer | None:
        place = self.atlas.by_url.get(url)
        if place is not None:
            return html(self.html(self.atlas.spots[place]))
        parts = urlsplit(url)
        if parts.hostname == "click.adfarm.test":
            trash = self.atlas.regions[-1].main
            return redirect(self.atlas.spots[trash[Dice(len(url), ord(url[-1])).below(len(trash))]].url)
        site = self.sites.get(parts.hostname or "")
        return self.extras.answer(site, parts) if site else None

    def html(self, spot: Spot) -> str:
        dice = Dice(self.atlas.seed, 11, spot.id)
        texts = list(paragraphs(sentences(self.atlas, spot), dice))
        build = scripted if spot.scripted else page
        return build(spot.site, spot.title, texts, self.web.links(spot), dice)

    def urls(self) -> Iterator[str]:
        return (spot.url for spot in self.atlas.spots)

    def labels(self) -> Iterator[tuple[str, str]]:
        """URL and label of each page."""
        return ((s.url, self.atlas.regions[s.label].label.name) for s in self.atlas.spots)

    def relevant(self, topic: str) -> frozenset[str]:
        return frozenset(self.atlas.spots[i].url for i in self.regions[topic].all)

    def clicks(self) -> Iterator[str]:
        return iter(())

    def close(self) -> None: ...


FEWEST, MOST = 500, 2_000_000


def demo_world(recipe: str) -> DemoWorld:
    """The demo web of a recipe, written as ``pages=100000&seed=2``."""
    wanted = dict(parse_qsl(recipe, keep_blank_values=True))
    odd = [f"{k}={v}" for k, v in wanted.items() if k not in ("pages", "seed") or not v.isdigit()]
    if odd or (recipe and not wanted):
        raise BadWorld(f"demo?{recipe}: the demo web's recipe is pages=N and seed=N, such as demo?pages=100000")
    pages = int(wanted.get("pages", NATURAL))
    if not FEWEST <= pages <= MOST:
        raise BadWorld(f"demo?{recipe}: pages must lie between {FEWEST} and {MOST}")
    return DemoWorld(pages, int(wanted.get("seed", 1)))
