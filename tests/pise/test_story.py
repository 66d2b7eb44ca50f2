"""From words alone, in a real browser: two engines are asked, a crawl is begun, watched, searched, clicked in and
marked, and a second one knows better whom to ask."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from aiohttp import web
from playwright.sync_api import Page, expect, sync_playwright

from fcacrawler.app.marking import marked
from fcacrawler.browser import BrowserOptions, find_browser
from fcacrawler.engines import Performance
from fcacrawler.worlds import open_world
from tests.engines.answering import written
from tests.processes import scrapy
from tests.site import serving

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
TOPIC = "rugby"


@contextmanager
def pise(folder: Path, **environment: str) -> Iterator[str]:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", "scrapy", "pise", str(folder), "--port", port]
    env = {**os.environ, **environment}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=env) as server:
        assert server.stdout is not None
        assert "http://" in server.stdout.readline()
        yield f"http://127.0.0.1:{port}"
        server.terminate()


@contextmanager
def poor() -> Iterator[str]:
    """Pages with the word, those with most of whatever words first: it does not know what they are about."""
    world = open_world("demo")
    texts = {url: world.answer(url).body.decode("utf-8", "replace") for url in list(world.urls())[::7]}  # type: ignore[union-attr]
    counts = {url: Counter(re.findall(r"\w+", text.lower())) for url, text in texts.items()}

    async def answer(request: web.Request) -> web.StreamResponse:
        wanted = request.query["q"].lower().split()
        having = [url for url, count in counts.items() if any(count[word] for word in wanted)]
        best = sorted(having, key=lambda url: -counts[url].total())[:10]
        return web.json_response({"results": [{"url": url, "title": "A page", "content": ""} for url in best]})

    with serving({"/search": answer}) as site:
        yield site.base


@pytest.fixture
def base(tmp_path: Path) -> Iterator[str]:
    """A page of ours that may ask a page of ours over a broad harvest, and a poor engine."""
    topics = open_world("demo").topics.values()
    seeds = ",".join(topic.seeds[0] for topic in topics)
    broad = tmp_path / "broad" / "all"
    done = scrapy(
        "crawl", "semrank", "-a", "topic=all", "-a", f"seeds={seeds}", "-a", "order=bfs", "-a", "gamma=0",
        "-a", "pages=250", "-s", f"JOBDIR={broad}", "-s", "FCA_WORLD=demo", "-O", tmp_path / "broad.jsonl",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with ExitStack() as stack:
        ours, words = stack.enter_context(pise(tmp_path / "broad")), stack.enter_context(poor())
        path = written(tmp_path, ours={"kind": "pise", "url": ours}, words={"kind": "searxng", "url": words})
        yield stack.enter_context(pise(tmp_path / "jobs", FCA_ENGINES=str(path), FCA_WORLD="demo"))


@pytest.fixture
def page() -> Iterator[Page]:
    program = find_browser(BrowserOptions())
    if program is None:
        pytest.skip("there is no browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(120_000)
        yield page
        browser.close()


def pictured(page: Page, name: str) -> None:
    """Where somebody wants to look."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def begin(page: Page, base: str, pages: str) -> None:
    """By keyboard: the field has the focus, Enter asks the engines."""
    page.goto(f"{base}/new")
    expect(page.locator("#topic")).to_be_focused()
    page.keyboard.type(TOPIC)
    page.keyboard.press("Enter")
    page.wait_for_selector(".found li")
    page.fill("#pages", pages)
    pictured(page, f"offer-{pages}")


def test_words_alone_become_a_harvest_and_its_clicks_and_marks_a_better_one(
    page: Page, base: str, tmp_path: Path
) -> None:
    expect.set_options(timeout=120_000)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    begin(page, base, "60")
    assert page.locator(".words li").count() > 2
    first = page.locator(".found .about").all_inner_texts()
    assert any("ours" in text for text in first)
    assert any("words" in text for text in first)
    page.locator(".words input:checked").last.uncheck()
    page.locator(".found input").last.uncheck()
    left = page.locator(".found .address").last.inner_text()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/crawl/rugby")
    expect(page.locator("main")).to_contain_text("It does not run")
    pictured(page, "crawl")
    said = json.loads((tmp_path / "jobs/rugby/engines.json").read_text())
    assert left not in said["seeds"]
    assert set(said["urls"]) == {"ours", "words"}
    lessons = Performance.read(tmp_path / "engines.learned.jsonl").lessons
    assert {lesson.engine for lesson in lessons} == {"ours", "words"}

    page.keyboard.press("/")
    page.keyboard.type("rugby match")
    page.keyboard.press("Enter")
    page.wait_for_selector("mark")
    pictured(page, "search")
    for n in range(3):
        page.goto(f"{base}/search?q=rugby+match")
        address = page.locator(".hit .address").nth(n).inner_text()
        with page.expect_request(address):  # nobody answers there
            page.locator(".hit .title").nth(n).click()
    page.goto(f"{base}/search?q=rugby+match")
    for n in range(5):
        button = page.locator(".hit .good, .hit .bad").nth(2 * n + (n > 2))
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    clicks = [json.loads(line) for line in (tmp_path / "jobs/clicks.jsonl").read_text().splitlines()]
    assert [click["query"] for click in clicks] == ["rugby match"] * 3
    marks = {mark.word for mark in marked(str(tmp_path / "jobs/rugby"), "").marks()}
    assert marks == {"good", "bad"}

    begin(page, base, "50")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/crawl/rugby-2")
    expect(page.locator("main")).to_contain_text("It does not run")
    lessons = Performance.read(tmp_path / "engines.learned.jsonl").lessons
    assert sorted(lesson.engine for lesson in lessons) == ["ours", "ours", "words", "words"]  # of both crawls
    assert [text for text in problems if "ERR_" not in text] == []


def test_it_begins_with_scripts_off_and_in_a_narrow_window(base: str, page: Page) -> None:
    browser = page.context.browser
    assert browser is not None
    plain = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 700}).new_page()
    plain.set_default_timeout(120_000)
    begin(plain, base, "5")
    with plain.expect_navigation():
        plain.get_by_role("button", name="Ask again").click()
    plain.wait_for_selector(".found li")
    narrow = browser.new_context(viewport={"width": 360, "height": 700}).new_page()
    narrow.set_default_timeout(120_000)
    begin(narrow, base, "5")
    assert narrow.evaluate("document.documentElement.scrollWidth") <= 360
    pictured(narrow, "narrow")
    plain.get_by_role("button", name="Start").click()
    plain.wait_for_url("**/crawl/rugby")
