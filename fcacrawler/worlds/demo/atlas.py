"""Which pages there are: each with its label, its part of the label, its site, its title and its URL.

    label ─► fronts of its own sites │ blocks (sub-topics) ─► clusters of about a dozen pages │ islands

A cluster stands on one site. An island is a small site of its own that no other page of its label links to: it can
only be reached over a page about something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.sites import Site, found_sites
from fcacrawler.worlds.demo.speech import Palette, fill, palette
from fcacrawler.worlds.demo.vocabulary import Block, Label, grammar, labels, slug

CLUSTER = 12
_NUMBER = re.compile(r"(?<=[/=-])[0-9]{1,7}(?![0-9])")
BEYOND = 1_000_000  # unlabelled pages
_PRIME, _FACTOR = 9_999_991, 3_874_205  # scatter the numbers that stand in URLs
NATURAL = 4737  # the table's sum
FRONT, SECTION, HEAD, HUB, ARTICLE = "front", "section", "head", "hub", "article"


@dataclass(slots=True)
class Spot:
    """A page's place."""

    id: int
    label: int
    block: int
    cluster: range  # the ids that stand together, its own among them
    kind: str
    site: Site
    title: str = ""
    url: str = ""
    scripted: bool = False  # its text and links are built by JavaScript
    source: int = -1  # the page whose text this one carries: its own, or a copy of another's


@dataclass(slots=True)
class Region:
    """The ids of one label's pages, in parts."""

    label: Label
    fronts: range
    blocks: list[range] = field(default_factory=list)  # empty ones too, so that they count as the label's blocks do
    heads: list[list[int]] = field(default_factory=list)  # the first page of each cluster, by block
    islands: list[range] = field(default_factory=list)
    main: range = range(0)  # all but the islands

    @property
    def all(self) -> range:
        return range(self.fronts.start, self.islands[-1].stop if self.islands else self.main.stop)


