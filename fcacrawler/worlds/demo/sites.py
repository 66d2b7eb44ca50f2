"""The hosts of the demo web: the sports' own sites, islands, portals, newspapers, an encyclopedia, a forum, blogs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.vocabulary import Label, grammar, slug

PATHS = (
    "{name}-{number}",
    "{year}/{month:02d}/{name}-{number}.html",
    "{part}/{name}-{number}",
    "articles/{number}",
    "p/{number}-{name}.htm",
)

# habit: one in how many sites has it
HABITS = {
    "calendar": 5,
    "comments": 3,
    "soft404": 3,
    "moved": 3,
    "sitemap": 4,
    "endless": 9,
    "mirror": 9,
    "broken": 9,
    "charset": 14,
}

# host, name, kind, how its URLs are made, habits
GENERAL = (
    ("sportsdesk", "Sportsdesk", "portal", "story/{number}", "calendar comments soft404"),
    ("gameday", "Gameday", "portal", "{part}/story-{number}.html", "comments moved"),
    (
        "dailycourant",
        "The Daily Courant",
        "newspaper",
        "{year}/{month:02d}/{name}-{number}.html",
        "calendar comments sitemap",
    ),
    ("openlore", "Openlore, the free reference", "lore", "wiki/{name}", "moved"),
    ("thebackpage", "The Back Page", "portal", "{year}/{number}.html", "calendar soft404"),
    ("chatterbox", "Chatterbox forum", "forum", "viewtopic?t={number}", "sessions"),
    ("inkwell", "Inkwell blogs", "blogs", "~{part}/{name}-{number}", "broken comments"),
    ("eveningmail", "Evening Mail", "newspaper", "a/{number}/{name}", "calendar charset soft404"),
)
THEMES = {"spadeandseed": "slow", "parishpump": "delay", "suitcasenotes": "based", "jersey-outlet-sale": "closed"}


@dataclass(frozen=True, slots=True)
class Site:
    """One host."""

    host: str
    name: str
    kind: str  # own, island, portal, newspaper, lore, forum, blogs, theme, spam
    path: str  # how its pages' URLs are made
    block: int  # what its front page is about, in its label
    number: int  # among the sites
    habits: frozenset[str] = frozenset()

    @property
    def root(self) -> str:
        return f"http://{self.host}/"


@dataclass(slots=True)
class Own:
    """The sites on which one label's pages stand."""

    fronts: list[Site] = field(default_factory=list)  # those whose front page is one of them
    islands: dict[Site, int] = field(default_factory=dict)  # with their sizes
    themes: dict[int, list[Site]] = field(default_factory=dict)  # for one block only
    foreign: Sequence[Site] = ()  # sites of everything

    def choose(self, dice: Dice, block: int) -> Site:
        """Where a cluster of pages of the block stands."""
        if self.foreign and dice.chance(0.45 if len(self.fronts) > 1 else 0.7):
            return self.foreign[dice.low(len(self.foreign))]
        return dice.one(self.themes.get(block) or self.fronts)


class Founder:
    """Founds sites, each host once."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.sites: dict[str, Site] = {}

    def found(self, host: str, name: str, kind: str, path: str, block: int = 0, habits: str | None = None) -> Site:
        """The site of that host; its habits fall by chance if they are not given."""
        dice = Dice(self.seed, 12, len(self.sites))
        by_chance = [habit for habit, one_in in HABITS.items() if dice.below(one_in) == 0]
        site = Site(f"www.{host}.test", name, kind, path, block, len(self.sites),
                    frozenset(by_chance if habits is None else habits.split()))  # fmt: skip
        return self.sites.setdefault(site.host, site)

    def of_sport(self, label: Label, size: int, number: int) -> Own:
        """A sport's own sites, one for every 90 pages, and its islands."""
        own, dice, lexicon = Own(), Dice(self.seed, 3, number), label.blocks[0].lexicon
        for k in range(max(1, size // 90)):
            name = self._unused(lexicon.nouns, grammar().site_words, dice)
            path, block = PATHS[(number + k) % len(PATHS)], k % len(label.blocks)
            own.fronts.append(self.found(slug(name).replace("-", ""), name.title(), "own", path, block))
        for _ in range(max(1, size // 120) if size >= 30 else 0):
            name = self._unused(lexicon.towns, ("club", "society", "friends", "union", "juniors", "veterans"), dice)
            site = self.found(
                slug(name).replace("-", ""), name, "island", dice.one(PATHS), dice.below(len(label.blocks))
            )
            own.islands[site] = min(12, max(3, size // 12))
        return own

    def _unused(self, first: Sequence[str], second: Sequence[str], dice: Dice) -> str:
        while True:
            name = f"{dice.one(first)} {dice.one(second)}"
            if f"www.{slug(name).replace('-', '')}.test" not in self.sites:
                return name
            second = [*second, f"{dice.one(second)} {len(second)}"]  # there is always one more name

    def of_themes(self, label: Label) -> Own:
        """The sites of each theme among the other pages, or among the rubbish."""
        own = Own()
        kind = "spam" if label.name == "rubbish" else "theme"
        for b, block in enumerate(label.blocks):
            own.themes[b] = [
                self.found(h, h.replace("-", " ").title(), kind, PATHS[(b + i) % len(PATHS)], b, THEMES.get(h))
                for i, h in enumerate(block.hosts)
            ]
            own.fronts += own.themes[b]
        return own


def found_sites(labels: Sequence[Label], sizes: Sequence[int], seed: int) -> tuple[Mapping[str, Site], list[Own]]:
    """All sites by host, and for each label those on which its pages stand."""
    founder = Founder(seed)
    general = [founder.found(name, title, kind, path, 0, extras) for name, title, kind, path, extras in GENERAL]
    owns = []
    for number, label in enumerate(labels):
        own = founder.of_sport(label, sizes[number], number) if label.words else founder.of_themes(label)
        if label.name != "rubbish":
            own.foreign = general if label.words else general[2:]
        if label.name == "others":
            own.fronts = general + own.fronts
        owns.append(own)
    return founder.sites, owns
