"""Who links to whom: from the head of a page to its foot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fcacrawler.worlds.demo.dice import Dice
from tests.webs.shops.catalogue import (
    ARTICLE,
    CATEGORY,
    ESSAY,
    FRONT,
    LISTED,
    PERSON,
    PRODUCT,
    REVIEWS,
    SELLER,
    SERVICE,
    Catalogue,
    Site,
    Spot,
)
from tests.webs.shops.recipe import kinds, read

GUIDES = {"payment": "www.paywell.test", "delivery": "www.parcelswift.test", "terms": "www.fairdeal.test"}
BESIDE = {"book": ("furniture.lighting", "stationery.planners", "furniture.shelving"), "buch": ()}


class Hyperlink(NamedTuple):
    """A link as its page shows it; the zone says where."""

    url: str
    anchor: str
    zone: str  # nav, crumbs, main, also, recent, ads, foot, filter
    rel: str = ""


class Web:
    """The links of every page."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.reviews = {s.shows: s.id for s in catalogue.spots if s.kind == REVIEWS}
        self.essays: dict[int, list[int]] = {}  # book → essays on it
        for s in catalogue.spots:
            if s.kind == ESSAY and s.book is not None:
                self.essays.setdefault(s.book.number, []).append(s.id)

    def links(self, spot: Spot) -> Iterator[Hyperlink]:
        dice = Dice(self.catalogue.seed, 10, spot.id)
        yield from self.nav(spot.site)
        yield from {
            FRONT: self._front,
            CATEGORY: self._category,
            PRODUCT: self._product,
            REVIEWS: self._reviews,
            PERSON: self._person,
            SELLER: self._seller,
            SERVICE: self._service,
            ESSAY: self._essay,
            ARTICLE: self._article,
        }[spot.kind](spot, dice)
        yield from self.around(spot.site, dice)

    def nav(self, site: Site) -> Iterator[Hyperlink]:
        labels = read("speech")[site.language]["labels"]
        yield Hyperlink(site.root, labels["home"], "nav")
        for key, first in site.lists.items():
            yield Hyperlink(self._spot(first).url, kinds()[key].name, "nav")

    def around(self, site: Site, dice: Dice) -> Iterator[Hyperlink]:
        """What stands on every page of a site: looked at lately, advertisements, service."""
        yield from (self.to(i, "recent") for i in dice.some(self._products(site), 3))
        for _ in range(2):
            other = dice.one(self.catalogue.shops)
            target = dice.one(self._products(other)) if dice.chance(0.7) else other.spots[0]
            yield self.to(target, "ads")._replace(rel="sponsored" if dice.chance(0.5) else "")
        for first in site.services.values():
            yield self.to(first, "foot")

    def to(self, spot: int, zone: str) -> Hyperlink:
        here = self._spot(spot)
        return Hyperlink(here.url, here.title, zone)

    def gone(self, site: Site, dice: Dice, zone: str = "also") -> Hyperlink:
        """A product that is sold no more, and whose page says so under status 200."""
        key = dice.one(list(site.kinds))
        product = self._spot(dice.one(site.kinds[key]))
        number = 90_000 + dice.below(10_000)
        return Hyperlink(f"{site.root}gone/{number}", f"{product.title} II", zone)

    def shelf(self, kind: str, site: Site, page: int) -> Sequence[int]:
        """The products on a page of a category."""
        return site.kinds[kind][page * LISTED : (page + 1) * LISTED]

    def _spot(self, spot: int) -> Spot:
        return self.catalogue.spots[spot]

    def _products(self, site: Site) -> Sequence[int]:
        return [p for products in site.kinds.values() for p in products] or site.spots

    def _front(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        site = spot.site
        yield from (self.to(i, "main") for i in dice.some(self._products(site), 14))
        yield from (self.to(i, "also") for i in dice.some(site.sellers, 6))
        yield from (self.to(s.spots[0], "foot") for s in dice.some(self.catalogue.sites, 3) if s is not site)

    def _category(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        assert spot.of is not None
        site, key = spot.site, spot.of.key
        yield from (self.to(i, "main") for i in self.shelf(key, site, spot.shows))
        if dice.chance(0.5):
            yield self.gone(site, dice, "main")
        following = f"{self._spot(site.lists[key]).url}?page={spot.shows + 2}"
        if following in self.catalogue.by_url:
            yield Hyperlink(following, read("speech")[site.language]["labels"]["next"], "main")
        yield from filters(self._spot(site.lists[key]).url, {})

    def _product(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        assert spot.of is not None
        site, key = spot.site, spot.of.key
        yield Hyperlink(self._spot(site.lists[key]).url, spot.of.name, "crumbs")
        if spot.id in self.reviews:
            yield self.to(self.reviews[spot.id], "main")
        if spot.seller >= 0:
            yield self.to(spot.seller, "main")
        if spot.book is not None:
            for name in (spot.book.author, spot.book.publisher):
                if name in site.people:
                    yield Hyperlink(self._spot(site.people[name]).url, name, "main")
            if site.host == "www.heronhouse.test":
                yield from self._shops(spot, "main", 3)
        yield from (self.to(i, "also") for i in dice.some(site.kinds[key], 4) if i != spot.id)
        beside = [k for k in BESIDE.get(spot.label, ()) if k in site.kinds]
        others = [k for k in site.kinds if k != key]
        for k in (*dice.some(beside, 1), *dice.some(others, 2)):
            yield self.to(dice.one(site.kinds[k]), "also")
        if dice.chance(0.15):
            yield self.gone(site, dice)
        yield Hyperlink(f"{site.root}basket?add={spot.id}", self._label(site, "cart"), "main", "nofollow")

    def _shops(self, spot: Spot, zone: str, most: int) -> Iterator[Hyperlink]:
        """Where a book can be bought."""
        assert spot.book is not None
        for product in self.catalogue.sold.get(spot.book.number, ())[:most]:
            if product != spot.id:
                shop = self._spot(product).site.name
                yield Hyperlink(self._spot(product).url, f"{spot.book.title} at {shop}", zone)

    def _reviews(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        assert spot.of is not None
        yield self.to(spot.shows, "crumbs")
        same = [r for p, r in self.reviews.items() if self._spot(p).of is spot.of and self._spot(p).site is spot.site]
        yield from (self.to(i, "also") for i in dice.some(same, 3) if i != spot.id)

    def _person(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        site = spot.site
        for products in site.kinds.values():
            for i in products:
                book = self._spot(i).book
                if book is not None and spot.title in (book.author, book.publisher):
                    yield self.to(i, "main")
                    yield from (self.to(e, "main") for e in self.essays.get(book.number, ())[:1])
        same = [i for i in site.people.values() if self._spot(i).of is spot.of and i != spot.id]
        yield from (self.to(i, "also") for i in dice.some(same, 3))

    def _seller(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        sold = [i for i in self._products(spot.site) if self._spot(i).seller == spot.id]
        yield from (self.to(i, "main") for i in sold)
        yield from (self.to(i, "also") for i in dice.some(spot.site.sellers, 4) if i != spot.id)
        yield self.to(dice.one(self.catalogue.shops).spots[0], "main")

    def _service(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        yield from (self.to(i, "main") for i in spot.site.services.values() if i != spot.id)
        host = GUIDES.get(spot.url.rsplit("/", 1)[-1])
        if host:
            yield from (self.to(i, "main") for i in dice.some(self.catalogue.by_host[host].spots, 2))

    def _essay(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        assert spot.book is not None
        yield from self._shops(spot, "main", 2)
        for site in self.catalogue.shops:
            if spot.book.author in site.people and dice.chance(0.5):
                yield self.to(site.people[spot.book.author], "main")
        here = spot.site.spots
        same = [i for i in here if self._spot(i).of is spot.of and i != spot.id]
        yield from (self.to(i, "also") for i in dice.some(same, 3))
        at = here.index(spot.id)
        yield from (self.to(here[(at + step) % len(here)], "also") for step in (-1, 1))

    def _article(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        yield from (self.to(i, "main") for i in dice.some(spot.site.spots, 6) if i != spot.id)
        yield from (self.to(s.spots[0], "also") for s in dice.some(self.catalogue.shops, 2))

    @staticmethod
    def _label(site: Site, name: str) -> str:
        return str(read("speech")[site.language]["labels"][name])


def filters(path: str, chosen: dict[str, str]) -> Iterator[Hyperlink]:
    """The faceted listing: every choice can be joined by every other, and nobody has seen all combinations."""
    for facet, values in read("speech")["facets"].items():
        if facet in chosen:
            continue
        for value in values:
            query = "&".join(f"{k}={v}" for k, v in {**chosen, facet: value}.items())
            yield Hyperlink(f"{path}?{query}", f"{facet}: {value}", "filter")
