"""The demo web: some 4,700 labelled pages on about a hundred hosts, made from a recipe whenever they are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import SplitResult, parse_qsl, urlsplit
from zlib import crc32

from fcacrawler.values.errors import BadWorld
from fcacrawler.worlds import Answer, WorldTopic
from fcacrawler.worlds.demo import searches
from fcacrawler.worlds.demo.around import links
from fcacrawler.worlds.demo.atlas import ARTICLE, NATURAL, Atlas, Region, Spot
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.extras import Extras
from fcacrawler.worlds.demo.hazards import answer_html, document, giant, redirect, refresh, robots, sitemap
from fcacrawler.worlds.demo.layout import page, scripted
from fcacrawler.worlds.demo.links import Web
from fcacrawler.worlds.demo.prose import paragraphs, sentences
from fcacrawler.worlds.demo.sites import Site

FEWEST, MOST = 500, 900_000
RECIPE = ("pages", "seed", "closed")
_SESSION = re.compile(r'(href="http://[^"]*viewtopic\?t=\d+)"')


class DemoWorld:
    """A web that is computed: the same bytes for the same recipe, on every machine. Twelve sports, the other pages and
    the rubbish, and, unless it is closed, the endless rest that nobody has labelled."""

    notes: tuple[str, ...] = ()
    whole = True
    orders: tuple[str, ...] = ()

    def __init__(self, pages: int = NATURAL, seed: int = 1, closed: bool = False) -> None:
        """``closed``: there are the labelled pages and the links among them, and nothing else."""
        recipe = [f"pages={pages}", f"seed={seed}"] if (pages, seed) != (NATURAL, 1) else []
        recipe += ["closed=1"] if closed else []
        self.name = "?".join(filter(None, ("demo", "&".join(recipe))))
        self.seed = seed
        self.closed = closed
        self.atlas = Atlas(pages, seed)
        self.web = Web(self.atlas)
        self.extras = Extras(self.web)
        self.mirrors = {f"mirror.{host[4:]}": s for host, s in self.atlas.sites.items() if "mirror" in s.habits}
        self.topics: Mapping[str, WorldTopic] = {
            name: WorldTopic(name, region.label.words, self._seeds(region), frozenset([name]))
            for name, region in self.atlas.named.items()
            if region.label.words
        }

    def _seeds(self, region: Region) -> tuple[str, ...]:
        """Three pages on different sites that lead to few others of their topic: a crawl has to find its way."""
        spots = [s for s in map(self.atlas.spots.__getitem__, region.main) if s.kind == ARTICLE and not s.scripted]
        able = [s for s in spots if s.site.kind != "own"]
        some = Dice(self.seed, 10, region.main.start).some(able, 40)
        some.sort(key=lambda s: sum(self.atlas.by_url.get(to.url, -1) in region.all for to in links(self.web, s)))
        best = {s.site.host: s.url for s in reversed(some)}
        rest = [s.url for s in (*some, *spots, *(self.atlas.spots[i] for i in region.main))]  # for very small worlds
        return tuple(dict.fromkeys([s.url for s in some if best[s.site.host] == s.url] + rest))[:3]

    def urls(self) -> Iterator[str]:
        return (spot.url for spot in self.atlas.spots)

    def labels(self) -> Iterator[tuple[str, str]]:
        return ((s.url, self.atlas.labels[s.label].name) for s in self.atlas.spots)

    def relevant(self, topic: str) -> frozenset[str]:
        wanted = self.topics[topic].labels
        return frozenset(url for url, label in self.labels() if label in wanted)

    def clicks(self) -> Iterator[str]:
        yield searches.HEADER
        yield from searches.lines(self.atlas)

    def close(self) -> None: ...

    def answer(self, url: str) -> Answer | None:
        if self.closed:
            place = self.atlas.by_url.get(url)
            return None if place is None else self._page(self.atlas.spots[place])
        spot = self.atlas.found(url)
        if spot is not None:
            return self._page(spot)
        parts = urlsplit(url)
        host = parts.hostname or ""
        if host == "click.adfarm.test" and parts.path.startswith("/c/"):
            return self._advertisement(parts.path)
        if host == "share.linkpile.test":
            return robots(self.atlas.sites["www.jersey-outlet-sale.test"]) if parts.path == "/robots.txt" else None
        if host in self.mirrors:
            return self._mirrored(self.mirrors[host], host, url)
        site = self.atlas.sites.get(host)
        if site is None:
            return None
        whole = parts._replace(scheme="http", netloc=host, path=parts.path or "/", fragment="").geturl()
        return self.answer(whole) if whole != url else self._unlabelled(site, parts)

    def _page(self, spot: Spot, *headers: tuple[str, str]) -> Answer:
        return answer_html(spot.site, self.html(spot), Dice(self.seed, 16, spot.id), *headers)

    def html(self, spot: Spot) -> str:
        """A page's document."""
        dice = Dice(self.seed, 11, spot.id)
        texts = list(paragraphs(sentences(self.atlas, spot), dice))
        build = scripted if spot.scripted else page
        known = self.atlas.by_url
        onward = [to for to in links(self.web, spot) if not self.closed or to.url in known]
        return build(spot.site, spot.title, texts, onward, dice)

    def _unlabelled(self, site: Site, url: SplitResult) -> Answer | None:
        """What a site answers besides its labelled pages."""
        path, query = url.path, url.query
        dice = Dice(self.seed, 17, crc32(f"{site.host}{path}?{query}".encode()))
        if path == "/robots.txt":
            return robots(site)
        if path.startswith("/sitemap"):
            return sitemap(site, path[1:], [self.atlas.spots[i].url for i in self.atlas.on_site[site.host]])
        if path.startswith("/old/"):
            return self._moved(site, path, dice)
        if path.startswith("/files/"):
            return document()
        if path == "/all" and site.kind == "lore":
            spots = map(self.atlas.spots.__getitem__, self.atlas.on_site[site.host])
            return answer_html(site, giant(site, [(s.url, s.title) for s in spots]), dice)
        if "print=1" in query or "sid=" in query:
            return self._again(site, url.geturl(), dice)
        text = self.extras.html(site, path, query)
        if text is None and "soft404" in site.habits and not path.startswith(("/img/", "/style", "/logo")):
            text = self.extras.not_found(site, dice)
        return None if text is None else answer_html(site, text, dice)

    def _again(self, site: Site, url: str, dice: Dice) -> Answer | None:
        """A page under another URL: to be printed, or with the number of a session in each of its links."""
        plain = re.sub(r"[?&](print=1|sid=[0-9a-f]+)$", "", url)
        spot = self.atlas.found(plain)
        if spot is None:
            return None
        text = self.html(spot)
        if "sid=" in url:
            text = _SESSION.sub(lambda m: f'{m[1]}&amp;sid={dice.below(16**8):08x}"', text)
        return answer_html(site, text.replace("</head>", f'<link rel="canonical" href="{spot.url}"></head>', 1), dice)

    def _moved(self, site: Site, path: str, dice: Dice) -> Answer | None:
        """Where a page has gone; some of the ways are long, some lead round in a circle."""
        number = path[5:].removesuffix("/again")
        if "moved" not in site.habits or not number.isdecimal():
            return redirect(site.root + "old/circle", 301) if number == "circle" else None
        place = int(number)
        if place >= len(self.atlas.spots) or self.atlas.spots[place].site != site:
            return None
        if path.endswith("/again") or dice.chance(0.6):
            return redirect(self.atlas.spots[place].url, 301)
        return refresh(self.atlas.spots[place].url) if dice.chance(0.5) else redirect(f"{site.root}old/{place}/again")

    def _mirrored(self, site: Site, host: str, url: str) -> Answer | None:
        """The same bytes from another host, which links to itself where the first one does."""
        found = self.answer(url.replace(f"//{host}", f"//{site.host}", 1))
        if found is None:
            return None
        return Answer(found.status, found.headers, found.body.replace(site.host.encode(), host.encode()), found.delay)

    def _advertisement(self, path: str) -> Answer:
        dice, rubbish = Dice(self.seed, 18, crc32(path.encode())), self.web.rubbish.main
        if dice.chance(0.6):
            return redirect(f"http://www.sportsdesk.test/classified/{dice.below(10**7)}")
        return redirect(self.atlas.spots[rubbish[dice.below(len(rubbish))]].url)


def demo_world(recipe: str) -> DemoWorld:
    """The demo web of a recipe, written as ``pages=100000&seed=2&closed=1``."""
    wanted = dict(parse_qsl(recipe, keep_blank_values=True))
    odd = [f"{k}={v}" for k, v in wanted.items() if k not in RECIPE or not v.isdecimal()]
    if odd or (recipe and not wanted) or wanted.get("closed", "0") not in ("0", "1"):
        raise BadWorld(
            f"demo?{recipe}: the demo web's recipe is pages=N, seed=N and closed=1, such as demo?pages=100000"
        )
    pages = int(wanted.get("pages", NATURAL))
    if not FEWEST <= pages <= MOST:
        raise BadWorld(f"demo?{recipe}: pages must lie between {FEWEST} and {MOST}")
    return DemoWorld(pages, int(wanted.get("seed", 1)), wanted.get("closed") == "1")
