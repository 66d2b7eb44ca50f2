"""No log at all: the crawl is its own log. An anchor is a query, its target the click, its page the user.

*Du & Hai 2013, §3.3* wants what users searched and clicked; a link says the same of its author: with these words one
gets to that page. What is counted and held against chance is what ``relations.sql`` counts, with all pages one interest
group; the tests hold the two equal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, combinations, islice

from fcacrawler.values.omega import Omega, Pair, Support, ordered
from fcacrawler.values.options import at_least, option
from fcacrawler.values.pages import SeenPage

Keywords = tuple[str, ...]
Normalise = Callable[[str, str], Keywords]  # of a text in that language

ANCHORS = 50_000  # different anchors whose keywords are not computed twice
PER_LINK = 3  # keywords at each end of a link that make Part-Of
MOST_LINKS = 100  # a page with more of them says of none that it is a part


@dataclass(frozen=True, slots=True)
class CrawlLogOptions:
    """What the crawl's own links must show to be believed, and what they may cost."""

    log_links: int = option(200_000, "links of the latest pages that keywords' relations are learned from", at_least(0))
    log_users: int = option(2, "pages whose links must show a keyword or a relation", at_least(1))
    log_pages: int = option(1, "pages that must be linked to by both keywords of an ISA", at_least(1))
    log_part_links: int = option(3, "links between pages that must show a Part-Of", at_least(1))
    log_isa_lift: float = option(10.0, "how much more often than by chance links must show ISA", at_least(0))
    log_part_lift: float = option(10.0, "how much more often than by chance links must show Part-Of", at_least(0))
    log_keywords: int = option(8, "keywords of a page that make pairs: the most characteristic", at_least(2))


@dataclass(frozen=True, slots=True)
class Place:
    """A page that is linked to: which pages lead there, after which keywords."""

    users: Mapping[str, Sequence[str]]  # keyword → pages whose link says it; the most characteristic first
    crowd: int  # links to the page, each counted once for every keyword that it says
    together: Mapping[Pair, int]  # links that say both keywords, the smaller name first

    def apart(self, a: str, b: str) -> int:
        """Links that say a and not b."""
        return len(self.users[a]) - self.together.get((a, b) if a <= b else (b, a), 0)


@dataclass(slots=True)
class Tally:
    """What has been counted of one pair."""

    clicks: int = 0
    walk: float = 0.0
    shows: list[tuple[str, str]] = field(default_factory=list)  # at which page a, at which b

    def add(self, a: int, b: int, crowd: int, show: tuple[str, str]) -> None:
        self.clicks += min(a, b)
        self.walk += a * b / crowd
        self.shows.append(show)


