"""robots.txt as RFC 9309 has it: a test a clause. What a host answers instead of one (2.3.1.3, 2.3.1.4) and how long it
holds (2.4) is in ``test_robots.py`` and ``test_refusals.py`` too."""

from __future__ import annotations

from typing import Any

import pytest
from aiohttp import web
from scrapy.settings import Settings
from scrapy.utils.misc import load_object
from scrapy.utils.test import get_crawler

from fcacrawler import settings as project
from fcacrawler.middlewares.robots import for_crawler
from fcacrawler.page.signals import product_token
from tests.manners import crawled
from tests.site import Handler, page, serving

AGENT = "fcacrawler/1.0 (+https://example.org)"


def allowed(robots: str | bytes, path: str, agent: str = AGENT) -> bool:
    parser = load_object(SETTINGS["ROBOTSTXT_PARSER"])
    body = robots if isinstance(robots, bytes) else robots.encode()
    rules = parser.from_crawler(get_crawler(), for_crawler(body, product_token(agent)))
    return bool(rules.allowed(f"http://e.org{path}", agent))


SETTINGS = Settings()
SETTINGS.setmodule(project)
MINE = "User-agent: fcacrawler\nDisallow: /mine\n\n"
ALL = "User-agent: *\nDisallow: /all\n\n"


@pytest.mark.parametrize(
    ("clause", "robots", "path", "expected"),
    [
        ("2.2.1 the token is found without regard to case", "User-Agent: FCACRAWLER\nDisallow: /x", "/x", False),
        ("2.2.1 the crawler's group is heard", ALL + MINE, "/mine", False),
        ("2.2.1 and then that for all is not", ALL + MINE, "/all", True),
        ("2.2.1 that for all is heard where there is none", ALL, "/all", False),
        ("2.2.1 another crawler's is not", "User-agent: other\nDisallow: /", "/x", True),
        ("2.2.1 nor one whose name only begins so", "User-agent: fcacrawler-images\nDisallow: /", "/x", True),
        ("2.2.1 nor one whose name ours begins with", "User-agent: fca\nDisallow: /", "/x", True),
        ("2.2.1 a version is no part of the name", "User-agent: fcacrawler/9\nDisallow: /x", "/x", False),
        ("2.2.1 groups of one crawler are one", MINE + ALL + "User-agent: fcacrawler\nDisallow: /too\n", "/too", False),
        ("2.2.1 … the first as well", MINE + ALL + "User-agent: fcacrawler\nDisallow: /too\n", "/mine", False),
        ("2.2.1 several may share a group", "User-agent: a\nUser-agent: fcacrawler\nDisallow: /x", "/x", False),
        ("2.2.1 empty lines do not end a group", "User-agent: *\n\n\nDisallow: /x", "/x", False),
        ("2.2.2 a path is what a URL's begins with", "User-agent: *\nDisallow: /x", "/xyz/a?b", False),
        ("2.2.2 with regard to case", "User-agent: *\nDisallow: /X", "/x", True),
        ("2.2.2 the longest rule wins", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("2.2.2 wherever it stands", "User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", False),
        ("2.2.2 of two of one length, Allow", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("2.2.2 nothing said, allowed", "User-agent: *\nDisallow: /a", "/b", True),
        ("2.2.2 nothing for anybody, allowed", "", "/b", True),
        ("2.2.2 an empty Disallow forbids nothing", "User-agent: *\nDisallow:", "/b", True),
        ("2.2.2 robots.txt itself is allowed", "User-agent: *\nDisallow: /", "/robots.txt", True),
        ("2.2.2 octets outside ASCII are compared encoded", "User-agent: *\nDisallow: /ツ", "/%E3%83%84", False),
        ("2.2.2 … both ways", "User-agent: *\nDisallow: /%E3%83%84", "/ツ", False),
        ("2.2.2 unreserved ones decoded", "User-agent: *\nDisallow: /%62%61%7A", "/baz", False),
        ("2.2.3 # begins a comment", "User-agent: * # all\nDisallow: /x # no", "/x", False),
        ("2.2.3 $ is the end", "User-agent: *\nDisallow: /*.gif$", "/a.gif", False),
        ("2.2.3 … and nothing after it", "User-agent: *\nDisallow: /*.gif$", "/a.gif?x", True),
        ("2.2.3 * is anything", "User-agent: *\nDisallow: /a/*/c", "/a/b/b/c/d", False),
        ("2.2.3 … also nothing", "User-agent: *\nDisallow: /a*c", "/ac", False),
        ("2.2.4 other lines do not end a group", "User-agent: *\nSitemap: http://e.org/s\nDisallow: /x", "/x", False),
        ("2.2.4 nor part names", "User-agent: fcacrawler\nSitemap: /\nUser-agent: b\nDisallow: /x", "/x", False),
        ("2.3 it is UTF-8, also with a mark", "\ufeffUser-agent: *\nDisallow: /x", "/x", False),
        ("2.3.1.5 what cannot be read is passed over", "<html>\n: :\nUser-agent: *\nwhat\nDisallow: /x", "/x", False),
        ("2.2 lines end with CR, LF or both", "User-agent: *\rDisallow: /a\r\nDisallow: /b", "/b", False),
        ("2.2 white space around names is no part of them", " \tUser-agent\t:\t*  \n Disallow : /x ", "/x", False),
    ],
)  # fmt: skip
def test_clause(clause: str, robots: str, path: str, expected: bool) -> None:
    assert allowed(robots, path) is expected, clause


def test_2_3_bytes_that_are_no_utf_8_do_not_hide_the_rest() -> None:
    assert not allowed(b"User-agent: *\nDisallow: /\xff\xfe\nDisallow: /x", "/x")


def test_2_5_five_hundred_kibibytes_are_read() -> None:
    assert not allowed("User-agent: *\n" + "# so it goes on\n" * 32_700 + "Disallow: /x", "/x")


def answering(status: int, text: str = "", **headers: str) -> Handler:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=status, text=text, headers=headers)

    return answer


SITE: dict[str, Any] = {"/": page("Start", links={"/x": "x", "/y": "y"}), "/x": page("X"), "/y": page("Y")}
FORBIDDING = answering(200, "User-agent: *\nDisallow: /x")


def fetched(pages: dict[str, Any]) -> set[str]:
    with serving({**SITE, **pages}) as site:
        crawled(site.url("/"), {"ROBOTSTXT_OBEY": True})
        return {path for path in site.fetched if len(path) < 3}


def test_2_3_1_1_what_is_answered_is_followed() -> None:
    assert fetched({"/robots.txt": FORBIDDING}) == {"/", "/y"}


def test_2_3_1_2_five_redirects_are_followed() -> None:
    hops = {f"/hop{n}": answering(302, Location=f"/hop{n + 1}") for n in range(1, 5)}
    chain = {"/robots.txt": answering(301, Location="/hop1"), **hops, "/hop5": FORBIDDING}
    assert fetched(chain) == {"/", "/y"}


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_2_3_1_3_a_client_error_lets_everything_be_fetched(status: int) -> None:
    assert fetched({"/robots.txt": answering(status, "User-agent: *\nDisallow: /")}) == {"/", "/x", "/y"}
