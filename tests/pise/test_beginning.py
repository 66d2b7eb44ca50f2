"""The page on which a crawl is begun, with engines on loopback: as a browser without scripts uses it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import fcacrawler.pise.crawls as crawls
from fcacrawler.app.beginning import Desk
from fcacrawler.app.config import read_config
from fcacrawler.engines.performance import Lesson, learn
from fcacrawler.pise.application import application
from fcacrawler.pise.guard import Doors
from tests.engines.answering import says, searx, written
from tests.site import Site, page, serving

BASE = "http://127.0.0.1:8087"
EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"


@pytest.fixture
def web() -> Iterator[Site]:
    with serving({"/tea": page("Tea"), "/cup": page("Cups")}) as site:
        yield site


@pytest.fixture
def engines(web: Site, tmp_path: Path) -> Iterator[Path]:
    """One answers the topic and keywords, one with strange things, one not at all."""
    tea, cup, gone = (web.url(path) for path in ("/tea", "/cup", "/gone"))
    with serving() as good, serving() as evil:
        good.pages["/search"] = searx({"green tea": [tea, gone], "green tea cup": [cup]})
        rows = [{"url": tea, "title": EVIL, "content": EVIL}, {"url": "javascript:alert(1)", "title": "x"}]
        evil.pages["/search"] = says(json.dumps({"results": rows}))
        yield written(
            tmp_path,
            good={"kind": "searxng", "url": good.base},
            evil={"kind": "searxng", "url": evil.base},
            away={"kind": "searxng", "url": "http://127.0.0.1:9"},
        )


@pytest.fixture
def browser(engines: Path, tmp_path: Path) -> TestClient:
    desk = Desk(read_config({"FCA_ENGINES": str(engines), "FCA_PRIVATE": "1"}), "test")
    made = application(tmp_path / "jobs", Doors(frozenset({"127.0.0.1:8087"})), desk=desk)
    client = TestClient(made, base_url=BASE, follow_redirects=False)
    client.get("/")
    return client


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Commands of crawls, which are not run: what they do is tested where they are."""
    told: list[list[str]] = []

    class Started:
        def __init__(self, command: list[str], **how: object) -> None:
            told.append(command)

        def poll(self) -> None: ...

    monkeypatch.setattr(crawls.subprocess, "Popen", Started)
    return told


def fields(text: str) -> dict[str, str]:
    """The form of a page as a browser sends it."""
    found: dict[str, str] = {}
    for tag in re.findall(r"<input [^>]*>", text.partition('<form class="new"')[2]):
        told = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if "name" in told and (told.get("type") != "checkbox" or tag.rstrip(">").endswith(("checked", "autofocus"))):
            found[told["name"]] = unescape(told.get("value", ""))
    return found


def test_engines_are_asked_and_what_they_name_is_to_be_taken_or_left(
    browser: TestClient, web: Site, tmp_path: Path, begun: list[list[str]]
) -> None:
    form = {**fields(browser.get("/new?topic=green+tea").text), "do": "ask"}
    assert form["topic"] == "green tea"
    shown = browser.post("/new", data=form)
    text = shown.text
    assert shown.status_code == 200
    assert "No answer of away: " in text
    assert "does not answer: HTTP 404" in text
    assert "<script>alert" not in text
    assert "javascript:" not in text
    assert re.search(r"evil 1\.", text)
    form = {**fields(text), "do": "start", "pages": "7", "seeds": "http://mine.test/", "stay": "site"}
    taken = {value for name, value in form.items() if re.fullmatch(r"s\d+", name)}
    assert taken == {web.url("/tea")}  # not what is dead
    answer = browser.post("/new", data=form)
    assert answer.headers["location"] == "/crawl/green-tea"
    topic = tomllib.loads((tmp_path / "jobs/green-tea/topic.toml").read_text())
    assert topic == {"words": "green tea", "seeds": ["http://mine.test/", web.url("/tea")]}
    said = json.loads((tmp_path / "jobs/green-tea/engines.json").read_text())
    assert said["seeds"] == [web.url("/tea")]
    assert said["urls"]["good"] == [web.url("/tea"), web.url("/gone")]
    (command,) = begun
    assert f"FCA_ENGINES={tmp_path}/engines.toml" in command


