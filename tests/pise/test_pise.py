"""The page over the crawls of a folder, as a browser without scripts sees it; and what strangers try."""

from __future__ import annotations

import json
import re
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from fcacrawler.app.marking import marked
from fcacrawler.app.marks import standing
from fcacrawler.app.searching import index
from fcacrawler.page import canonical_url
from fcacrawler.pise.application import application
from fcacrawler.pise.crawls import Crawls
from fcacrawler.pise.guard import Doors
from fcacrawler.pise.wanted import Wanted
from fcacrawler.values.errors import BadOptions, BadStore
from fcacrawler.weblogs.growing import GrowingLog
from tests.search.harvests import harvest, item

BASE = "http://127.0.0.1:8087"
EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
PAGES = [
    item(
        "http://tea.test/green", "Green tea", "Leaves are steamed and dried.", path=["http://tea.test/"], anchor="tea"
    ),
    item(f"http://evil.test/?q={EVIL}".replace(" ", "%20"), EVIL, f"steamed {EVIL}", language="en"),
    item("http://tea.test/black", "Black tea", "Leaves are fermented.", relevant=False, semrank=0.1),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    jobs = tmp_path_factory.mktemp("jobs")
    index(harvest(jobs / "tea", PAGES))
    (jobs / "broken").mkdir()
    (jobs / "broken" / "crawl.sqlite").write_bytes(b"no database" * 1000)
    return jobs


@pytest.fixture
def browser(folder: Path) -> TestClient:
    client = TestClient(
        application(folder, Doors(frozenset({"127.0.0.1:8087"}))), base_url=BASE, follow_redirects=False
    )
    client.get("/")
    return client


def stamp(client: TestClient, path: str = "/clicks") -> str:
    found = re.search(r'name="stamp" value="(\w+)"', client.get(path).text)
    assert found
    return found[1]


def clicks(folder: Path) -> list[dict[str, Any]]:
    file = folder / "clicks.jsonl"
    return list(map(json.loads, file.read_text().splitlines())) if file.exists() else []


def test_a_folder_without_a_crawl_offers_the_demo(tmp_path: Path) -> None:
    client = TestClient(application(tmp_path, Doors(frozenset({"127.0.0.1:8087"}))), base_url=BASE)
    assert "Crawl the demo web for" in client.get("/").text
    assert "There is nothing to search yet" in client.get("/search?q=tea").text
    assert "aside" not in client.get("/search").text


def test_crawls_are_listed_and_a_broken_one_says_so(browser: TestClient) -> None:
    text = browser.get("/").text
    assert 'href="/crawl/tea"' in text
    assert "3 pages" in text
    assert "file is not a database" in text


def test_what_is_found_is_shown_with_marks_facets_and_what_is_left_out(browser: TestClient) -> None:
    text = browser.get("/search?q=steaming").text
    assert "<mark>steamed</mark>" in text
    assert re.search(r"host=tea.test[^>]*>tea.test</a>", text)
    assert "broken is left out" in text
    assert "Black tea" not in browser.get("/search?q=tea&relevant=1").text
    assert "Black tea" in browser.get("/search?q=tea").text
    assert "Nothing was found" in browser.get("/search?q=zebra&job=tea&host=tea.test&since=2030-01-01").text


def test_no_word_is_a_message_and_no_question_is_the_beginning(browser: TestClient) -> None:
    answer = browser.get("/search?q=%3F%21")
    assert (answer.status_code, "no word to look for" in answer.text) == (400, True)
    many = browser.get("/search", params={"q": "steamed " + "word " * 500}).text
    assert len(many.partition("<title>")[2].partition("</title>")[0]) < 80
    text = browser.get("/search").text
    assert "those first that between them show what there is" in text
    assert text.index("Green tea") < text.index("Black tea")


@pytest.mark.parametrize("path", ["/search?q=steamed", "/page?job=tea&n=2", "/page?job=tea&n=1", "/crawl/tea"])
def test_what_strangers_wrote_stays_text(browser: TestClient, path: str) -> None:
    text = browser.get(path).text
    assert "<script>alert" not in text
    assert "<img" not in text
    assert browser.get("/search", params={"q": EVIL}).text.count("<script") == 1  # ours


def test_a_page_tells_its_text_its_path_and_why(browser: TestClient) -> None:
    text = browser.get("/page?job=tea&n=1&q=tea").text
    assert "Leaves are steamed and dried." in text
    assert "http://tea.test/</li>" in text
    assert "by the link “tea”" in text
    assert "read, it ranks" in text
    assert "More like this" in text


def test_every_answer_forbids_what_a_page_needs_not(browser: TestClient) -> None:
    for path in ("/", "/search?q=tea", "/static/pise.css", "/nothing"):
        headers = browser.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<script>|\son\w+=|style=|javascript:", browser.get("/search?q=tea").text)


def test_opening_a_page_is_written_down_in_a_log_that_learn_reads(browser: TestClient, folder: Path) -> None:
    before = len(clicks(folder))
    answer = browser.get("/go?job=tea&n=1&q=green+tea")
    assert (answer.status_code, answer.headers["location"]) == (303, "http://tea.test/green")
    (click,) = clicks(folder)[before:]
    assert (click["query"], click["url"], len(click["user"])) == ("green tea", "http://tea.test/green", 16)
    log = GrowingLog(folder / "clicks.jsonl", canonical_url)
    log.read()
    assert log.rejected == 0


def test_clicks_of_other_sites_strangers_and_who_does_not_want_it_are_not_kept(
    browser: TestClient, folder: Path
) -> None:
    before = len(clicks(folder))
    assert browser.get("/go?job=tea&n=1&q=tea", headers={"sec-fetch-site": "cross-site"}).status_code == 303
    fresh = TestClient(browser.app, base_url=BASE, follow_redirects=False)
    assert fresh.get("/go?job=tea&n=1&q=tea").status_code == 303
    browser.post("/clicks", data={"stamp": stamp(browser), "keep": "0"})
    assert "Keep them" in browser.get("/clicks").text
    assert "are not written down" in browser.get("/").text
    browser.get("/go?job=tea&n=1&q=tea")
    assert len(clicks(folder)) == before


@pytest.mark.parametrize(
    "query",
    ["job=tea&n=99", "job=tea&n=-1", "job=tea&n=http://evil.test/", "job=../tea&n=1", "job=/etc&n=1", "n=1", "job=tea"],
)
def test_only_stored_pages_are_gone_to(browser: TestClient, query: str) -> None:
    answer = browser.get(f"/go?{query}&url=http://evil.test/")
    assert answer.status_code == 400
    assert "location" not in answer.headers


def test_marks_are_the_crawls(browser: TestClient, folder: Path) -> None:
    form = {"stamp": stamp(browser), "of": "tea", "n": "1", "mark": "good", "q": "tea leaves", "host": "tea.test"}
    answer = browser.post("/mark", data=form)
    assert answer.headers["location"] == "/search?q=tea+leaves&host=tea.test"
    assert standing(marked(str(folder / "tea"), "").marks())["http://tea.test/green"].good is True
    assert 'class="mark good" aria-pressed="true"' in browser.get("/search?q=steamed").text
    answer = browser.post("/mark", data={**form, "mark": "none"}, headers={"accept": "application/json"})
    assert answer.json() == {"url": "http://tea.test/green", "mark": "none"}
    assert standing(marked(str(folder / "tea"), "").marks()) == {}
    assert browser.post("/mark", data={**form, "mark": "fine"}).status_code == 400


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_what_is_found_is_exported(browser: TestClient, kind: str) -> None:
    answer = browser.get(f"/export?q=fermented&format={kind}&host=tea.test")
    assert f'filename="found.{kind}"' in answer.headers["content-disposition"]
    assert "http://tea.test/black" in answer.text
    assert browser.get("/export?q=tea&format=exe").status_code == 400


def test_programs_get_json_feeds_and_a_description(browser: TestClient) -> None:
    found = browser.get("/api/search?q=green+tea").json()
    assert found["hits"][0]["url"] == "http://tea.test/green"
    assert browser.get("/api/search?q=!").json()["error"].startswith("there is no word")
    assert {card["name"] for card in browser.get("/api/crawls").json()} == {"tea", "broken"}
    assert f'template="{BASE}/search?q={{searchTerms}}"' in browser.get("/opensearch.xml").text
    feed = browser.get("/rss?job=tea").text
    assert "http://tea.test/green" in feed
    assert "black" not in feed
    assert "<script" not in feed
    assert "http://tea.test/green" in browser.get("/rss").text  # of all that can be read
    for name in ("broken", "none"):
        assert browser.get(f"/rss?job={name}").status_code == 400


# -- who may ask


@pytest.mark.parametrize("host", ["evil.test", "evil.test:8087", "127.0.0.1", "127.0.0.1:8087.evil.test", ""])
def test_it_is_not_known_under_another_name(browser: TestClient, host: str) -> None:
    assert browser.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("path", ["/new", "/mark", "/clicks", "/crawl/tea"])
def test_a_form_of_another_site_is_refused(browser: TestClient, path: str) -> None:
    assert browser.post(path, data={"topic": "tea"}).status_code == 403
    assert browser.post(path, data={"stamp": "0" * 64}).status_code == 403
    theirs = {"sec-fetch-site": "cross-site"}
    assert browser.post(path, data={"stamp": stamp(browser)}, headers=theirs).status_code == 403
    other = TestClient(browser.app, base_url=BASE)
    assert other.post(path, data={"stamp": stamp(browser)}).status_code == 403


def test_a_form_has_bounds(browser: TestClient) -> None:
    assert browser.post("/mark", content=b"x" * 300_000).status_code == 413
    assert browser.post("/mark", content=b"&".join(b"a%d=1" % n for n in range(500))).status_code == 400
    assert browser.request("DELETE", "/").status_code == 405


def test_with_a_token_only_who_knows_it_sees_anything(folder: Path) -> None:
    doors = Doors(frozenset({"127.0.0.1:8087"}), token="known")
    client = TestClient(application(folder, doors), base_url=BASE, follow_redirects=False)
    for path in ("/", "/search?q=tea", "/static/pise.css", "/?token=guess", "/api/crawls"):
        assert client.get(path).status_code == 403
    assert client.get("/?token=known").status_code == 303
    assert client.get("/").status_code == 200


@pytest.fixture
def crawls(tmp_path: Path) -> Crawls:
    (tmp_path / "tea").mkdir()
    return Crawls(tmp_path, tmp_path / "clicks.jsonl")


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        (Wanted(""), "say what to look for"),
        (Wanted("x" * 301), "300 characters at most"),
        (Wanted("tea"), "name some pages to begin with"),
        (Wanted("tea", seeds="/etc/passwd"), "is no URL"),
        (Wanted("tea", seeds="file:///etc/passwd"), "is no URL"),
        (Wanted("tea", seeds="-a"), "is no URL"),
        (Wanted("tea", demo=True, examples="../x.txt"), "is no URL"),
        (Wanted("tea", demo=True, pages="0"), "pages: a number"),
        (Wanted("tea", demo=True, pages="1 -s X=1"), "pages: a number"),
        (Wanted("tea", demo=True, stay="host -s X=1"), "stay: must be"),
    ],
)
def test_a_crawl_that_makes_no_sense_is_not_begun(crawls: Crawls, wanted: Wanted, problem: str) -> None:
    with pytest.raises(BadOptions, match=problem):
        crawls.start(wanted)
    assert [path.name for path in crawls.folder.iterdir()] == ["tea"]