def shares(total: int, weights: Sequence[int]) -> list[int]:
    """Whole parts of a total in proportion to the weights (largest remainder; ties to the first).

    >>> shares(10, [1, 1, 1]), shares(4737, [475, 4262])
    ([4, 3, 3], [475, 4262])
    """
    whole = sum(weights)
    parts = [total * w // whole for w in weights]
    rests = sorted(range(len(weights)), key=lambda i: (-(total * weights[i] % whole), i))
    for i in rests[: total - sum(parts)]:
        parts[i] += 1
    return parts


class Atlas:
    """All places of a world of ``pages`` pages."""

    def __init__(self, pages: int, seed: int) -> None:
        self.seed = seed
        self.labels = labels()
        self.sizes = shares(pages, [label.size for label in self.labels])
        self.sites, self.own = found_sites(self.labels, self.sizes, seed)
        self.spots: list[Spot] = []
        self.regions = [self._region(i) for i in range(len(self.labels))]
        self.named = {region.label.name: region for region in self.regions}
        self.by_url: dict[str, int] = {}
        self.on_site: dict[str, list[int]] = {host: [] for host in self.sites}
        for spot in self.spots:
            self._name(spot)
        self._open = [s for s in self.sites.values() if s.kind not in ("island", "spam", "lore")]

    def spot(self, place: int) -> Spot:
        """The page at a place: a labelled one, or one of the million beyond them that nobody has labelled."""
        return self.spots[place] if place < len(self.spots) else self._unlabelled(place)

    def _unlabelled(self, place: int) -> Spot:
        dice = Dice(self.seed, 20, place)
        others = len(self.labels) - 2
        block = dice.below(len(self.labels[others].blocks))
        site = self._open[place % len(self._open)]
        spot = Spot(place, others, block, range(place, place + 1), ARTICLE, site, source=place)
        spot.title = _title(spot, self.block(spot), self.palette(spot))
        spot.url = _url(spot, self.block(spot), dice)
        return spot

    def found(self, url: str) -> Spot | None:
        """The page of that URL."""
        place = self.by_url.get(url)
        if place is not None:
            return self.spots[place]
        spots = (self.spot(_place(int(number))) for number in _NUMBER.findall(url) if _place(int(number)) < BEYOND)
        return next((spot for spot in spots if spot.url == url), None)

    def on_same_site(self, site: Site, dice: Dice) -> int:
        """Some page of the site; some of them are unlabelled."""
        here = self.on_site[site.host]
        if site in self._open and dice.chance(0.12 if site.kind == "own" else 0.35):
            step = len(self._open)
            first = len(self.spots) // step + 1
            return self._open.index(site) + step * (first + dice.below(BEYOND // step - first))
        return here[dice.below(len(here))]

    def beyond(self, dice: Dice) -> int:
        """Some unlabelled page."""
        return len(self.spots) + dice.below(BEYOND - len(self.spots))

    def _region(self, label: int) -> Region:
        size, own = self.sizes[label], self.own[label]
        region = Region(self.labels[label], range(len(self.spots), len(self.spots) + len(own.fronts)))
        for site in own.fronts:
            self._place(label, site.block, range(len(self.spots), len(self.spots) + 1), site, FRONT)
        ashore = size - len(own.fronts) - sum(own.islands.values())
        for b, n in enumerate(shares(ashore, [12 // (k + 2) + 2 for k in range(len(region.label.blocks))])):
            region.blocks.append(range(len(self.spots), len(self.spots) + n))
            region.heads.append(self._clusters(label, b, region.blocks[b]))
        region.main = range(region.fronts.start, len(self.spots))
        for site, n in own.islands.items():
            region.islands.append(range(len(self.spots), len(self.spots) + n))
            self._place(label, site.block, region.islands[-1], site, FRONT)
        return region

    def _clusters(self, label: int, block: int, pages: range) -> list[int]:
        """Place a block's pages, a cluster at a time; answer where each cluster begins."""
        together = min(CLUSTER, max(4, self.sizes[label] // 12))
        heads = list(pages[::together])
        for first in heads:
            dice = Dice(self.seed, 1, first)
            site = self.own[label].choose(dice, block)
            scripted = self.sizes[label] >= 90 and first != pages.start and dice.chance(0.065)
            kind = HEAD if first != pages.start else SECTION
            self._place(label, block, range(first, min(first + together, pages.stop)), site, kind, scripted)
        return heads

    def _place(self, label: int, block: int, cluster: range, site: Site, first: str, scripted: bool = False) -> None:
        for i in cluster:
            kind = first if i == cluster.start else ARTICLE
            self.spots.append(Spot(i, label, block, cluster, kind, site, scripted=scripted))

    def _name(self, spot: Spot) -> None:
        """Its title and its URL, which nobody else has."""
        dice = Dice(self.seed, 2, spot.id)
        spot.source = spot.id
        if spot.kind == ARTICLE and not spot.scripted:
            if dice.chance(0.02):
                spot.kind = HUB
            elif dice.chance(0.04):
                spot.source = self._copied(spot, dice)
        block, words = self.block(spot), self.palette(spot)
        spot.title = _title(spot, block, words)
        spot.url = _url(spot, block, dice)
        if spot.url in self.by_url:
            spot.url += f"-{spot.id}"
        self.by_url[spot.url] = spot.id
        self.on_site[spot.site.host].append(spot.id)

    def _copied(self, spot: Spot, dice: Dice) -> int:
        """An earlier article of the same block on another site, if chance finds one."""
        block = self.regions[spot.label].blocks[spot.block]
        if spot.id in block and spot.id > block.start:
            other = self.spots[block.start + dice.below(spot.id - block.start)]
            if other.kind == ARTICLE and other.site != spot.site and not other.scripted and other.source == other.id:
                return other.id
        return spot.id

    def block(self, spot: Spot) -> Block:
        """What the page is about."""
        return self.labels[spot.label].blocks[spot.block]

    def palette(self, spot: Spot) -> Palette:
        """The words that the page uses; some pages about other things borrow those of a sport."""
        dice = Dice(self.seed, 13, spot.source)
        words = palette(self.block(spot), dice)
        if self.regions[spot.label].label.words or not dice.chance(0.08):
            return words
        sport = palette(dice.one(self.labels[dice.below(len(self.labels) - 2)].blocks), dice)
        return {**words, "N": sport["N"], "T": sport["T"], "L": sport["L"]}


def _number(place: int) -> int:
    """What stands for a place in URLs."""
    return place * _FACTOR % _PRIME


def _place(number: int) -> int:
    """The place that a number stands for.

    >>> [_place(_number(place)) for place in (0, 1, 4736, 999_999)]
    [0, 1, 4736, 999999]
    """
    return number * pow(_FACTOR, -1, _PRIME) % _PRIME


def _title(spot: Spot, block: Block, words: Palette) -> str:
    if spot.kind == FRONT:
        return spot.site.name
    if spot.kind == SECTION:
        return block.name[0].upper() + block.name[1:]
    if spot.kind == HUB:
        return f"{block.name[0].upper()}{block.name[1:]} links"
    spoken = Dice(15, spot.source)
    return fill(spoken.one(grammar().vague_titles if spoken.chance(0.42) else grammar().titles), words, spoken)


def _url(spot: Spot, block: Block, dice: Dice) -> str:
    if spot.kind == FRONT:
        return spot.site.root
    name, part = slug(spot.title), slug(block.name)
    if spot.scripted:
        return f"{spot.site.root}app/{name}"
    year, month = 2019 + dice.below(7), 1 + dice.below(12)
    return spot.site.root + spot.site.path.format(part=part, name=name, number=_number(spot.id), year=year, month=month)