def test_keywords_are_left_and_asked_for_again(browser: TestClient, web: Site) -> None:
    form = {**fields(browser.get("/new?topic=green+tea").text), "do": "ask"}
    text = browser.post("/new", data=form).text
    assert re.search(r"<small>near in meaning \(0\.\d\d\)</small>", text)
    again = {name: value for name, value in fields(text).items() if not re.fullmatch(r"k\d+", name)}
    text = browser.post("/new", data={**again, "k00": "cup", "do": "ask"}).text
    assert web.url("/cup") in text
    ticked = {value for name, value in fields(text).items() if re.fullmatch(r"k\d+", name)}
    assert ticked <= {"cup"}


def test_what_was_chosen_stays_where_something_is_wrong(browser: TestClient, web: Site) -> None:
    form = {**fields(browser.get("/new?topic=green+tea").text), "do": "ask"}
    form = {**fields(browser.post("/new", data=form).text), "do": "start", "pages": "none"}
    answer = browser.post("/new", data=form)
    assert answer.status_code == 400
    assert "pages: a number" in answer.text
    assert fields(answer.text)["s00"] == web.url("/tea")


def test_an_offer_that_is_forgotten_does_no_harm(
    browser: TestClient, tmp_path: Path, begun: list[list[str]], web: Site
) -> None:
    form = fields(browser.get("/new?topic=tea").text)
    strange = {"s00": web.url("/tea"), "s01": "javascript:alert(1)", "s02": "x" * 5000, "offer": "never made"}
    assert browser.post("/new", data={**form, **strange, "do": "start"}).status_code == 303
    said = json.loads((tmp_path / "jobs/tea/engines.json").read_text())
    assert (said["seeds"], said["urls"]) == ([web.url("/tea")], {})  # it is still no word of the user's
    assert len(begun) == 1


def test_without_seeds_the_crawl_asks_for_itself(browser: TestClient, tmp_path: Path, begun: list[list[str]]) -> None:
    form = fields(browser.get("/new?topic=tea").text)
    assert browser.post("/new", data={**form, "do": "start"}).status_code == 303
    assert not (tmp_path / "jobs/tea/engines.json").exists()
    assert f"FCA_ENGINES={tmp_path}/engines.toml" in begun[0]


def test_languages_are_codes_and_nothing_else(
    browser: TestClient, tmp_path: Path, begun: list[list[str]]
) -> None:  # fmt: skip
    form = {**fields(browser.get("/new?topic=tea").text), "do": "start"}
    for strange in ("en -s LOG_FILE=x", "en,jp", "English!", "-a"):
        assert browser.post("/new", data={**form, "languages": strange}).status_code == 400
    assert browser.post("/new", data={**form, "languages": "EN, de"}).status_code == 303
    assert [word for word in begun[0] if word.startswith("languages=")] == ["languages=en,de"]


@pytest.mark.parametrize("topic", ["", "?!", " "])
def test_nobody_is_asked_for_nothing(browser: TestClient, topic: str) -> None:
    form = {**fields(browser.get("/new").text), "topic": topic, "do": "ask"}
    answer = browser.post("/new", data=form)
    assert (answer.status_code, "say what to look for" in answer.text) == (400, True)


def test_without_engines_it_says_so_and_seeds_are_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = application(tmp_path / "jobs", Doors(frozenset({"127.0.0.1:8087"})))
    client = TestClient(made, base_url=BASE)
    text = client.get("/new").text
    assert "none is" in text
    answer = client.post("/new", data={**fields(text), "topic": "tea", "do": "start"})
    assert "seeds: name some pages" in answer.text
    (tmp_path / "engines.toml").write_text("[")
    broken = application(tmp_path / "jobs", Doors(frozenset({"127.0.0.1:8087"})))
    assert "is not TOML" in TestClient(broken, base_url=BASE).get("/new").text


def test_how_good_the_engines_were_stands_beside_them(browser: TestClient, engines: Path) -> None:
    assert browser.get("/new").text.count("not tried yet") == 3
    lessons = [
        Lesson("1", "green tea", "good", 10, 9),
        Lesson("2", "golf", "good", 10, 4),
        Lesson("1", "tea", "evil", 10, 0),
    ]
    learn(engines.with_name("engines.learned.jsonl"), lessons)
    text = browser.get("/new?topic=green+tea").text
    assert "13 of its first 20 pages were relevant; counts" in text
    assert "0 of its first 10 pages were relevant; counts" in text
    worth = [float(found) for found in re.findall(r"counts (0\.\d\d) for this topic", text)]
    assert worth[0] > 0.7 > 0.2 > worth[1]
    assert text.count("not tried yet") == 1