class CrawlLog:
    """Learns Ω while crawling, from the latest pages that together have ``log_links`` links.

    ``observe`` only takes notes. ``omega`` counts, in time linear in the notes: asked whenever the notes have doubled,
    it costs over a whole crawl no more than twice what its last call did.
    """

    def __init__(self, normalise: Normalise, options: CrawlLogOptions) -> None:
        self.options = options
        self.links = 0  # that the notes hold
        self._normalise = lru_cache(ANCHORS)(normalise)
        self._said: dict[str, dict[str, Keywords]] = {}  # page → page that it links to → keywords of the anchor

    def of_at_most(self, links: int) -> CrawlLog:
        """One like it that takes notes of no more links, and has none yet."""
        return CrawlLog(self._normalise, replace(self.options, log_links=min(links, self.options.log_links)))

    def observe(self, page: SeenPage) -> None:
        """A fetched page, with its links. Observed again, it replaces what it said before."""
        self._forget(page.url)
        self._said[page.url] = {
            link.url: self._normalise(link.anchor, page.language) for link in page.links if link.url != page.url
        }
        self.links += len(self._said[page.url])
        while self.links > self.options.log_links:
            self._forget(next(iter(self._said)))

    def _forget(self, url: str) -> None:
        self.links -= len(self._said.pop(url, ()))

    def omega(self) -> Omega:
        """What the links that are remembered say."""
        options = self.options
        f = self._keywords()
        total = sum(f.values())
        places = self._places(f)
        isa: dict[Pair, Support] = {}
        for (a, b), tally in self._isa(places).items():
            if len(tally.shows) < options.log_pages:
                continue
            rarer, other = sorted((f[a], f[b]))
            support = self._support(places, (a, b), tally, rarer, other / total)
            if support.users >= options.log_users and support.lift >= options.log_isa_lift:
                isa[a, b] = support
        part_of: dict[Pair, Support] = {}
        found, arrive = self._part_of(places)
        for (a, b), tally in found.items():
            if len(tally.shows) < options.log_part_links or ordered(a, b) in isa:
                continue
            support = self._support(places, (a, b), tally, f[a], arrive[b] / total)
            if support.users >= options.log_users and support.lift >= options.log_part_lift:
                part_of[a, b] = support
        return Omega(f, isa, part_of)

    def _keywords(self) -> dict[str, int]:
        """f(n) of what enough pages say; a word that is only said within one phrase is left to the phrase."""
        clicks: Counter[str] = Counter()
        users: Counter[str] = Counter()
        for targets in self._said.values():
            on_page = Counter(chain.from_iterable(targets.values()))
            clicks.update(on_page)
            users.update(on_page.keys())
        kept = {n: f for n, f in clicks.items() if users[n] >= self.options.log_users}
        within = {(word, f) for phrase, f in kept.items() if " " in phrase for word in phrase.split(" ")}
        return {n: f for n, f in kept.items() if (n, f) not in within}

    def _places(self, clicks: Mapping[str, int]) -> dict[str, Place]:
        led: dict[str, list[tuple[str, Keywords]]] = {}
        for user, targets in self._said.items():
            for target, keywords in targets.items():
                if kept := tuple(n for n in keywords if n in clicks):
                    led.setdefault(target, []).append((user, kept))
        return {target: self._place(links, clicks) for target, links in led.items()}

    def _place(self, links: Sequence[tuple[str, Keywords]], clicks: Mapping[str, int]) -> Place:
        users: dict[str, list[str]] = {}
        for user, keywords in links:
            for n in keywords:
                users.setdefault(n, []).append(user)
        best = sorted(users, key=lambda n: (-(len(users[n]) ** 2) / clicks[n], n))[: self.options.log_keywords]
        kept = {n: users[n] for n in best}
        said = Counter(tuple(sorted(n for n in keywords if n in kept)) for _, keywords in links)
        together: Counter[Pair] = Counter()
        for keywords, times in said.items():
            for pair in combinations(keywords, 2):
                together[pair] += times
        return Place(kept, sum(map(len, users.values())), together)

    def _isa(self, places: Mapping[str, Place]) -> dict[Pair, Tally]:
        """Pairs that lead to the same page."""
        found: defaultdict[Pair, Tally] = defaultdict(Tally)
        for page, place in places.items():
            said = {n: len(place.users[n]) for n in sorted(place.users)}
            for a, b in combinations(said, 2):
                both = place.together.get((a, b), 0)
                if (x := said[a] - both) > 0 and (y := said[b] - both) > 0:
                    found[a, b].add(x, y, place.crowd, (page, page))
        return found

    def _part_of(self, places: Mapping[str, Place]) -> tuple[dict[Pair, Tally], dict[str, float]]:
        """Pairs that lead to a page and to a page that it links to; and how many clicks an even walk over the links
        brings to each keyword."""
        found: defaultdict[Pair, Tally] = defaultdict(Tally)
        arrive: defaultdict[str, float] = defaultdict(float)
        for page, targets in self._said.items():
            here = places.get(page)
            linked = [t for t in targets if t in places]
            if here is None or not 0 < len(linked) <= MOST_LINKS:
                continue
            for target in linked:
                there = places[target]
                crowd = len(linked) * there.crowd
                for b in islice(there.users, PER_LINK):
                    arrive[b] += here.crowd * len(there.users[b]) / crowd
                    for a in islice(here.users, PER_LINK):
                        if a != b and (x := here.apart(a, b)) > 0 and (y := there.apart(b, a)) > 0:
                            found[a, b].add(x, y, crowd, (page, target))
        return found, arrive

    def _support(self, places: Mapping[str, Place], pair: Pair, tally: Tally, clicks: int, chance: float) -> Support:
        """The evidence of a pair, walked from so many clicks, held against the chance to arrive anyhow."""
        users = min(
            len(set(chain.from_iterable(places[show[side]].users[pair[side]] for show in tally.shows)))
            for side in (0, 1)
        )
        confidence = tally.walk / clicks
        return Support(users, len(tally.shows), tally.clicks, confidence / chance, confidence)
