"""How a crawl is shown to go, and its map: numbers and links, as a browser without scripts sees them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from fcacrawler.app.searching import index
from fcacrawler.pise.application import application
from fcacrawler.pise.curves import course, harvest_curve, recall_curve
from fcacrawler.pise.guard import Doors
from tests.search.harvests import harvest, item

BASE = "http://127.0.0.1:8087"


def pages() -> list[object]:
    words = [("race", "car")] * 4 + [("race", "boat")] * 3 + [("tea",)] * 3
    found = [
        item(
            f"http://{w[-1]}.test/{n}", f"About {n}", "a race", keywords=dict.fromkeys(w, 1.0), relevant=w[0] == "race"
        )
        for n, w in enumerate(words)
    ]
    copy = item("http://copy.test/", "About 0", "a race", keywords={"race": 1.0}, duplicate_of="http://car.test/0")
    return [*found, copy]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    folder: Path = tmp_path_factory.mktemp("jobs")
    index(harvest(folder / "racing", pages()))  # type: ignore[arg-type]
    client = TestClient(application(folder, Doors(frozenset({"127.0.0.1:8087"}))), base_url=BASE)
    client.get("/")
    return client


def test_a_course_counts_relevant_pages_up_to_each() -> None:
    told = course(np.array([True] * 100 + [False] * 60))
    assert (told.pages[0], told.pages[-1], told.found[-1], len(told.pages)) == (1, 160, 100, 80)
    assert told.share[0] == 1.0
    assert told.share[-1] == 0.0
    assert told.recall[-1] is not None
    assert "100 relevant of 160 pages" in harvest_curve(told)
    assert "% found, between" in recall_curve(told)
    nothing = course(np.zeros(0, np.bool_))
    assert "nothing has come yet" in harvest_curve(nothing)
    assert "cannot be told yet" in recall_curve(nothing)


def test_a_crawl_tells_its_harvest_its_hosts_and_what_the_budget_went_for(browser: TestClient) -> None:
    text = browser.get("/crawl/racing").text
    assert 'aria-label="Harvest: 7 relevant of 11 pages"' in text
    assert 'aria-label="relevant 7, not relevant 3, copies 1"' in text
    assert re.search(r">car.test</a></td><td>4</td><td>4</td><td>4</td>", text)
    told = browser.get("/api/crawls/racing").json()
    assert told["spent"] == {"relevant": 7, "not relevant": 3, "copies": 1}
    assert told["course"]["found"][-1] == 7
    assert [page["title"] for page in told["latest"]][:2] == ["About 0", "About 9"]


def test_the_map_is_walked_down_and_up(browser: TestClient) -> None:
    text = browser.get("/crawl/racing/map").text
    assert "<small>7 pages</small>" in text
    down = re.search(r'href="(/crawl/racing/map\?concept=race%2Ccar|/crawl/racing/map\?concept=car%2Crace)"', text)
    assert down
    below = browser.get(down[1]).text
    assert "<small>4 pages</small>" in below
    assert "About 3" in below
    assert "About 4" not in below
    told = browser.get("/api/crawls/racing/map?concept=boat").json()
    assert set(told["intent"]) == {"race", "boat"}
    assert [place["pages"] for place in told["above"]] == [7]
    assert [page["title"] for page in told["pages"]] == ["About 4", "About 5", "About 6"]
    assert "No relevant page" in browser.get("/crawl/racing/map?concept=zebra").text


def test_a_review_that_was_not_begun_offers_to_begin(browser: TestClient) -> None:
    assert "Begin" in browser.get("/crawl/racing/review").text
    answer = browser.post("/crawl/racing/review", data={"say": "good"}, headers={"x-pise": "1"})
    assert (answer.status_code, "begin it again" in answer.text) == (400, True)


def test_keywords_are_proposed_to_the_browser(browser: TestClient) -> None:
    assert browser.get("/suggest?q=ra").json() == ["ra", ["race"]]
    assert "x-suggestions+json" in browser.get("/suggest?q=ra").headers["content-type"]
    assert 'template="http://127.0.0.1:8087/suggest?q={searchTerms}"' in browser.get("/opensearch.xml").text


def test_programs_mark_without_a_form(browser: TestClient) -> None:
    form = {"of": "racing", "n": "1", "mark": "good"}
    answer = browser.post("/mark", data=form, headers={"x-pise": "1", "accept": "application/json"})
    assert answer.json() == {"url": "http://car.test/0", "mark": "good"}
    hits = browser.get("/api/search?job=racing&relevant=1").json()["hits"]
    assert {hit["mark"] for hit in hits if hit["url"] == "http://car.test/0"} == {"good"}
    assert {hit["job"] for hit in hits} == {"racing"}
