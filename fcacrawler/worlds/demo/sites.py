"""The hosts of the demo web: the sports' own sites, islands, portals, newspapers, an encyclopedia, a forum, blogs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.vocabulary import Label, grammar, slug

PATHS = ("{part}/{name}", "{year}/{month:02d}/{name}.html", "{name}", "articles/{number}", "{part}/{number}-{name}.htm")


@dataclass(frozen=True, slots=True)
class Site:
    """One host."""

    host: str
    name: str
    kind: str  # own, island, portal, newspaper, lore, forum, blogs, theme, spam
    path: str  # how its pages' URLs are made
    block: int = 0  # what its front page is about
    front: bool = True  # it has a front page among the labelled pages
    number: int = 0  # among the sites, for what differs from site to site

    def has(self, feature: int, one_in: int) -> bool:
        """Whether this site has a feature that one in so many sites has."""
        return Dice(self.number, feature).below(one_in) == 0


@dataclass(slots=True)
class Own:
    """The sites on which one label's pages stand."""

    fronts: list[Site] = field(default_factory=list)
    islands: dict[Site, int] = field(default_factory=dict)  # with their sizes
    foreign: list[Site] = field(default_factory=list)  # sites of everything
    themes: dict[int, list[Site]] = field(default_factory=dict)

    def choose(self, dice: Dice, block: int) -> Site:
        """Where a cluster of pages of the block stands."""
        if self.foreign and dice.chance(0.36):
            return self.foreign[dice.low(len(self.foreign))]
        return dice.one(self.themes.get(block) or self.fronts)


class Founder(Protocol):
    """Makes a site, or finds the one of that host."""

    def __call__(self, host: str, name: str, kind: str, path: str, block: int = 0) -> Site: ...


GENERAL = (
    ("sportsdesk", "Sportsdesk", "portal", "story/{number}"),
    ("gameday", "Gameday", "portal", "{part}/story-{number}.html"),
    ("dailycourant", "The Daily Courant", "newspaper", "{year}/{month:02d}/{name}.html"),
    ("openlore", "Openlore, the free reference", "lore", "wiki/{name}"),
    ("thebackpage", "The Back Page", "portal", "{year}/{number}.html"),
    ("chatterbox", "Chatterbox forum", "forum", "viewtopic?t={number}"),
    ("inkwell", "Inkwell blogs", "blogs", "~{part}/{name}"),
    ("eveningmail", "Evening Mail", "newspaper", "a/{number}/{name}"),
)


def found_sites(labels: Sequence[Label], sizes: Sequence[int], seed: int) -> tuple[list[Site], list[Own]]:
    """All sites, and for each label those on which its pages stand."""
    sites: dict[str, Site] = {}

    def found(host: str, name: str, kind: str, path: str, block: int = 0) -> Site:
        site = Site(f"www.{host}.test", name, kind, path, block, True, len(sites))
        return sites.setdefault(site.host, site)

    general = [found(*g) for g in GENERAL]
    owns = []
    for number, label in enumerate(labels):
        dice = Dice(seed, 3, number)
        if label.words:
            own = _sport_sites(label, sizes[number], dice, found, sites)
            own.foreign = list(general)
        else:
            own = _theme_sites(label, found)
            if label.name == "others":
                own.foreign = general[2:]
                own.fronts = [*general, *(s for s in own.fronts if s not in general)]
        owns.append(own)
    return list(sites.values()), owns


def _sport_sites(label: Label, size: int, dice: Dice, found: Founder, sites: Mapping[str, Site]) -> Own:
    own = Own()
    lexicon = label.blocks[0].lexicon

    def named(first: Sequence[str], second: Sequence[str]) -> str:
        while True:
            name = f"{dice.one(first)} {dice.one(second)}"
            if f"www.{_host(name)}.test" not in sites:
                return name

    for k in range(max(1, size // 90)):
        name = named(lexicon.nouns, grammar().site_words)
        own.fronts.append(found(_host(name), name.title(), "own", PATHS[k % len(PATHS)], k % len(label.blocks)))
    if size >= 30:
        for _ in range(max(1, size // 120)):
            name = named(lexicon.towns, ("club", "society", "friends", "union", "juniors", "veterans"))
            site = found(_host(name), name, "island", dice.one(PATHS), dice.below(len(label.blocks)))
            own.islands[site] = min(12, max(3, size // 12))
    return own


def _theme_sites(label: Label, found: Founder) -> Own:
    own = Own()
    for b, block in enumerate(label.blocks):
        kind = "spam" if label.name == "rubbish" else "theme"
        own.themes[b] = [
            found(h, h.replace("-", " ").title(), kind, PATHS[(b + i) % len(PATHS)], b)
            for i, h in enumerate(block.hosts)
        ]
        own.fronts += own.themes[b]
    return own


def _host(name: str) -> str:
    return slug(name).replace("-", "")
