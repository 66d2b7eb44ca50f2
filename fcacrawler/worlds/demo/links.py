"""Which links a page carries, where they stand on it and what can be read in them.

About half of what a text links to is about the same thing, and nearer things more often; the rest of the page is
what every page carries: navigation, what is popular on the site, tags, tools, a calendar, advertisements, partners.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fcacrawler.worlds.demo.atlas import FRONT, HEAD, HUB, SECTION, Atlas, Spot
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.sites import Site
from fcacrawler.worlds.demo.vocabulary import Label, grammar, slug

SERVICE = ("about", "contact", "privacy", "terms", "advertise", "newsletter", "help", "jobs")


class Hyperlink(NamedTuple):
    """One link of a page."""

    url: str
    anchor: str
    zone: str  # nav, text, list, related, popular, tags, tools, calendar, ads, foot
    rel: str = ""


class Web:
    """The links among the places of an atlas."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.seed = atlas.seed
        self.by_name = {region.label.name: region for region in atlas.regions}
        self.others = self.by_name["others"]
        self.rubbish = self.by_name["rubbish"]
        self.town = next(b for b, block in enumerate(self.others.label.blocks) if block.name == "town")
        self._bridges()

    def _bridges(self) -> None:
        """Over which page of a town each island is reached, and from which pages that page."""
        self.bridge_to: dict[int, list[int]] = {}  # a town's page: fronts of islands
        self.way_to: dict[int, list[int]] = {}  # a page on the mainland: a town's pages
        towns = self.others.blocks[self.town]
        for region in self.atlas.regions:
            for island in region.islands:
                dice = Dice(self.seed, 5, island.start)
                for _ in range(2):
                    town = towns[dice.below(len(towns))]
                    self.bridge_to.setdefault(town, []).append(island.start)
                    for _ in range(3):
                        near = region.main[dice.below(len(region.main))]
                        self.way_to.setdefault(near, []).append(town)

    def links(self, spot: Spot) -> list[Hyperlink]:
        """All links of a page, from its top to its foot."""
        dice = Dice(self.seed, 4, spot.id)
        return [*self._nav(spot.site), *self._body(spot, dice), *self._around(spot, dice), *self._foot(spot.site)]

    # -- the page's own -----------------------------------------------------------------------------------------

    def _to(self, place: int, zone: str, dice: Dice, vague: float = 0.0, rel: str = "") -> Hyperlink:
        spot = self.atlas.spots[place]
        anchor = dice.one(grammar().vague_anchors) if vague and dice.chance(vague) else spot.title
        return Hyperlink(spot.url, anchor, zone, rel)

    def _body(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        region = self.atlas.regions[spot.label]
        heads = region.heads[spot.block] if spot.id in region.main else []
        if spot.kind == FRONT:
            yield from (self._to(i, "list", dice) for i in self._listed(spot, dice))
        elif spot.kind == SECTION:
            yield from (self._to(i, "list", dice) for i in heads[1:11])
        elif spot.kind == HUB:
            yield from (self._to(self._same_label(spot, dice), "list", dice) for _ in range(14))
            yield from (self._to(self._elsewhere(dice), "list", dice) for _ in range(6))
        if spot.kind in (SECTION, HEAD, FRONT):
            yield from (self._to(i, "list", dice) for i in spot.cluster if i != spot.id)
        if spot.kind in (SECTION, HEAD) and heads:
            at = heads.index(spot.id)
            yield from (self._to(heads[k], "text", dice) for k in (at - 1, at + 1, at + 7) if 0 <= k < len(heads))
        yield from self._text(spot, dice)
        yield from (self._to(i, "text", dice) for i in self.bridge_to.get(spot.id, ()))
        yield from (self._to(i, "text", dice) for i in self.way_to.get(spot.id, ()))

    def _listed(self, spot: Spot, dice: Dice) -> list[int]:
        """What a front page shows: the site's sections and series, and some of its pages."""
        here = self.atlas.on_site[spot.site.host]
        first = [i for i in here if self.atlas.spots[i].kind in (SECTION, HEAD)]
        return list(dict.fromkeys([*dice.some(first, 8), *dice.some(here, 8)]))

    def _text(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        near = spot.cluster
        if spot.id > near.start:
            yield self._to(near.start, "nav", dice)
        if spot.id + 1 < near.stop:
            yield self._to(spot.id + 1, "text", dice, 0.3)
        for _ in range(4 + dice.below(7)):
            place = self._drawn(spot, dice)
            if place != spot.id:
                yield self._to(place, "text", dice, 0.18)

    def _drawn(self, spot: Spot, dice: Dice) -> int:
        """What a text links to."""
        region = self.atlas.regions[spot.label]
        p = dice.below(100)
        if p < 14:
            return spot.cluster[dice.below(len(spot.cluster))]
        if p < 34 and len(region.blocks[spot.block]):
            block = region.blocks[spot.block]
            return block[dice.low(len(block))]
        if p < 46:
            return self._same_label(spot, dice)
        if p < 54 and region.label.related:
            main = self.by_name[dice.one(region.label.related)].main
            return main[dice.low(len(main))]
        if p < 64:
            here = self.atlas.on_site[spot.site.host]
            return here[dice.low(len(here))]
        if p < 98:
            return self._elsewhere(dice)
        return self.rubbish.main[dice.low(len(self.rubbish.main))]

    def _same_label(self, spot: Spot, dice: Dice) -> int:
        main = self.atlas.regions[spot.label].main
        return main[dice.low(len(main))]

    def _elsewhere(self, dice: Dice) -> int:
        if dice.chance(0.7):
            return self.others.main[dice.low(len(self.others.main))]
        main = self.atlas.regions[dice.below(len(self.atlas.regions))].main
        return main[dice.low(len(main))]

    # -- what every page carries --------------------------------------------------------------------------------

    def _nav(self, site: Site) -> Iterator[Hyperlink]:
        root = f"http://{site.host}/"
        yield Hyperlink(root, "Home", "nav")
        for name in self._tag_names(site)[:5]:
            yield Hyperlink(f"{root}tag/{slug(name)}", name.capitalize(), "nav")
        yield Hyperlink(f"{root}search", "Search", "nav", "nofollow")
        yield Hyperlink(f"{root}login", "Log in", "nav", "nofollow")

    def _tag_names(self, site: Site) -> list[str]:
        label = self._label_of(site)
        return Dice(self.seed, 6, site.number).some(label.blocks[site.block].lexicon.nouns, 24)

    def _label_of(self, site: Site) -> Label:
        here = self.atlas.on_site[site.host]
        return self.atlas.regions[self.atlas.spots[here[0]].label].label

    def _around(self, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
        site, root = spot.site, f"http://{spot.site.host}/"
        here = self.atlas.on_site[site.host]
        block = self.atlas.regions[spot.label].label.blocks[spot.block]
        for _ in range(4):
            i = here[dice.below(len(here))] if dice.chance(0.6) else self._drawn(spot, dice)
            if i != spot.id:
                yield self._to(i, "related", dice)
        yield from (self._to(here[i * i % len(here)], "popular", dice) for i in range(3, 7))
        for name in [*dice.some(block.terms, 2), *dice.some(block.lexicon.nouns, 2)]:
            yield Hyperlink(f"{root}tag/{slug(name)}", name, "tags")
        yield Hyperlink(f"{root}author/{dice.below(len(here) // 6 + 2)}", self._name(dice), "tools")
        yield Hyperlink(f"{spot.url}{'&' if '?' in spot.url else '?'}print=1", "Print", "tools", "nofollow")
        if site.has(1, 3):
            yield Hyperlink(f"{root}comments/{spot.id}", f"{dice.below(40)} comments", "tools")
        if site.has(2, 2):
            year, month, day = 2024, 1 + dice.below(12), 1 + dice.below(28)
            for k in range(3):
                yield Hyperlink(
                    f"{root}calendar/{year}/{month:02d}/{max(1, day - k):02d}", str(max(1, day - k)), "calendar"
                )
        for _ in range(3):
            yield Hyperlink(f"http://click.adfarm.test/c/{dice.below(10**9)}", "Sponsored", "ads", "sponsored")

    def _name(self, dice: Dice) -> str:
        words = grammar()
        return f"{dice.one(words.first)} {dice.one(words.last)}"

    def _foot(self, site: Site) -> Iterator[Hyperlink]:
        root = f"http://{site.host}/"
        dice = Dice(self.seed, 7, site.number)
        for name in SERVICE:
            yield Hyperlink(f"{root}{name}", name.capitalize(), "foot")
        for partner in dice.some(self.atlas.sites, 4):
            yield Hyperlink(f"http://{partner.host}/", partner.name, "foot")
