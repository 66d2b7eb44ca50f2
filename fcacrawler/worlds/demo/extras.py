"""What every site has besides its labelled pages. Most of it has no end: there is always one more of its kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from zlib import crc32

from fcacrawler.worlds.demo.around import MEMBERS, foot, lexicon, member, nav
from fcacrawler.worlds.demo.atlas import BEYOND
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.layout import page
from fcacrawler.worlds.demo.links import Hyperlink, Web
from fcacrawler.worlds.demo.prose import paragraphs
from fcacrawler.worlds.demo.sites import Site
from fcacrawler.worlds.demo.speech import Palette, fill, palette
from fcacrawler.worlds.demo.vocabulary import Block, grammar, slug

NOT_FOUND = ("Sorry, the page that you are looking for is not here.", "It may have been moved or deleted.")


class Extras:
    """The unlabelled pages: HTML by path, or None where a site has no such page."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.atlas = web.atlas
        self.service = {slug(name) for name in (*grammar().service, "search", "login")}
        self.rooms = {
            "section": self._section,
            "tag": self._tag,
            "author": self._author,
            "calendar": self._calendar,
            "comments": self._comments,
            "member": self._member,
            "classified": self._classified,
        }

    def html(self, site: Site, path: str, query: str) -> str | None:
        dice = Dice(self.atlas.seed, 9, crc32(f"{site.host}{path}?{query}".encode()))
        room, *rest = path.strip("/").split("/")
        if room in self.service and not rest:
            return self._page(site, room.capitalize(), self._words(site, dice), (), dice)
        if room in self.rooms and rest and all(rest):
            return self.rooms[room](site, rest, query, dice)
        return None

    def not_found(self, site: Site, dice: Dice) -> str:
        """What some sites say, with status 200, when there is no such page."""
        links = [self.web.to(self.atlas.on_same_site(site, dice), "popular") for _ in range(3)]
        return self._page(site, "Page not found", self._words(site, dice), links, dice, NOT_FOUND, 2)

    def _words(self, site: Site, dice: Dice) -> Palette:
        front = self.atlas.spots[self.atlas.by_url[site.root]]
        return palette(self.atlas.block(front), dice)

    def _page(
        self,
        site: Site,
        title: str,
        words: Palette,
        links: Iterable[Hyperlink],
        dice: Dice,
        said: Sequence[str] = (),
        count: int = 6,
    ) -> str:
        texts = paragraphs((fill(dice.one(said or grammar().plain), words, dice) for _ in range(count)), dice)
        return page(site, title, list(texts), [*nav(self.web, site), *links, *foot(self.web, site)], dice)

    def _section(self, site: Site, path: list[str], query: str, dice: Dice) -> str:
        links = [self.web.to(self.atlas.on_same_site(site, dice), "list") for _ in range(2)]
        if site.kind == "lore":
            links.append(Hyperlink(f"{site.root}all", "All pages", "list"))
        if "moved" in site.habits:
            links.append(Hyperlink(f"{site.root}old/circle", "Round", "list"))
        return self._page(site, path[0].replace("-", " ").capitalize(), self._words(site, dice), links, dice)

    def _tag(self, site: Site, path: list[str], query: str, dice: Dice) -> str | None:
        """Some pages of the site and other tags, three times over; on some sites there is always a next page."""
        last = 10**9 if "endless" in site.habits else 3
        number = int(query[5:]) if query[:5] == "page=" and query[5:].isdecimal() else 1
        if not 1 <= number <= last:
            return None
        names = dice.some((*lexicon(self.web, site).nouns, *lexicon(self.web, site).phrases), 4)
        links = [self.web.to(self.atlas.on_same_site(site, dice), "list") for _ in range(6)]
        links += [Hyperlink(f"{site.root}tag/{slug(name)}", name, "tags") for name in names]
        if number < last:
            links.append(Hyperlink(f"{site.root}tag/{path[0]}?page={number + 1}", "Next page", "list"))
        return self._page(site, path[0].replace("-", " ").capitalize(), self._words(site, dice), links, dice, count=2)

    def _author(self, site: Site, path: list[str], query: str, dice: Dice) -> str:
        links = [self.web.to(self.atlas.on_same_site(site, dice), "list") for _ in range(4)]
        words = self._words(site, dice)
        return self._page(site, words["X"][0], words, links, dice, grammar().history, 3)

    def _calendar(self, site: Site, path: list[str], query: str, dice: Dice) -> str | None:
        try:
            day = date(*map(int, path))
        except (ValueError, TypeError):
            return None
        days = [
            day + timedelta(days=k) for k in (-365, -30, -2, -1, 1, 2, 30, 365) if 366 < day.toordinal() < 3_000_000
        ]
        links = [Hyperlink(f"{site.root}calendar/{d:%Y/%m/%d}", f"{d:%Y-%m-%d}", "list") for d in days]
        return self._page(site, f"{day:%Y-%m-%d}", self._words(site, dice), links, dice, count=2)

    def _comments(self, site: Site, path: list[str], query: str, dice: Dice) -> str | None:
        if not path[0].isdecimal() or int(path[0]) >= BEYOND:
            return None
        spot = self.atlas.spot(int(path[0]))
        links = [self.web.to(spot.id, "list")] + [member(site, dice.below(MEMBERS), "list") for _ in range(6)]
        words = self.atlas.palette(spot)
        return self._page(site, f"Comments on {spot.title}", words, links, dice, grammar().talk)

    def _member(self, site: Site, path: list[str], query: str, dice: Dice) -> str | None:
        if not path[0].isdecimal() or int(path[0]) >= MEMBERS:
            return None
        links = [member(site, dice.below(MEMBERS), "list") for _ in range(8)]
        return self._page(site, member(site, int(path[0]), "").anchor, self._words(site, dice), links, dice)

    def _classified(self, site: Site, path: list[str], query: str, dice: Dice) -> str | None:
        if not path[0].isdecimal():
            return None
        block: Block = dice.one(self.web.others.label.blocks)
        links = [
            Hyperlink(f"{site.root}classified/{dice.below(10**7)}", f"For sale: {dice.one(grammar().things)}", "list")
            for _ in range(12)
        ]
        return self._page(site, f"For sale: {dice.one(grammar().things)}", palette(block, dice), links, dice)
