"""Crawls with a real browser, over real HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from aiohttp import web

from fcacrawler.browser.processes import browsers, kill
from fcacrawler.worlds import open_world
from tests.browser.app import app, seed, words
from tests.browser.process import crawl
from tests.site import Site, page

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("chromium")]
RACING = "auto racing"
MODES = ("never", "auto", "always")


def test_pages_built_by_scripts_are_found_with_auto_and_missed_with_never(site: Site) -> None:
    site.pages["/"] = seed("/app/1", "/app/2")
    for n in "12":
        site.pages[f"/app/{n}"] = app(f"App {n}", words(n), {f"/deep/{n}": "racing car"})
        site.pages[f"/deep/{n}"] = page(f"Deep {n}", words(f"deep {n}"))
    never = crawl(topic=RACING, seeds=site.base, js="never")
    assert sorted(site.fetched) == ["/", "/app/1", "/app/2"]
    assert never.item(site.url("/app/1"))["text"] == ""
    site.hits.clear()
    auto = crawl(topic=RACING, seeds=site.base)
    assert sorted(site.fetched) == ["/", "/app/1", "/app/2", "/deep/1", "/deep/2"]  # each asked for once
    assert words("1") in auto.item(site.url("/app/1"))["text"]
    assert auto.item(site.url("/app/1"))["out_links"] == 1
    assert auto.stats["fca/browser/needed"] == auto.stats["fca/browser/shown"] == 2
    assert auto.stats["fca/pages"] == 5
    assert "2 pages needed their scripts" in auto.summary


def test_the_demo_webs_pages_of_scripts_are_found_without_a_socket() -> None:
    built = [url for url, label in open_world("demo").labels() if "/app/" in url and label == "hockey"][:5]
    given = {"FCA_WORLD": "demo", "http_proxy": "http://127.0.0.1:9"}  # nobody answers there
    found = {js: crawl(environment=given, topic="hockey", seeds=",".join(built), deny=".", js=js) for js in MODES}
    read = {js: sum(len(item["text"]) > 1000 for item in outcome.items) for js, outcome in found.items()}
    assert read == {"never": 0, "auto": 5, "always": 5}
    assert all(item["out_links"] > 10 for item in found["auto"].items)


def test_the_budget_is_exact(site: Site) -> None:
    site.pages["/"] = seed(*(f"/app/{n}" for n in range(6)))
    for n in range(6):
        site.pages[f"/app/{n}"] = app(f"App {n}", words(n), {f"/deep/{n}": "racing car"})
    outcome = crawl(topic=RACING, seeds=site.base, pages=4)
    assert outcome.stats["fca/pages"] == len(site.fetched) == 4
    assert outcome.stats["finish_reason"] == "budget"


def test_what_was_learned_of_one_page_sends_its_like_to_the_browser_at_once_and_no_other(
    site: Site, tmp_path: Path
) -> None:
    """The second page has text and links of its own: by itself it would not be taken for thin."""
    menu = "".join(f'<a href="/none/{n}">{n}</a>' for n in range(20))
    site.pages["/"] = seed("/app/1")
    site.pages["/app/1"] = app("App 1", words(1), {"/app/2": "racing car 2", "/plain/3": "racing car 3"})
    second = app("App 2", words(2), {"/deep": "auto racing deep"})
    site.pages["/app/2"] = second.replace("<body>", f"<body><p>{words('intro 1')}</p><p>{words('intro 2')}</p>{menu}")
    site.pages["/plain/3"] = second.replace("<body>", f"<body><p>{words('other 1')}</p><p>{words('other 2')}</p>{menu}")
    settings = {"JOBDIR": str(tmp_path / "job")}
    outcome = crawl(settings, topic=RACING, seeds=site.base, deny="/none/")
    assert outcome.stats["fca/browser/shown"] == 2
    assert words(2) in outcome.item(site.url("/app/2"))["text"]
    assert words(2) not in outcome.item(site.url("/plain/3"))["text"]
    host = site.base.removeprefix("http://")
    assert json.loads((tmp_path / "job" / "browser.json").read_text("utf-8")) == {f"{host}/app/*": [1, 1], host: [1, 1]}


def test_always_shows_every_page_and_keeps_what_a_script_would_take_away(site: Site) -> None:
    site.pages["/"] = seed("/more", "/less")
    late = "document.querySelector('h1').append(' by night')"
    site.pages["/more"] = page("Race", words(1), {"/": "auto racing"}).replace("</body>", f"<script>{late}</script>")
    site.pages["/less"] = page("Race", words(2), {"/": "racing"}).replace(
        "</body>", "<script>document.body = document.createElement('body')</script>"
    )
    outcome = crawl(topic=RACING, seeds=site.base, js="always")
    assert outcome.stats["fca/browser/shown"] == 3
    assert "Race by night" in outcome.item(site.url("/more"))["text"]
    assert words(2) in outcome.item(site.url("/less"))["text"]


def test_a_crawl_that_needs_no_browser_starts_none(site: Site) -> None:
    site.pages["/"] = seed("/1", "/2")
    site.pages["/1"] = page("Auto racing 1", words(1), {"/2": "racing car"}).replace(
        "</body>", "<script>count()</script></body>"
    )
    site.pages["/2"] = page("Auto racing 2", words(2))
    outcome = crawl(topic=RACING, seeds=site.base)
    assert len(outcome.items) == 3
    assert not outcome.started
    assert not any(key.startswith(("fca/browser", "playwright")) for key in outcome.stats)


def test_a_killed_browser_costs_no_page(site: Site) -> None:
    killed: list[int] = []

    async def data(request: web.Request) -> web.Response:
        if not killed:
            killed.extend(browsers())
            for browser in killed:
                kill(browser)
        return web.Response(text="1", headers={"Content-Type": "application/json"})

    site.pages["/"] = seed(*(f"/app/{n}" for n in range(4)))
    for n in range(4):
        site.pages[f"/app/{n}"] = app(f"App {n}", words(n), before="fetch('/data');")
    site.pages["/data"] = data
    outcome = crawl(topic=RACING, seeds=site.base)
    assert killed
    assert outcome.stats["playwright/browser_count"] == 2
    assert all(words(n) in outcome.item(site.url(f"/app/{n}"))["text"] for n in range(4))
    assert "Traceback" not in outcome.told


def test_a_page_that_never_ends_costs_its_time_and_no_more(site: Site) -> None:
    site.pages["/"] = seed("/hung/1", "/app/2", "/app/3")
    site.pages["/hung/1"] = app("Hung", words("hung"), before="for (;;) {}")
    for n in (2, 3):
        site.pages[f"/app/{n}"] = app(f"App {n}", words(n))
    outcome = crawl({"FCA_BROWSER_SECONDS": 8, "FCA_BROWSER_PAGES": 1}, topic=RACING, seeds=site.base)
    assert outcome.stats["fca/browser/failed/time"] == 1
    assert outcome.item(site.url("/hung/1"))["text"] == ""
    assert all(words(n) in outcome.item(site.url(f"/app/{n}"))["text"] for n in (2, 3))
    assert "1 in vain: time" in outcome.summary
    assert set(outcome.tabs) <= {"about:blank"}


def test_a_page_that_eats_memory_costs_a_browser_and_no_crawl(site: Site) -> None:
    eats = "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));"
    site.pages["/"] = seed("/hungry/1", "/app/2")
    site.pages["/hungry/1"] = app("Hungry", words("hungry"), before=eats)
    site.pages["/app/2"] = app("App 2", words(2))
    outcome = crawl({"FCA_BROWSER_MEMORY": 900, "FCA_BROWSER_PAGES": 1}, topic=RACING, seeds=site.base)
    assert outcome.stats["fca/browser/memory"] >= 1
    assert outcome.item(site.url("/hungry/1"))["text"] == ""
    assert words(2) in outcome.item(site.url("/app/2"))["text"]


WILD = """
alert('1'); confirm('2'); prompt('3');
window.open('/popup'); window.open('/popup2', '_blank', 'noopener');
new Image().src = '/image.png';
document.body.insertAdjacentHTML('beforeend', `<iframe src="/frame"></iframe><video src="/video.mp4"></video>
  <link rel=stylesheet href="/style.css"><link rel=preload as=font href="/font.woff"><link rel=prefetch href="/next">
  <a id=load href="/file.zip" download>x</a><form id=form action="/form" method=post></form>`);
