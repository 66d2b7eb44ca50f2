"""Which links a page itself carries: lists, and mentions in its text.

About half of what a text mentions is about the same thing, mostly things near by; the rest leads elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from fcacrawler.worlds.demo.atlas import BEYOND, FRONT, HEAD, HUB, SECTION, Atlas, Region, Spot
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.sites import Site
from fcacrawler.worlds.demo.vocabulary import grammar

SMALL = 120  # topics with fewer pages speak of other things more often


class Hyperlink(NamedTuple):
    """One link of a page."""

    url: str
    anchor: str
    zone: str  # where it stands: nav, text, list, related, popular, tags, tools, calendar, ads, foot
    rel: str = ""


class Web:
    """The links among the places of an atlas."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.seed = atlas.seed
        self.others, self.rubbish = atlas.named["others"], atlas.named["rubbish"]
        self.over: dict[int, list[int]] = {}  # further links of some pages: the way to the islands
        self._bridges()
        self.frames: dict[str, tuple[tuple[Hyperlink, ...], tuple[Hyperlink, ...]]] = {}  # top and foot, by host
        self.headlines = lru_cache(maxsize=512)(self._headlines)

    def _headlines(self, site: Site, edition: int) -> tuple[Hyperlink, ...]:
        """What a site shows as news on some of its pages."""
        dice = Dice(self.seed, 21, site.number, edition)
        return tuple(self.to(self.atlas.beyond(dice), "headlines") for _ in range(28))

    def _bridges(self) -> None:
        """Each island is reached over two pages about a town, each of them from three pages on the mainland."""
        town = next(b for b, block in enumerate(self.others.label.blocks) if block.name == "town")
        towns = self.others.blocks[town]
        for region in self.atlas.regions:
            for island in region.islands:
                dice = Dice(self.seed, 5, island.start)
                for bridge in dice.some(towns, 2):
                    self.over.setdefault(bridge, []).append(island.start)
                    for near in dice.some(region.main, 3):
                        self.over.setdefault(near, []).append(bridge)

    def to(self, place: int, zone: str) -> Hyperlink:
        spot = self.atlas.spot(place)
        return Hyperlink(spot.url, spot.title, zone)

    def mention(self, place: int, dice: Dice) -> Hyperlink:
        """A link in a text: to an address that the page has left, or with an anchor that says nothing, now and then."""
        link, site = self.to(place, "text"), self.atlas.spot(place).site
        if place < len(self.atlas.spots) and "moved" in site.habits and dice.chance(0.25):
            link = link._replace(url=f"{site.root}old/{place}")
        return link._replace(anchor=dice.one(grammar().vague_anchors)) if dice.chance(0.22) else link

    def body(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        """The links of a page's main part, in order."""
        if spot.id != spot.cluster.start:
            yield self.to(spot.cluster.start, "crumbs")
        yield from (self.to(i, "list") for i in self._listed(spot, dice) if i != spot.id)
        for place in [*self._mentioned(spot, dice), *self.over.get(spot.id, ())]:
            if place != spot.id:
                yield self.mention(place, dice)
        if dice.chance(0.25):
            site = self.atlas.spot(self.elsewhere(spot, dice)).site
            lost = f"files/{dice.below(9999)}.pdf" if dice.chance(0.2) else f"gone/{dice.below(99999)}"
            yield Hyperlink(site.root + lost, self.atlas.spot(self.near(spot, dice)).title, "text")

    def _listed(self, spot: Spot, dice: Dice) -> Sequence[int]:
        """What a page that is there to lead on lists."""
        region = self.atlas.regions[spot.label]
        if spot.kind == HUB:
            elsewhere = [self.elsewhere(spot, dice) for _ in range(8)]
            return [*(self._known(region, dice) for _ in range(12)), *elsewhere]
        if spot.kind == FRONT:
            here = self.atlas.on_site[spot.site.host]
            return [*spot.cluster, *dice.some([i for i in here if self.atlas.spots[i].kind != HUB], 12)]
        if spot.kind in (SECTION, HEAD):
            heads = region.heads[spot.block]
            at = heads.index(spot.id)
            return [*spot.cluster, *heads[max(0, at - 1) : at + 3], *heads[at + 7 : at + 8]]
        return ()

    def _mentioned(self, spot: Spot, dice: Dice) -> Iterator[int]:
        if spot.id + 1 < spot.cluster.stop:
            yield spot.id + 1
        for _ in range(4 + dice.below(7)):
            yield self._drawn(spot, dice)

    def _drawn(self, spot: Spot, dice: Dice) -> int:
        """Something that a text mentions."""
        region = self.atlas.regions[spot.label]
        p = dice.below(100) + (0 if len(region.main) > SMALL else 22)
        if p < 18:
            return spot.cluster[dice.below(len(spot.cluster))]
        if p < 34:
            return self.near(spot, dice)
        if p < 44:
            return self._known(region, dice)
        if p < 50 and region.label.related:
            return self._known(self.atlas.named[dice.one(region.label.related)], dice)
        if p < 55:
            return self.atlas.on_same_site(spot.site, dice)
        return self.elsewhere(spot, dice)

    def near(self, spot: Spot, dice: Dice) -> int:
        """A page of the same block, not far away."""
        region = self.atlas.regions[spot.label]
        if spot.id >= len(self.atlas.spots):
            return min(spot.id + 1 + dice.below(40), BEYOND - 1)
        if spot.id not in region.main or not region.blocks[spot.block]:
            return spot.cluster[dice.below(len(spot.cluster))]
        block, around = region.blocks[spot.block], len(spot.cluster)
        first = max(block.start, spot.cluster.start - around)
        return first + dice.below(min(block.stop, spot.cluster.stop + around) - first)

    def _known(self, region: Region, dice: Dice) -> int:
        """A page of the region, the better known the likelier."""
        return region.main[dice.low(len(region.main))]

    def elsewhere(self, spot: Spot, dice: Dice) -> int:
        """A page about something else. A sport's pages lead out to what everybody knows; out there the web is wide."""
        p, sport = dice.below(100), bool(self.atlas.regions[spot.label].label.words)
        if p < 4:
            return self.rubbish.main[dice.below(len(self.rubbish.main))]
        if p < 16:
            return self._known(dice.one(self.atlas.regions), dice)
        if sport and p < 75:
            return self.others.main[dice.low(len(self.others.main))]
        if p < (85 if sport else 60):
            return self.others.main[dice.below(len(self.others.main))]
        return self.atlas.beyond(dice)
