"""What every page of a site carries around its text: navigation, tags, tools, a calendar, advertisements, partners."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from fcacrawler.worlds.demo.atlas import Spot
from fcacrawler.worlds.demo.dice import Dice, mixed
from fcacrawler.worlds.demo.links import Hyperlink, Web
from fcacrawler.worlds.demo.sites import Site
from fcacrawler.worlds.demo.vocabulary import Lexicon, grammar, slug

MEMBERS = 40_000
EDITIONS = 12  # of a site's headlines


def links(web: Web, spot: Spot) -> list[Hyperlink]:
    """All links of a page, from its top to its foot."""
    dice = Dice(web.seed, 4, spot.id)
    body = list(web.body(spot, dice))
    top, bottom = web.frames.get(spot.site.host) or web.frames.setdefault(
        spot.site.host, (tuple(nav(web, spot.site)), tuple(foot(web, spot.site)))
    )
    return [*top, *body, *_beside(web, spot, dice), *bottom]


def lexicon(web: Web, site: Site) -> Lexicon:
    """What a site is about."""
    front = web.atlas.spots[web.atlas.by_url[site.root]]
    return web.atlas.block(front).lexicon


def nav(web: Web, site: Site) -> Iterator[Hyperlink]:
    yield Hyperlink(site.root, "Home", "nav")
    dice = Dice(web.seed, 6, site.number)
    for name in dice.some(grammar().sections, 24 if site.kind in ("newspaper", "portal") else 18):
        yield Hyperlink(f"{site.root}section/{slug(name)}", name, "nav")
    if site.kind in ("newspaper", "portal"):
        yield Hyperlink(f"{site.root}classified/{site.number}", "Classified", "nav")
    yield Hyperlink(f"{site.root}search", "Search", "nav", "nofollow")
    yield Hyperlink(f"{site.root}login", "Log in", "nav", "nofollow")


def foot(web: Web, site: Site) -> Iterator[Hyperlink]:
    dice = Dice(web.seed, 7, site.number)
    for name in dice.some(grammar().service, 10):
        yield Hyperlink(f"{site.root}{slug(name)}", name, "foot")
    if "mirror" in site.habits:
        yield Hyperlink(f"http://mirror.{site.host[4:]}/", "Mirror", "foot")
    for partner in dice.some(list(web.atlas.sites.values()), 4):
        if partner.kind != "island":
            yield Hyperlink(partner.root, partner.name, "foot")


def _beside(web: Web, spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
    site, here = spot.site, web.atlas.on_site[spot.site.host]
    for _ in range(5):
        p = dice.below(100)
        i = (
            web.near(spot, dice)
            if p < 30
            else web.atlas.on_same_site(site, dice)
            if p < 60
            else web.elsewhere(spot, dice)
        )
        if i != spot.id:
            yield web.to(i, "related")
    if not web.atlas.labels[spot.label].words:
        yield from web.headlines(site, dice.below(EDITIONS))
    if site.kind != "own":
        yield from (web.to(here[mixed(site.number, k) % len(here)], "popular") for k in range(4))
    words = web.atlas.palette(spot)
    for name in words["S"][:1]:
        yield Hyperlink(f"{site.root}tag/{slug(name)}", name, "tags")
    yield Hyperlink(f"{site.root}author/{dice.below(len(here) // 6 + 2)}", words["X"][0], "tools")
    yield from _tools(spot, dice)
    if "calendar" in site.habits:
        year, month = 2019 + dice.below(7), 1 + dice.below(12)
        for day in sorted({1 + dice.below(28) for _ in range(3)}):
            yield Hyperlink(f"{site.root}calendar/{year}/{month:02d}/{day:02d}", str(day), "calendar")
    for _ in range(1):
        yield Hyperlink(f"http://click.adfarm.test/c/{dice.below(10**9)}", "Sponsored", "ads", "sponsored")


def _tools(spot: Spot, dice: Dice) -> Iterator[Hyperlink]:
    site, and_ = spot.site, "&" if "?" in spot.url else "?"
    yield Hyperlink(f"{spot.url}{and_}print=1", "Print", "tools", "nofollow")
    yield Hyperlink(f"http://share.linkpile.test/submit?url={quote(spot.url, safe='')}", "Share", "tools", "nofollow")
    if "comments" in site.habits:
        yield Hyperlink(f"{site.root}comments/{spot.id}", f"{1 + dice.below(60)} comments", "tools")
    if "sessions" in site.habits:
        yield Hyperlink(f"{spot.url}&sid={dice.below(16**8):08x}", "Reply", "tools")
        yield from (member(site, dice.below(MEMBERS), "tools") for _ in range(4))


def member(site: Site, number: int, zone: str) -> Hyperlink:
    dice = Dice(14, number)
    return Hyperlink(f"{site.root}member/{number}", f"{dice.one(grammar().first)}{dice.below(100)}", zone)
