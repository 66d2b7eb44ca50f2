"""What strangers' pages, addresses and forms come to: each row of the table in docs/results/hostile.md."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from fcacrawler.app.searching import index
from fcacrawler.pise import clicks
from fcacrawler.pise.application import ANSWERS, application
from fcacrawler.pise.guard import Doors
from fcacrawler.search.index import NAME
from tests.search.harvests import harvest, item

BASE = "http://127.0.0.1:8087"
DOORS = Doors(frozenset({"127.0.0.1:8087"}))
EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{7777*7777}}{% raise %}\x00\x1b[31m\u202e\ud800"
EVIL_URL = "http://evil.test/%3Cscript%3E?q=\"'><script>"
BOTH = {"sec-fetch-site": "same-origin", "x-pise": "1"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    jobs = tmp_path_factory.mktemp("jobs")
    more = {"anchor": EVIL, "path": [EVIL_URL], "keywords": {EVIL: 1.0, "a,b": 0.9, "tea_time =x": 0.5}}
    pages = [item(f"{EVIL_URL}{n}", EVIL, f"steamed tea {EVIL}", **more) for n in range(4)]
    pages.append(item("http://long.test/" + "x" * 4000, "W" * 20_000, "tea " + "m" * 50_000, language="zz"))
    index(harvest(jobs / "tea", pages))
    return jobs


@pytest.fixture(scope="module")
def asker(folder: Path) -> TestClient:
    client = TestClient(application(folder, DOORS), base_url=BASE, follow_redirects=False)
    client.get("/")
    return client


PAGES = [
    "/", "/search", "/search?q=tea", "/page?job=tea&n=1", "/page?job=tea&n=5", "/crawl/tea", "/crawl/tea/map",
    "/crawl/tea/map?concept=a", "/crawl/tea/why", "/crawl/tea/review", "/clicks", "/new",
]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_a_title_a_text_a_keyword_that_are_scripts(asker: TestClient, path: str) -> None:
    answer = asker.get(path)
    assert answer.status_code == 200
    assert answer.text.count("<script") == 1  # ours
    assert "<img" not in answer.text
    assert "onerror=alert" not in re.sub(r"&[a-z#0-9]+;", "", answer.text).replace("onerror=alert(2)", "")
    assert "60481729" not in answer.text
    assert not re.search(r"<[a-z][^>]*\s(on\w+|style)\s*=", answer.text)
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_a_title_in_json_rss_and_exports(asker: TestClient) -> None:
    for path in ("/api/search?q=tea", "/api/page?job=tea&n=1", "/api/crawls/tea", "/api/crawls/tea/map"):
        answer = asker.get(path)
        assert answer.headers["content-type"] == "application/json"
        json.loads(answer.text)
    ElementTree.fromstring(asker.get("/rss?job=tea").content)
    ElementTree.fromstring(asker.get("/opensearch.xml").content)
    for line in asker.get("/export?q=tea").text.splitlines():
        json.loads(line)
    assert asker.get("/export?q=tea&format=csv").headers["content-type"].startswith("text/csv")


@pytest.mark.parametrize("words", ["", " ", "?!", "\x00", "\ud800", '"', "NEAR(", "a" * 60_000, "word " * 10_000])
def test_a_query_of_anything(asker: TestClient, words: str) -> None:
    answer = asker.get("/search", params={"q": words.encode("utf-8", "surrogatepass")})
    assert answer.status_code in (200, 400)
    assert asker.get("/suggest", params={"q": words.encode("utf-8", "surrogatepass")}).status_code == 200


@pytest.mark.parametrize("path", ["/go", "/page", "/api/page"])
@pytest.mark.parametrize(
    "n", ["http://evil.test/", "//evil.test", "-1", "99999999999999999999", "1 OR 1=1", "٣", "1e9"]
)
def test_a_page_that_is_none(asker: TestClient, path: str, n: str) -> None:
    answer = asker.get(path, params={"job": "tea", "n": n, "url": "http://evil.test/", "next": "//evil.test"})
    assert answer.status_code == 400
    assert "location" not in answer.headers


@pytest.mark.parametrize("name", ["../tea", "%2e%2e", "/etc", ".tea", "tea/../tea", "tea\0", "-a", "con trol"])
def test_a_crawl_that_is_none(asker: TestClient, name: str) -> None:
    for path in ("", "/why?url=http://a.test/", "/review", "/map"):
        assert asker.get(f"/crawl/{quote(name, safe='')}{path}").status_code in (400, 404)
    assert asker.post(f"/crawl/{quote(name, safe='')}", data={"ask": "pause"}, headers=BOTH).status_code in (400, 404)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "javascript:alert(1)", "--job", "http://", "x" * 10_000, "\n"])
def test_why_of_what_is_no_url(asker: TestClient, url: str) -> None:
    """Nothing of it becomes an argument of a command."""
    answer = asker.get("/crawl/tea/why", params={"url": url})
    assert answer.status_code in (200, 400)
    assert "root:" not in answer.text


def test_where_a_mark_goes_back_to(asker: TestClient) -> None:
    for more in ({"next": "//evil.test"}, {"q": "//evil.test"}, {"from": "page", "q": "http://evil.test"}):
        form = {"of": "tea", "n": "1", "mark": "good", **more}
        location = asker.post("/mark", data=form, headers=BOTH).headers["location"]
        assert location.startswith(("/search?", "/page?", "/search"))
        assert not location.startswith("//")


def test_a_form_without_a_stamp(asker: TestClient) -> None:
    form = {"of": "tea", "n": "1", "mark": "good"}
    assert asker.post("/mark", data=form).status_code == 403
    theirs = {"sec-fetch-site": "cross-site", "x-pise": "1"}
    assert asker.post("/mark", data=form, headers=theirs).status_code == 403
    assert asker.options("/mark").status_code == 405  # so no other site's page may send that header
    assert asker.post("/mark", data=form, headers={"x-pise": "1"}).status_code == 303


def test_a_crawl_that_is_damaged_or_of_another_version(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "crawl.sqlite").write_bytes(b"no database" * 1000)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "crawl.sqlite").write_bytes(b"")
    old = harvest(tmp_path / "old", [item("http://tea.test/", "Old tea", "steamed")])
    index(old)
    with closing(sqlite3.connect(old / NAME)) as db, db:
        db.execute("UPDATE facts SET value = '1 static' WHERE name = 'made'")
    half = harvest(tmp_path / "half", [item(f"http://{n}.test/", f"Tea {n}", "steamed") for n in range(40)])
    index(half)
    with closing(sqlite3.connect(half / NAME)) as db, db:
        db.execute("DELETE FROM docs WHERE number > 20")
    client = TestClient(application(tmp_path, DOORS), base_url=BASE)
    for name in ("broken", "empty", "old", "half"):
        for path in ("", "/map", "/review", "/why"):
            assert client.get(f"/crawl/{name}{path}").status_code in (200, 400)
    answer = client.get("/search?q=tea")
    assert answer.status_code == 200
    assert "broken is left out" in answer.text
    assert "made by another version" in answer.text
    assert "20 pages" in answer.text
    index(old)
    assert "Old tea" in client.get("/search?q=old+tea").text


def test_a_full_disk(asker: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / clicks.NAME).unlink(missing_ok=True)
    (folder / clicks.NAME).symlink_to("/dev/full")
    try:
        answer = asker.get("/go?job=tea&n=1&q=tea")
        assert answer.status_code == 303  # whoever opens a page gets there
        assert asker.get("/search?q=tea").status_code == 200
    finally:
        (folder / clicks.NAME).unlink()


TEXTS = st.text(max_size=30) | st.sampled_from(["tea", "1", "-1", "../tea", EVIL_URL, "good", "http://a.test/", "0.5"])
NAMES = ["q", "job", "n", "host", "language", "since", "relevant", "least", "concept", "p", "format", "url", "figures"]
FORMS = ["of", "n", "mark", "ask", "value", "say", "keep", "q", "from", "p"]
LEFT = {("POST", "/new")}  # it begins a crawl


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    asked=st.sampled_from(sorted(set(ANSWERS) - LEFT)),
    name=st.sampled_from(["tea", "none", "..", "x y"]),
    params=st.dictionaries(st.sampled_from(NAMES), TEXTS, max_size=4),
    form=st.dictionaries(st.sampled_from(FORMS), TEXTS, max_size=4),
)
def test_anything_asked_of_any_address(
    asker: TestClient, asked: tuple[str, str], name: str, params: dict[str, str], form: dict[str, str]
) -> None:
    method, path = asked
    form.pop("say", None) if form.get("say") == "begin" else None  # a process each
    if path.endswith("/why"):
        params.pop("url", None)
    known: dict[str, Any] = {k: v.encode("utf-8", "surrogatepass") for k, v in params.items()}
    answer = asker.request(
        method, path.replace("{name}", name), params=known, data=form if method == "POST" else None, headers=BOTH
    )
    assert answer.status_code < 500
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    if "location" in answer.headers and path != "/go":
        assert answer.headers["location"].startswith("/")
        assert not answer.headers["location"].startswith("//")
