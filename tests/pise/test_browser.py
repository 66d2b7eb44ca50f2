"""The whole story in a real browser: a topic typed, the demo web crawled, searched, opened, marked."""

from __future__ import annotations

import json
import re
import signal
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
        server.send_signal(signal.SIGINT)  # Ctrl-C
        assert server.wait() == 0


def new_page(browser: Browser, **options: object) -> Page:
    page = browser.new_context(**options).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(120_000)
    return page


def test_a_topic_is_typed_crawled_searched_opened_and_marked(browser: Browser, base: str, tmp_path: Path) -> None:
    problems: list[str] = []
    page = new_page(browser)
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(f"{base}/new")
    expect(page.locator("#topic")).to_be_focused()
    page.keyboard.type("auto racing")  # the field has the focus
    page.fill("#pages", "80")
    page.check("[name=demo]")
    page.focus("text=Start")
    page.keyboard.press("Enter")
    some = r"It does not run .* (7\d|80) pages"  # a response may be none
    expect(page.locator(".state")).to_contain_text(re.compile(some), timeout=120_000)

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
    paths = ("/", "/new", "/search", "/search?q=racing+driver", "/page?job=auto-racing&n=1", "/crawl/auto-racing")
    for path in (*paths, *(f"/crawl/auto-racing/{page}" for page in ("map", "why", "review")), "/clicks"):
        narrow.goto(base + path)
        assert narrow.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_a_crawl_is_walked_through_asked_and_taught_by_keyboard_alone(
    browser: Browser, base: str, tmp_path: Path
) -> None:
    """The map is walked by Tab and Enter, a review answered by a key a page, a URL asked why; also with scripts off."""
    settings = ["-s", f"JOBDIR={tmp_path / 'jobs' / 'racing'}", "-s", "FCA_WORLD=demo", "-s", "LOG_ENABLED=0"]
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "semrank",
        "-a",
        "topic=auto racing",
        "-a",
        "pages=80",
        *settings,
    ]
    subprocess.run([*command, "-s", "FCA_PROGRESS=off", "-s", "DOWNLOAD_DELAY=0"], cwd=ROOT, check=True)
    page = new_page(browser)
    page.goto(f"{base}/crawl/racing/map")
    first = page.locator("svg.lattice a").first
    words = first.locator("text").first.text_content()
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("h2").first).to_contain_text(str(words).removesuffix("…"))
    page.locator("svg.lattice a").first.focus()  # up again
    page.keyboard.press("Enter")
    expect(page.locator("h2").first).to_contain_text("All relevant pages")

    page.goto(f"{base}/crawl/racing/review")
    page.focus("main button")
    page.keyboard.press("Enter")
    for n, key in enumerate("gbg"):
        expect(page.locator("main")).to_contain_text(f"{n} pages marked")
        page.wait_for_load_state("load")
        page.keyboard.press(key)
    expect(page.locator("main")).to_contain_text("3 pages marked; of the others")
    assert [mark.word for mark in marked(str(tmp_path / "jobs" / "racing"), "").marks()] == ["good", "bad", "good"]
    page.wait_for_load_state("load")
    page.keyboard.press("q")
    expect(page).to_have_url(f"{base}/crawl/racing")

    page.wait_for_load_state("load")
    page.keyboard.press("/")
    page.keyboard.type("rac")
    expect(page.locator("#suggested option").first).to_have_attribute("value", re.compile("^rac"))

    plain = new_page(browser, java_script_enabled=False, viewport={"width": 360, "height": 700})
    plain.goto(f"{base}/crawl/racing")
    expect(plain.locator("svg.curve")).to_have_count(2)
    plain.goto(f"{base}/search?job=racing")
    plain.locator(".chips a").first.click()
    expect(plain.locator(".hit").first).to_be_visible()
    plain.goto(f"{base}/crawl/racing/why")
    plain.fill("#url", "http://nowhere.test/")
    plain.locator("main button").click()
    expect(plain.locator(".pill")).to_have_text("unknown")  # the page asks again by itself
