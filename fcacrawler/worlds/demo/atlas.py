"""Which pages there are: each with its label, its part of the label, its site, its title and its URL.

    label ─► fronts of its own sites │ blocks (sub-topics) ─► clusters of about a dozen pages │ islands

A cluster stands on one site. An island is a small site of its own that no other page of its label links to: it can
only be reached over a page about something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.sites import Site, found_sites
from fcacrawler.worlds.demo.titles import title_of, url_of
from fcacrawler.worlds.demo.vocabulary import Block, Label, labels, slug

CLUSTER = 12
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
        self.by_url: dict[str, int] = {}
        self.on_site: dict[str, list[int]] = {s.host: [] for s in self.sites}
        for spot in self.spots:
            self._name(spot)

    def _region(self, label: int) -> Region:
        size, own = self.sizes[label], self.own[label]
        region = Region(self.labels[label], range(len(self.spots), len(self.spots) + len(own.fronts)))
        for site in own.fronts:
            self._place(label, site.block, range(len(self.spots), len(self.spots) + 1), site)
            self.spots[-1].kind = FRONT
        ashore = size - len(own.fronts) - sum(own.islands.values())
        for b, n in enumerate(shares(ashore, [12 // (k + 2) + 2 for k in range(len(region.label.blocks))])):
            region.blocks.append(range(len(self.spots), len(self.spots) + n))
            region.heads.append(self._clusters(label, b, n))
        region.main = range(region.fronts.start, len(self.spots))
        for site, n in own.islands.items():
            region.islands.append(range(len(self.spots), len(self.spots) + n))
            self._place(label, site.block, region.islands[-1], site)
            self.spots[region.islands[-1].start].kind = FRONT
        return region

    def _clusters(self, label: int, block: int, n: int) -> list[int]:
        heads = []
        start, end = len(self.spots), len(self.spots) + n
        for first in range(start, end, CLUSTER):
            heads.append(first)
            dice = Dice(self.seed, 1, first)
            site = self.own[label].choose(dice, block)
            scripted = self.sizes[label] >= 90 and bool(site.front) and len(heads) > 1 and dice.chance(0.07)
            self._place(label, block, range(first, min(first + CLUSTER, end)), site, scripted)
        return heads

    def _place(self, label: int, block: int, cluster: range, site: Site, scripted: bool = False) -> None:
        for i in cluster:
            self.spots.append(Spot(i, label, block, cluster, ARTICLE, site, scripted=scripted))

    def _name(self, spot: Spot) -> None:
        """Its kind, its title and its URL, which nobody else has."""
        region = self.regions[spot.label]
        dice = Dice(self.seed, 2, spot.id)
        if spot.kind == FRONT:
            pass
        elif spot.id == spot.cluster.start:
            spot.kind = SECTION if spot.id == region.blocks[spot.block].start else HEAD
        elif dice.chance(0.02) and not spot.scripted:
            spot.kind = HUB
        block: Block = region.label.blocks[spot.block]
        spot.title = title_of(spot.kind, block, spot.site, dice)
        url = url_of(spot.kind, slug(spot.title), slug(block.name), spot.id, spot.site, spot.scripted, dice)
        while url in self.by_url:
            url += f"-{spot.id}"
        spot.url = url
        self.by_url[url] = spot.id
        self.on_site[spot.site.host].append(spot.id)
