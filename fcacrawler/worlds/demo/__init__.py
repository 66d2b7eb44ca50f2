"""The demo web: some 4,700 pages on about a hundred hosts, made from a recipe whenever they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from fcacrawler.worlds import Answer, WorldTopic
from fcacrawler.worlds.demo.atlas import ARTICLE, NATURAL, Atlas, Region, Spot
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.extras import Extras, html, redirect
from fcacrawler.worlds.demo.layout import page, scripted
from fcacrawler.worlds.demo.links import Web
from fcacrawler.worlds.demo.prose import paragraphs, sentences


class DemoWorld:
    """A web that is computed: the same bytes for the same recipe."""

    name = "demo"

    def __init__(self, pages: int = NATURAL, seed: int = 1) -> None:
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

    def clicks(self) -> Iterable[str]:
        return ()

    def close(self) -> None: ...
