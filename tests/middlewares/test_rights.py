"""What owners say of the use of their pages is recorded with them, and heard where a user says what they are for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from aiohttp import web

from fcacrawler.values.errors import BadOptions
from tests.manners import crawled
from tests.site import Handler, page, serving

ROBOTS = "User-agent: *\nContent-Usage: /no train-ai=n\nContent-Signal: search=yes\n"


def saying(title: str, said: dict[str, str]) -> Handler:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=page(title), content_type="text/html", headers=said)

    return answer


async def robots(request: web.Request) -> web.Response:
    return web.Response(text=ROBOTS)


async def tdm(request: web.Request) -> web.Response:
    return web.Response(text=json.dumps([{"location": "/yes", "tdm-reservation": 1}]))


SITE: dict[str, Any] = {
    "/robots.txt": robots,
    "/": page("Start", links={"/yes": "yes", "/no": "no", "/header": "header"}),
    "/yes": page("Yes"),
    "/no": page("No"),
    "/header": saying("Header", {"X-Robots-Tag": "noai", "Content-Usage": "search=n"}),
}
OBEY = {"ROBOTSTXT_OBEY": True}


def paths(items: list[Any]) -> dict[str, dict[str, str]]:
    return {item.url.partition("//")[2].partition("/")[2]: item.signals for item in items}


def test_what_is_said_stands_in_the_items() -> None:
    with serving(SITE) as site:
        found = paths(crawled(site.url("/"), OBEY).items)
    everywhere = {"robots.txt Content-Signal": "search=yes"}
    assert found == {
        "": everywhere,
        "yes": everywhere,
        "no": {**everywhere, "robots.txt Content-Usage": "train-ai=n"},
        "header": {**everywhere, "header x-robots-tag": "noai", "header content-usage": "search=n"},
    }


def test_what_is_refused_is_left_out_and_counted_and_what_robots_txt_refuses_is_not_fetched() -> None:
    with serving(SITE) as site:
        outcome = crawled(site.url("/"), OBEY, usage="ai-train")
        assert "/no" not in [path for _, path in site.hits]
    assert set(paths(outcome.items)) == {"", "yes"}
    assert outcome.stats["fca/usage/robots.txt Content-Usage"] == 1
    assert outcome.stats["fca/usage/header x-robots-tag"] == 1


def test_the_tdm_file_is_asked_for_once_a_host_and_only_where_it_is_wanted() -> None:
    with serving({**SITE, "/.well-known/tdmrep.json": tdm}) as site:
        assert "tdmrep.json tdm-reservation" not in paths(crawled(site.url("/"), OBEY).items)["yes"]
        assert not [path for _, path in site.hits if "well-known" in path]
        found = paths(crawled(site.url("/"), {**OBEY, "FCA_TDMREP": 1}).items)
        assert found["yes"]["tdmrep.json tdm-reservation"] == "1"
        assert "tdmrep.json tdm-reservation" not in found["header"]
        assert len([path for _, path in site.hits if "well-known" in path]) == 1
        assert "yes" not in paths(crawled(site.url("/"), {**OBEY, "FCA_TDMREP": 1}, usage="tdm").items)


@pytest.mark.parametrize("body", [b"[" * 100_000, b"{}", b"\xff", b'[{"location": 7}, 1]'])
def test_a_tdm_file_that_is_none_says_nothing(body: bytes) -> None:
    async def broken(request: web.Request) -> web.Response:
        return web.Response(body=body)

    with serving({**SITE, "/.well-known/tdmrep.json": broken}) as site:
        assert len(crawled(site.url("/"), {**OBEY, "FCA_TDMREP": 1}, pages=2).items) == 2


def test_a_use_without_robots_txt_is_refused() -> None:
    with pytest.raises(BadOptions, match="needs ROBOTSTXT_OBEY=1"):
        crawled("http://127.0.0.1/", usage="search")
