"""Every kind of engine, over real HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from aiohttp import web

from fcacrawler.engines import Heard, ask, read_engines
from tests.engines.answering import Handler, says, searx, written
from tests.site import serving

RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><link>http://x.test/</link>
<item><title>Tea &amp; more</title><link>http://a.test/tea</link>
<description>&lt;b&gt;Green&lt;/b&gt; tea</description></item>
<item><title>Bad</title><link>javascript:alert(1)</link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Tea</title><link rel="self" href="http://x.test/e"/>
<link href="http://a.test/tea"/><summary>Green tea</summary></entry></feed>"""
DESCRIPTION = """<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>x</ShortName>
<Url type="application/x-suggestions+json" template="{base}/no?q={{searchTerms}}"/>
<Url type="{kind}" template="{base}/found?q={{searchTerms}}&amp;n={{count?}}&amp;p={{startPage?}}"/>
</OpenSearchDescription>"""
PAGE = """<html><body><h1>Results</h1><p><a href="/about">About us</a></p><p>First: <a href="http://a.test/tea">Tea</a>
is a drink</p><p>Then: <a href="http://b.test/">Cups</a></p></body></html>"""


def asked(folder: Path, site: dict[str, Handler | str], words: str = "green tea", **row: object) -> Heard:
    with serving(site) as served:
        texts = {path: page for path, page in site.items() if isinstance(page, str)}
        served.pages.update(
            {path: says(page.replace("{base}", served.base), "text/xml") for path, page in texts.items()}
        )
        url = str(row.pop("url")).replace("{base}", served.base)
        engines = read_engines(written(folder, it={"url": url, **row}), {"KEY": "k1"})
        return ask(engines, {"it": [(words, 1.0)]}, "test")


def urls(heard: Heard) -> list[str]:
    assert heard.notes == ()
    return [result.url for answer in heard.answers for result in answer.results]


def test_searxng(tmp_path: Path) -> None:
    heard = asked(
        tmp_path,
        {"/search": searx({"green tea": ["http://a.test/1", "http://a.test/2"]})},
        kind="searxng",
        url="{base}",
    )
    assert urls(heard) == ["http://a.test/1", "http://a.test/2"]
    assert heard.answers[0].results[0].snippet == "http://a.test/1 says more"


def test_an_api_with_a_key_and_paths(tmp_path: Path) -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        if (request.headers.get("X-Token"), request.query["q"]) != ("k1", "green tea"):
            return web.Response(status=401)
        row = {"meta": {"link": "http://a.test/1"}, "name": ["<em>Tea</em>"], "about": "x" * 1000}
        return web.json_response({"web": {"found": [row, {"meta": 3}, 7, {"meta": {"link": ["http://c.test"]}}]}})

    heard = asked(
        tmp_path, {"/s": answer}, kind="json", url="{base}/s?q={words}", results="web.found", link="meta.link",
        title="name.0", snippet="about", headers={"X-Token": "$KEY"},
    )  # fmt: skip
    (result,) = heard.answers[0].results
    assert (result.url, result.title, len(result.snippet)) == ("http://a.test/1", "Tea", 300)


def test_our_own(tmp_path: Path) -> None:
    hits = [{"url": "http://a.test/1", "title": "Tea", "snippet": [["Green ", False], ["tea", True]]}]
    heard = asked(tmp_path, {"/api/search": says(json.dumps({"hits": hits}))}, kind="pise", url="{base}")
    assert heard.answers[0].results[0].snippet == "Green tea"


@pytest.mark.parametrize(
    ("kind", "body", "found"),
    [
        ("application/rss+xml", RSS, ["http://a.test/tea"]),
        ("application/atom+xml", ATOM, ["http://a.test/tea"]),
        ("text/html", PAGE, ["http://a.test/tea", "http://b.test/"]),
    ],
)
def test_any_opensearch_description(tmp_path: Path, kind: str, body: str, found: list[str]) -> None:
    site: dict[str, Handler | str] = {
        "/opensearch.xml": DESCRIPTION.replace("{kind}", kind).replace("{{", "{").replace("}}", "}"),
        "/found": says(body, kind),
    }
    assert urls(asked(tmp_path, site, kind="opensearch", url="{base}/opensearch.xml")) == found


CRAWLED = "\n".join(
    json.dumps({"url": url, "status": status, "mime": mime})
    for url, status, mime in [
        ("http://a.test/golf", "200", "text/html"), ("http://a.test/tea", "200", "text/html"),
        ("http://a.test/tea/green-tea", "200", "text/html"), ("http://a.test/green/tea.png", "200", "image/png"),
        ("http://a.test/green/tea-gone", "404", "text/html"),
    ]
)  # fmt: skip
WAYBACK = (
    '[["urlkey","original","mimetype","statuscode"],["k","http://a.test/tea/green-tea","text/html","200"],["k",7]]'
)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (CRAWLED + '\n{"torn', ["http://a.test/tea/green-tea", "http://a.test/tea"]),
        (WAYBACK, ["http://a.test/tea/green-tea"]),
        ("[]", []),
        ("", []),
    ],
)
def test_indexes_of_archives_by_url_pattern(tmp_path: Path, body: str, found: list[str]) -> None:
    seen: list[str] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        seen.append(request.query["url"])
        return web.Response(text=body)

    heard = asked(tmp_path, {"/index": answer}, kind="cdx", url="{base}/index", patterns=["a.test/*"])
    assert (urls(heard), seen) == (found, ["a.test/*"])


def test_sitemaps_and_indexes_of_them(tmp_path: Path) -> None:
    index = "<sitemapindex><sitemap><loc>{base}/one.xml</loc></sitemap></sitemapindex>"
    one = "<urlset><url><loc>http://a.test/golf</loc></url><url><loc>http://a.test/green-tea</loc></url></urlset>"
    heard = asked(tmp_path, {"/sitemap.xml": index, "/one.xml": one}, kind="sitemap", url="{base}/sitemap.xml")
    assert urls(heard) == ["http://a.test/green-tea"]
