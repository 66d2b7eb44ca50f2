"""What every site has besides its pages: robots.txt, tags, authors, a calendar without end, comments, services."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from urllib.parse import SplitResult
from zlib import crc32

from fcacrawler.worlds import Answer
from fcacrawler.worlds.demo.atlas import Atlas
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.layout import page
from fcacrawler.worlds.demo.links import SERVICE, Hyperlink, Web
from fcacrawler.worlds.demo.prose import paragraphs
from fcacrawler.worlds.demo.sites import Site
from fcacrawler.worlds.demo.titles import fill
from fcacrawler.worlds.demo.vocabulary import grammar

HTML = "text/html; charset=utf-8"


def html(text: str, status: int = 200, **more: float) -> Answer:
    return Answer(status, (("Content-Type", HTML),), text.encode(), **more)


def redirect(url: str, status: int = 302) -> Answer:
    return Answer(status, (("Location", url), ("Content-Type", HTML)), b"")


class Extras:
    """The answers to what is no labelled page."""

    def __init__(self, atlas: Atlas, web: Web) -> None:
        self.atlas = atlas
        self.web = web
        self.rooms: dict[str, Callable[[Site, list[str], Dice], Answer | None]] = {
            "tag": self._tag,
            "author": self._tag,
            "calendar": self._calendar,
            "comments": self._comments,
        }

    def answer(self, site: Site, url: SplitResult) -> Answer | None:
        path = url.path.strip("/").split("/")
        dice = Dice(self.atlas.seed, 9, crc32(f"{site.host}{url.path}?{url.query}".encode()))
        if url.path == "/robots.txt":
            return Answer(
                200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /search\nDisallow: /login\n"
            )
        if path[0] in SERVICE or path[0] in ("search", "login"):
            return self._page(site, path[0].capitalize(), self._plain(site, dice), [], dice)
        room = self.rooms.get(path[0])
        return room(site, path[1:], dice) if room and len(path) > 1 else None

    def _plain(self, site: Site, dice: Dice, n: int = 6) -> list[str]:
        label = self.atlas.regions[-2].label
        return [fill(dice.one(grammar().plain), label.blocks[1], dice) for _ in range(n)]

    def _page(self, site: Site, title: str, said: list[str], links: list[Hyperlink], dice: Dice) -> Answer:
        around = [*self.web._nav(site), *links, *self.web._foot(site)]
        return html(page(site, title, list(paragraphs(iter(said), dice)), around, dice))

    def _tag(self, site: Site, path: list[str], dice: Dice) -> Answer:
        here = self.atlas.on_site[site.host]
        links = [self.web._to(i, "list", dice) for i in dice.some(here, 8)]
        return self._page(site, path[0].replace("-", " ").capitalize(), [], links, dice)

    def _calendar(self, site: Site, path: list[str], dice: Dice) -> Answer | None:
        try:
            day = date(*map(int, path))
        except (ValueError, TypeError):
            return None
        root = f"http://{site.host}/calendar/"
        days = [day + timedelta(days=k) for k in (-30, -1, 1, 30) if 1900 < (day + timedelta(days=k)).year < 9000]
        links = [Hyperlink(f"{root}{d:%Y/%m/%d}", f"{d:%Y-%m-%d}", "list") for d in days]
        return self._page(site, f"{day:%Y-%m-%d}", ["Nothing happened on this day."], links, dice)

    def _comments(self, site: Site, path: list[str], dice: Dice) -> Answer | None:
        if not path[0].isdigit() or int(path[0]) >= len(self.atlas.spots):
            return None
        spot = self.atlas.spots[int(path[0])]
        block = self.atlas.regions[spot.label].label.blocks[spot.block]
        said = [fill(dice.one(grammar().talk), block, dice) for _ in range(6)]
        return self._page(site, f"Comments on {spot.title}", said, [self.web._to(spot.id, "list", dice)], dice)
