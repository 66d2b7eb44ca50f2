"""What a page's scripts may read, send and ask for: as in a browser, and as a crawl may."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web
from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from fcacrawler.downloads.browser_parts import FROM_PUBLIC
from fcacrawler.spiders.semrank import SemRankSpider
from tests import crawling
from tests.browser.app import app, seed, words
from tests.browser.process import ROOT, crawl
from tests.site import Handler, Site, page, serving

RACING = "auto racing"
SECRET = "what nobody outside may read"
browsing = pytest.mark.usefixtures("chromium")


@pytest.fixture
def other() -> Iterator[Site]:
    """Another host."""
    with serving(host="127.0.0.2") as site:
        yield site


def data(said: str, told: dict[str, list[str]], **headers: str) -> Handler:
    """Says something, with these headers; ``told``: names of headers of the requests, by path."""

    async def answer(request: web.Request) -> web.Response:
        told[request.path] = sorted(name.lower() for name in request.headers)
        return web.Response(text=said, headers={name.replace("_", "-"): value for name, value in headers.items()})

    return answer


def moved(url: str) -> Handler:
    async def answer(request: web.Request) -> web.Response:
        raise web.HTTPFound(url)

    return answer


READS = """
const show = text => document.querySelector('main p').append(text);
const odd = {'Authorization': 'x', 'Metadata-Flavor': 'Google', 'X-Requested-With': 'fetch'};
for (const url of %s)
  fetch(url, {headers: odd}).then(r => r.text()).then(show).catch(() => 0);
import('%s', {with: {type: 'json'}}).then(m => show(JSON.stringify(m.default))).catch(() => 0);
"""


@pytest.mark.slow
@browsing
def test_a_script_reads_of_other_origins_what_they_grant_and_sends_no_credentials(site: Site, other: Site) -> None:
    told: dict[str, list[str]] = {}
    for path, headers in {
        "/silent": {},
        "/wrong": {"Access_Control_Allow_Origin": "http://somebody.test"},
        "/null": {"Access_Control_Allow_Origin": "null"},
    }.items():
        other.pages[path] = data(f"{SECRET} {path}", told, **headers)
    other.pages["/granted"] = data("granted to all", told, Access_Control_Allow_Origin="*")
    other.pages["/named"] = data("granted to you", told, Access_Control_Allow_Origin=site.base)
    other.pages["/json"] = data(f'"{SECRET} json"', told, Content_Type="application/json")
    site.pages["/own"] = data("of its own", told)
    site.pages["/away"] = moved(other.url("/silent"))
    site.pages["/round"] = moved(other.url("/granted"))
    site.pages["/"] = seed("/app/1")
    paths = [*map(other.url, other.pages), "/own", "/away", "/round"]
    site.pages["/app/1"] = app("App", words(1), more=READS % (paths, other.url("/json")))
    outcome = crawl({"FCA_PRIVATE": True}, topic=RACING, seeds=site.base)
    text = outcome.item(site.url("/app/1"))["text"]
    assert all(said in text for said in ("granted to all", "granted to you", "of its own"))
    assert SECRET not in text
    assert set(told) == {"/silent", "/wrong", "/null", "/granted", "/named", "/json", "/own"}
    assert not any({"authorization", "metadata-flavor"} & set(names) for names in told.values())
    assert "x-requested-with" in told["/own"]
    assert all("origin" in names for path, names in told.items() if path != "/own")


FLOOD = "for (let n = 0; n < 100; n++) fetch('%s/data?' + n).catch(() => 0);"


@pytest.mark.slow
@browsing
def test_scripts_keep_the_delay_of_another_host_and_their_own_sites_load_in_time(site: Site, other: Site) -> None:
    other.pages["/data"] = page("Data")
    site.pages["/"] = seed("/app/1")
    flood = "".join(f"<script src='/own.js?{n}'></script>" for n in range(8))
    site.pages["/app/1"] = app("App", words(1), before=FLOOD % other.base).replace("</body>", f"{flood}</body>")
    for n in range(8):
        site.pages[f"/own.js?{n}"] = data(
            "document.querySelector('main p').append(' script');", {}, Content_Type="text/javascript"
        )
    settings = {"DOWNLOAD_DELAY": 1, "FCA_BROWSER_SECONDS": 8, "FCA_PRIVATE": True}
    outcome = crawl(settings, topic=RACING, seeds=site.base)
    assert outcome.item(site.url("/app/1"))["text"].count("script") == 8
    times = [at for at, path in other.hits if path.startswith("/data")]
    assert 1 < len(times) <= 10
    assert all(later - at > 0.9 for at, later in pairwise(times))
    assert outcome.stats["fca/browser/requests"] == len(times) + 8
    assert outcome.stats["fca/browser/refused"] == 90


@pytest.mark.slow
@browsing
@pytest.mark.parametrize(
    "rules", [{"stay": "host"}, {"deny": "127.0.0.2"}, {"allow": "/app/"}], ids=lambda rules: next(iter(rules))
)
def test_scripts_are_bound_by_the_rules(rules: dict[str, str], site: Site, other: Site) -> None:
    asks = f"fetch('{other.base}/data').catch(() => 0); fetch('/data').catch(() => 0);"
    site.pages["/"] = seed("/app/1")
    site.pages["/app/1"] = app("App", words(1), more=asks)
    site.pages["/data"] = other.pages["/data"] = page("Data")
    outcome = crawl({"FCA_PRIVATE": True}, topic=RACING, seeds=site.base, **rules)
    assert not other.hits, "not for its robots.txt either"
    assert "/data" in site.fetched
    assert outcome.stats["fca/browser/refused"] == 1


@pytest.mark.parametrize("private", [False, True])
def test_a_page_at_a_public_address_may_not_see_what_is_private(private: bool, site: Site, other: Site) -> None:
    """Also where the user has named both, or allows all private addresses."""
    came: dict[str, Any] = {}

    class Asking(SemRankSpider):
        name = "asking"

        async def start(self) -> AsyncIterator[Any]:
            for public in (True, False):
                try:
                    response = await self.crawler.engine.download_async(
                        Request(site.url("/inside"), meta={FROM_PUBLIC: public})
                    )
                    came[str(public)] = response.status
                except IgnoreRequest:
                    came[str(public)] = "refused"
            yield Request(other.url("/"))

    site.pages["/inside"] = other.pages["/"] = page("Inside")
    crawling.crawl(Asking, {"FCA_PRIVATE": private}, topic=RACING, seeds=f"{site.base},{other.base}")
    assert came == {"True": "refused", "False": 200}
    assert site.fetched == ["/inside"]


@pytest.mark.slow
@browsing
def test_a_public_pages_script_does_not_ask_an_intranet_that_is_a_seed_too() -> None:
    """Although its server grants it to everybody."""
    alone = ["unshare", "-rn"]
    if (
        not shutil.which("unshare")
        or subprocess.run([*alone, "ip", "link"], capture_output=True, check=False).returncode
    ):
        pytest.skip("no network namespaces here")
    script = ROOT / "tests" / "browser" / "public.py"
    done = subprocess.run(
        [*alone, sys.executable, str(script)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    came = json.loads(done.stdout.splitlines()[-1])
    assert words(1) in came["text"]
    assert came["asked"] == ["/"]
