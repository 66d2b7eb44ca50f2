"""Which pages need a browser, what is learned of them, and where the browser is."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.browser import BrowserOptions, Learned, Look, find_browser, suspicious
from fcacrawler.browser.learned import shape_of
from fcacrawler.values.errors import BadOptions
from fcacrawler.worlds import open_world
from tests.browser.app import app, words
from tests.site import page


@pytest.mark.parametrize(
    ("html", "why"),
    [
        (app("App", words(1)), "hint"),
        ('<body><div id="root"></div><script src=/a.js></script>', "hint"),
        ("<body><app-root></app-root><script src=/a.js></script>", "hint"),
        ("<p>Some text.</p><SCRIPT>count()</SCRIPT>", "few links"),
        ("<div id=root></div>", ""),  # nothing that could fill it
        (page("Race", words(2), {f"/{n}": "race" for n in range(9)}) + "<script>count()</script>", ""),
        ("<noscript><img src=/count.gif></noscript><script>x</script>" + 9 * "<a href=/x>x</a>", ""),
    ],
)
def test_pages_that_may_be_built_by_scripts_are_told_by_a_look_at_their_bytes(html: str, why: str) -> None:
    assert suspicious(html.encode()) == why


def test_the_demo_webs_pages_of_scripts_are_suspicious_and_hardly_any_other() -> None:
    demo = open_world("demo")
    urls = list(demo.urls())
    found = {url for url in urls[::7] if suspicious(demo.answer(url).body)}  # type: ignore[union-attr]
    assert found == {url for url in urls[::7] if "/app/" in url}


@given(st.binary(max_size=300), st.integers(0, 2000))
def test_any_bytes_are_looked_at(body: bytes, times: int) -> None:
    suspicious(body * times)


@pytest.mark.parametrize(
    "unit", [b"<noscript", b"<div id=app", b"<div ", b"<script><noscript>javascript", b"<app-root"]
)
def test_looking_takes_no_longer_than_the_bytes_are_many(unit: bytes) -> None:
    times = []
    for size in (1 << 16, 1 << 18):
        begun = thread_time()
        suspicious(b"<script" + unit * (size // len(unit)))
        times.append(thread_time() - begun)
    assert all(later < 0.5 for later in times)


def test_gains_and_losses_are_apart() -> None:
    looks = [Look(0, 0, 0), Look(250, 250, 1), Look(200, 600, 30), Look(2000, 3000, 60)]
    for poor, rich in pairwise(looks):
        assert poor.gained(rich)
        assert not rich.gained(poor)
        assert not poor.lost(rich)
    assert looks[3].lost(looks[0])
    assert not any(look.gained(look) for look in looks)


A, B = "https://a.example/app/1", "https://a.example/app/2"


def test_one_page_that_needed_the_browser_speaks_for_its_like_and_for_no_other() -> None:
    learned = Learned()
    assert learned.needs(A) is None
    learned.note(A, True)
    assert learned.needs(B) is True
    assert learned.needs("https://a.example/news/2") is None
    assert learned.needs("https://b.example/app/2") is None


def test_what_speaks_against_it_is_heard() -> None:
    learned = Learned()
    learned.note(A, True)
    learned.note(B, False)
    assert learned.needs(A) is None  # some do, some do not: each is looked at
    useless = Learned()
    for n in range(3):
        useless.note(f"https://a.example/{n}.html", False)
    assert useless.needs("https://a.example/9.html") is False


def test_a_host_whose_pages_cannot_be_shown_is_left_alone_unless_some_needed_it() -> None:
    hung, mixed = Learned(), Learned()
    mixed.note("https://a.example/app/1", True)
    for n in range(5):
        for learned in (hung, mixed):
            assert learned.needs(f"https://a.example/{'x' * n}/1") is None
            learned.failed(f"https://a.example/{'x' * n}/1")
    assert hung.needs("https://a.example/other/") is False
    assert hung.needs("https://b.example/other/") is None
    assert mixed.needs("https://a.example/other/") is None
    assert mixed.needs("https://a.example/app/2") is True


def test_it_is_bounded_and_forgets_what_was_met_first() -> None:
    learned = Learned(most=4)
    for host in "abc":
        learned.note(f"https://{host}.example/x", True)
    assert [learned.needs(f"https://{host}.example/y") for host in "abc"] == [None, True, True]


def test_it_is_kept_with_the_crawl_and_survives_what_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "job" / "browser.json"
    Learned(path).note(A, True)
    assert Learned(path).needs(B) is True
    for damage in ("{", "[1]", '{"a": 1}', '{"a": ["x", 1]}'):
        path.write_text(damage)
        assert Learned(path).needs(B) is None


@given(st.text())
def test_every_url_has_a_shape_of_bounded_length(tail: str) -> None:
    assert len(shape_of("https://a.example/" + tail)) <= 500


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "own"))
    return tmp_path


def program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    path.chmod(0o755)
    return str(path)


def test_the_systems_browser_is_found_and_playwrights_newest_own_before_it(nowhere: Path) -> None:
    assert find_browser(BrowserOptions()) is None
    system = program(nowhere / "chromium")
    assert find_browser(BrowserOptions()) == system
    program(nowhere / "own" / "chromium-999" / "chrome-linux" / "chrome")
    newest = program(nowhere / "own" / "chromium-1200" / "chrome-linux64" / "chrome")
    assert find_browser(BrowserOptions()) == newest
    assert find_browser(BrowserOptions(browser=system)) == system


def test_never_looks_for_no_browser_and_what_is_asked_for_must_be_there(nowhere: Path) -> None:
    program(nowhere / "chromium")
    assert find_browser(BrowserOptions(js="never", browser="none/such")) is None
    with pytest.raises(BadOptions, match="none/such"):
        find_browser(BrowserOptions(browser="none/such"))
    (nowhere / "chromium").unlink()
    with pytest.raises(BadOptions, match="apt install chromium"):
        find_browser(BrowserOptions(js="always"))
