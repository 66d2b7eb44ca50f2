"""What is wrong with the web: markup, character sets, and what is no page at all."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from zlib import crc32

from fcacrawler.worlds import Answer
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.sites import Site

HTML = "text/html; charset=utf-8"
_SOUP = re.compile(r"</(?:li|p|h1|h3|article|main|body|html|section|td|tr)>")
_QUOTED = re.compile(r'(class|rel|alt)="(\w+)"')
_GIANT = 5 << 20
_DISALLOWED = "User-agent: *\nDisallow: /search\nDisallow: /login\nDisallow: /*print=1\n"


def answer_html(site: Site, text: str, dice: Dice, *headers: tuple[str, str]) -> Answer:
    """A page as its site sends it: some make mistakes, some take their time."""
    kind = HTML
    if "based" in site.habits:
        text = text.replace(f'href="{site.root}', 'href="').replace("<head>", f'<head><base href="{site.root}">', 1)
    if "broken" in site.habits:
        text = tag_soup(text, dice)
    body = text.encode()
    if "charset" in site.habits:
        kind, body = wrong_charset(site, text)
    slow = "slow" in site.habits or dice.chance(0.004)
    sent = (("Content-Type", kind), ("ETag", f'"{crc32(body):08x}"'), ("Last-Modified", _date(dice)), *headers)
    return Answer(200, sent, body, 0.4 + dice.below(12) / 10 if slow else 0.0)


def _date(dice: Dice) -> str:
    """Some time in the years 2020 to 2024, as HTTP writes it."""
    return format_datetime(datetime.fromtimestamp(1_580_000_000 + dice.below(150_000_000), UTC), usegmt=True)


def tag_soup(text: str, dice: Dice) -> str:
    """Markup that a browser forgives: end tags left out, quotes left out, a stray bracket, a NUL, tags in capitals."""
    text = text.replace("<p>", "<P><font color=red>< ", 1).replace("</h1>", "\x00</H2>", 1)
    text = _SOUP.sub(lambda m: m.group() if dice.chance(0.4) else "", text)
    return _QUOTED.sub(lambda m: f"{m.group(1)}={m.group(2)}", text)


def wrong_charset(site: Site, text: str) -> tuple[str, bytes]:
    """A declaration and bytes that do not fit together, in one of three ways."""
    way = site.number % 3
    if way == 0:
        return "text/html; charset=iso-8859-1", text.encode()
    if way == 1:
        return HTML, text.encode("cp1252", "xmlcharrefreplace")
    return "text/html", text.replace('charset="utf-8"', 'charset="us-ascii"').encode("cp1252", "xmlcharrefreplace")


def redirect(url: str, status: int = 302) -> Answer:
    return Answer(status, (("Location", url), ("Content-Type", HTML)), b"")


def refresh(url: str) -> Answer:
    """A page that sends its reader on."""
    text = f'<html><head><meta http-equiv="refresh" content="0; url={escape(url)}"></head><body>Moved.</body></html>'
    return Answer(200, (("Content-Type", HTML),), text.encode())


def robots(site: Site) -> Answer | None:
    """The site's rules: most have some, islands none; one shuts everybody out, one wants to be asked slowly."""
    if site.kind == "island":
        return None
    text = _DISALLOWED
    if "closed" in site.habits:
        text = "User-agent: *\nDisallow: /\n"
    if "delay" in site.habits:
        text += "Crawl-delay: 2\n"
    if "sitemap" in site.habits:
        text += f"\nSitemap: {site.root}sitemap.xml\n"
    return Answer(200, (("Content-Type", "text/plain"),), text.encode())


def sitemap(site: Site, name: str, urls: Sequence[str]) -> Answer | None:
    """An index, and behind it the site's pages, compressed."""
    if "sitemap" not in site.habits or name not in ("sitemap.xml", "sitemap-pages.xml.gz"):
        return None
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    if name == "sitemap.xml":
        text = (
            f"{head}<sitemapindex {space}><sitemap><loc>{site.root}sitemap-pages.xml.gz</loc></sitemap></sitemapindex>"
        )
        return Answer(200, (("Content-Type", "application/xml"),), text.encode())
    text = f"{head}<urlset {space}>" + "".join(f"<url><loc>{escape(u)}</loc></url>" for u in urls) + "</urlset>"
    return Answer(200, (("Content-Type", "application/gzip"),), gzip.compress(text.encode(), 0, mtime=0))


def giant(site: Site, links: Sequence[tuple[str, str]]) -> str:
    """One page of five megabytes: the index of all pages, and a long table."""
    listed = "".join(f'<li><a href="{escape(url)}">{title}</a></li>' for url, title in links)
    rows = "".join(f"<tr><td>{n}</td><td>{n * n}</td><td>Entry number {n} of the index</td></tr>" for n in range(2000))
    table = rows * (_GIANT // len(rows) + 1)
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>All pages - {site.name}</title></head>'
        f"<body><h1>All pages</h1><ul>{listed}</ul><table>{table}</table></body></html>"
    )


def document() -> Answer:
    """A file that is no page."""
    return Answer(
        200,
        (("Content-Type", "application/pdf"),),
        b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\x00\x01\n1 0 obj\n<<>>\nendobj\n%%EOF\n",
    )
