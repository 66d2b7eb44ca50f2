"""The shop web: some 3,000 labelled pages of seventeen shops and of sites about them, computed when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import SplitResult, parse_qsl, urlsplit
from zlib import crc32

from fcacrawler.worlds import Answer, WorldTopic
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.vocabulary import slug
from tests.webs.shops.catalogue import FRONT, PRODUCT, Catalogue, Site
from tests.webs.shops.pages import Press
from tests.webs.shops.recipe import kinds, read
from tests.webs.shops.web import Web, filters

HTML = (("Content-Type", "text/html; charset=utf-8"),)
ROBOTS = "User-agent: *\nDisallow: /basket\n"
TOPICS = {  # label → what somebody would type
    "book": "book",
    "electronics": "electronics",
    "furniture": "furniture",
    "fashion": "clothing",
    "stationery": "stationery",
    "toys": "toy",
    "payment": "payment",
    "delivery": "delivery",
    "buch": "Buch",
}


class ShopsWorld:
    """A web of shops: the same bytes for the same seed, on every machine.

    Besides its labelled pages it answers for faceted listings, which have no end worth speaking of, and for products
    that are gone, which say so under status 200.
    """

    notes: tuple[str, ...] = ()
    whole = True
    orders: tuple[str, ...] = ()

    def __init__(self, seed: int = 1) -> None:
        self.name = "shops"
        self.catalogue = Catalogue(seed)
        self.web = Web(self.catalogue)
        self.press = Press(self.catalogue)
        self.topics: Mapping[str, WorldTopic] = {
            label: WorldTopic(label, words, self._seeds(label), frozenset([label])) for label, words in TOPICS.items()
        }

    def _seeds(self, label: str) -> tuple[str, ...]:
        """Three pages of different sites, from which few links lead to their like: a crawl has to find its way."""
        spots = self.catalogue.spots
        able = [s for s in spots if s.label == label and s.kind not in (FRONT,) and (s.kind == PRODUCT or not s.of)]
        some = Dice(self.catalogue.seed, 30, crc32(label.encode())).some(able, 24)

        def like(url: str) -> bool:
            return url in self.catalogue.by_url and spots[self.catalogue.by_url[url]].label == label

        some.sort(key=lambda s: sum(like(link.url) for link in self.web.links(s)))
        firsts = {s.site.host: s.url for s in reversed(some)}
        some.sort(key=lambda s: firsts[s.site.host] != s.url)
        return tuple(s.url for s in some)[:3]

    def answer(self, url: str) -> Answer | None:
        place = self.catalogue.by_url.get(url)
        if place is not None:
            spot = self.catalogue.spots[place]
            return _html(self.press.page(spot, self.web.links(spot)))
        parts = urlsplit(url)
        site = self.catalogue.by_host.get(parts.hostname or "")
        return self._unlabelled(site, parts) if site else None

    def _unlabelled(self, site: Site, url: SplitResult) -> Answer | None:
        dice = Dice(self.catalogue.seed, 31, crc32(f"{site.host}{url.path}?{url.query}".encode()))
        if url.path == "/robots.txt":
            return Answer(200, (("Content-Type", "text/plain"),), ROBOTS.encode())
        if url.path.startswith("/gone/") and site.kinds:
            links = [*self.web.nav(site), *self.web.around(site, dice), self.web.gone(site, dice)]
            return _html(self.press.gone(site, links))
        if url.path.startswith("/c/"):
            return self._listing(site, url, dice)
        if url.path == "/basket":
            return _html(self.press.gone(site, self.web.nav(site)))
        return None

    def _listing(self, site: Site, url: SplitResult, dice: Dice) -> Answer | None:
        """A category, filtered and sorted: each filter leaves a third of the products, and soon there are none."""
        key = next((k for k in site.lists if slug(kinds()[k].name) == url.path[3:]), None)
        chosen = dict(parse_qsl(url.query))
        facets = read("speech")["facets"]
        if key is None or any(v not in facets.get(f, ()) for f, v in chosen.items()):
            return None
        path = f"http://{site.host}{url.path}"
        left = 16 // 3 ** len(chosen.keys() - {"sort"})
        links = [*self.web.nav(site), *(self.web.to(i, "main") for i in dice.some(site.kinds[key], left))]
        links += [*filters(path, chosen), *self.web.around(site, dice)]
        title = f"{kinds()[key].name}, {', '.join(f'{f}: {v}' for f, v in chosen.items())}"
        return _html(self.press.listing(site, title, links, path, empty=not left))

    def urls(self) -> Iterator[str]:
        return (spot.url for spot in self.catalogue.spots)

    def labels(self) -> Iterator[tuple[str, str]]:
        return ((spot.url, spot.label) for spot in self.catalogue.spots)

    def relevant(self, topic: str) -> frozenset[str]:
        wanted = self.topics[topic].labels
        return frozenset(url for url, label in self.labels() if label in wanted)

    def clicks(self) -> Iterator[str]:
        return iter(())

    def close(self) -> None: ...


def _html(text: str) -> Answer:
    return Answer(200, HTML, text.encode())