document.getElementById('load').click();
document.getElementById('form').submit();
navigator.sendBeacon('/beacon', 'x');
try { new WebSocket(location.origin.replace('http', 'ws') + '/socket'); } catch (e) {}
try { new EventSource('/events'); } catch (e) {}
try { new Worker('/worker.js'); } catch (e) {}
try { navigator.serviceWorker.register('/service.js'); } catch (e) {}
try { new RTCPeerConnection({iceServers: [{urls: 'stun:' + location.host}]}).createDataChannel('x'); } catch (e) {}
fetch('/post', {method: 'POST', body: 'x'}).catch(() => 0);
fetch('file:///etc/passwd').catch(() => 0);
fetch('/private/data').catch(() => 0);
fetch('/data').catch(() => 0);
const later = document.createElement('script'); later.src = '/later.js'; document.body.append(later);
"""


def test_a_page_reaches_nothing_but_scripts_and_data_that_robots_may_have(site: Site) -> None:
    async def script(request: web.Request) -> web.Response:
        return web.Response(text="document.title = 'later'", content_type="text/javascript")

    async def data(request: web.Request) -> web.Response:
        return web.Response(text="1", content_type="application/json")

    async def robots(request: web.Request) -> web.Response:
        return web.Response(text="User-agent: *\nDisallow: /private/\n")

    site.pages.update({"/later.js": script, "/data": data, "/robots.txt": robots, "/": seed("/app/1", "/app/2")})
    site.pages["/app/1"] = app("App 1", words(1), more=WILD)
    site.pages["/app/2"] = app("App 2", words(2), more=WILD)
    outcome = crawl({"FCA_BROWSER_PAGES": 1}, topic=RACING, seeds=site.base)
    assert sorted(site.fetched) == ["/", "/app/1", "/app/2", "/data", "/data", "/later.js", *2 * ["/worker.js"]]
    assert words(1) in outcome.item(site.url("/app/1"))["text"]
    assert words(2) in outcome.item(site.url("/app/2"))["text"]
    assert len(outcome.tabs) <= 1


def test_where_a_script_sends_its_reader_scrapy_goes_under_its_own_rules(site: Site) -> None:
    site.pages["/"] = seed("/gate/1", "/gate/2")
    site.pages["/gate/1"] = "<html><head><script>location.replace('/race/1')</script></head></html>"
    site.pages["/gate/2"] = "<html><script>setTimeout(() => location.href = '/gate/2?again', 50)</script></html>"
    site.pages["/gate/2?again"] = "<html><script>location.href = '/gate/2'</script></html>"
    site.pages["/race/1"] = page("Race", words("race"))
    outcome = crawl({"REDIRECT_MAX_TIMES": 3}, topic=RACING, seeds=site.base)
    assert outcome.item(site.url("/gate/1"))["final_url"] == site.url("/race/1")
    assert sum(path.startswith("/gate/2") for path in site.fetched) <= 4


def test_a_page_that_grows_beyond_what_a_page_may_have_stays_as_it_came(site: Site) -> None:
    site.pages["/"] = seed("/app/1")
    site.pages["/app/1"] = app("App", words(1), more="document.body.append('x'.repeat(3e6));")
    outcome = crawl({"DOWNLOAD_MAXSIZE": 2_000_000}, topic=RACING, seeds=site.base)
    assert outcome.stats["fca/browser/failed/size"] == 1
    assert outcome.item(site.url("/app/1"))["text"] == ""


def test_without_a_browser_the_crawl_says_so_once_and_goes_on(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = seed("/app/1", "/app/2")
    site.pages["/app/1"] = site.pages["/app/2"] = app("App", words(1))
    nowhere = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}
    outcome = crawl(environment=nowhere, topic=RACING, seeds=site.base)
    assert outcome.stats["fca/browser/missed"] == 2
    assert outcome.told.count("there is no browser:") == 1
    assert "2 pages are built by their scripts and were read without them" in outcome.summary


def test_a_browser_that_does_not_start_is_given_up(site: Site, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    site.pages["/"] = seed(*(f"/app/{n}" for n in range(6)))
    for n in range(6):
        site.pages[f"/app/{n}"] = app(f"App {n}", words(n))
    outcome = crawl({"FCA_BROWSER": str(program)}, topic=RACING, seeds=site.base)
    assert outcome.stats["fca/browser/failed/start"] == 6
    assert outcome.told.count("does not start") == 3
    assert "Traceback" not in outcome.told