def test_a_crawl_that_has_only_begun_is_known(crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its store is made when it has asked engines, and looked for its topic."""
    monkeypatch.setattr("sys.executable", "false")
    name = crawls.start(Wanted("tea", demo=True))
    crawls._started[name].wait()
    card = crawls.card(name)
    assert (card.pages, card.status, card.alive) == (0, None, False)
    assert card.problem == "it ended at once"


def test_a_full_disk_leaves_no_half_crawl(crawls: Crawls, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(BadOptions, match="tea-2 cannot be written to: No space left"):
        crawls.start(Wanted("tea", demo=True))
    assert not (crawls.folder / "tea-2").exists()


def test_why_a_crawl_is_not_searchable_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (harvest(tmp_path / "tea", PAGES) / "search.sqlite").touch()  # as a full disk leaves it
    app = application(tmp_path, Doors(frozenset({"127.0.0.1:8087"})))
    client, kept = TestClient(app, base_url=BASE), app.state.harvest
    assert "tea has no search index yet" in client.get("/search?q=tea").text
    monkeypatch.setattr("fcacrawler.pise.harvest.STILL", -1e9)
    with monkeypatch.context() as patch:
        patch.setattr("fcacrawler.pise.harvest.index", lambda folder: (_ for _ in ()).throw(BadStore("disk is full")))
        kept.follow()
    assert "tea is left out: disk is full" in client.get("/search?q=tea").text
    kept.follow()
    assert "http://tea.test/green" in client.get("/search?q=tea").text


@pytest.mark.parametrize("name", ["..", "/etc", "tea/../..", "", "none", ".tea", "tea\0"])
def test_a_name_is_that_of_a_crawl_in_the_folder(browser: TestClient, folder: Path, name: str) -> None:
    for path in ("/search", "/page", "/rss", "/export"):
        answer = browser.get(path, params={"job": name, "q": "tea", "n": "1"})
        assert "root:" not in answer.text
        assert "steamed" not in answer.text or not name


def test_prometheus_reads_of_all_crawls(folder: Path, browser: TestClient) -> None:
    told = browser.get("/metrics")
    assert told.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert 'fcacrawler_up{crawl="tea"} 0\n' in told.text
    closed = TestClient(application(folder, Doors(frozenset({"127.0.0.1:8087"}), "secret")), base_url=BASE)
    assert closed.get("/metrics").status_code == 403
    assert closed.get("/metrics", headers={"Authorization": "Bearer other"}).status_code == 403
    assert closed.get("/metrics", headers={"Authorization": "Bearer secret"}).text == told.text
