"""The whole story in a real browser: a topic typed, the demo web crawled, searched, opened, marked."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from fcacrawler.app.marking import marked
from fcacrawler.browser import BrowserOptions, find_browser

pytestmark = pytest.mark.slow
expect.set_options(timeout=60_000)
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = find_browser(BrowserOptions())
    if program is None:
        pytest.skip("there is no browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def base(tmp_path: Path) -> Iterator[str]:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", "scrapy", "pise", str(tmp_path / "jobs"), "--port", port]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert "http://" in server.stdout.readline()
        yield f"http://127.0.0.1:{port}"
        server.terminate()


def new_page(browser: Browser, **options: object) -> Page:
    page = browser.new_context(**options).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(120_000)
    return page


def test_a_topic_is_typed_crawled_searched_opened_and_marked(browser: Browser, base: str, tmp_path: Path) -> None:
    problems: list[str] = []
    page = new_page(browser)
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(f"{base}/new")
    page.keyboard.type("auto racing")  # the field has the focus
    page.fill("#pages", "80")
    page.check("[name=demo]")
    page.focus("text=Start")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=It does not run · 80 pages", timeout=120_000)

    page.keyboard.press("/")
    page.keyboard.type("racing driver")
    page.keyboard.press("Enter")
    page.wait_for_selector("mark")
    page.wait_for_load_state("load")
    page.keyboard.press("j")
    page.keyboard.press("g")
    expect(page.locator(".hit .good").first).to_have_attribute("aria-pressed", "true")
    first = page.locator(".hit .address").first.inner_text()
    (mark,) = marked(str(tmp_path / "jobs" / "auto-racing"), "").marks()
    assert (mark.url, mark.word) == (first, "good")
    with page.expect_request(first):  # nobody answers there
        page.keyboard.press("Enter")
    (click,) = map(json.loads, (tmp_path / "jobs" / "clicks.jsonl").read_text().splitlines())
    assert (click["url"], click["query"]) == (first, "racing driver")
    assert problems == []

    plain = new_page(browser, java_script_enabled=False, viewport={"width": 360, "height": 700})
    plain.goto(f"{base}/search?q=racing+driver")
    plain.locator(".hit .bad").nth(1).click()
    expect(plain.locator(".hit .bad").nth(1)).to_have_attribute("aria-pressed", "true")
    assert len(marked(str(tmp_path / "jobs" / "auto-racing"), "").marks()) == 2
    narrow = new_page(browser, viewport={"width": 360, "height": 700})
    for path in ("/", "/new", "/search?q=racing+driver", "/page?job=auto-racing&n=1", "/crawl/auto-racing"):
        narrow.goto(base + path)
        assert narrow.evaluate("document.documentElement.scrollWidth") <= 360, path
