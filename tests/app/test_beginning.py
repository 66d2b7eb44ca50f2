"""A crawl from words alone: engines are asked once, the crawl begins with what they name, and they are judged by it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fcacrawler.app.beginning import KEPT, Desk, begin, engines_file
from fcacrawler.app.config import read_config
from fcacrawler.engines import Performance, Said
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadOptions
from tests.crawling import Outcome, crawl
from tests.engines.answering import searx, written
from tests.site import Site, page, serving

TEA = ["Green tea is made of steamed leaves", "Matcha is ground green tea", "Sencha is a green tea of Japan",
       "Leaves of tea are poured over with hot water", "A pot of green tea is drunk warm"]  # fmt: skip
GOLF = ["The ball is hit from the tee", "A course has eighteen holes", "Clubs and irons are carried in a bag"]


@pytest.fixture
def shop() -> Iterator[Site]:
    pages = {f"/tea{n}": page(text, " ".join([text, *TEA]), {"/more": "More"}) for n, text in enumerate(TEA)}
    pages |= {f"/golf{n}": page(text, f"{text}. " * 20) for n, text in enumerate(GOLF)}
    with serving({**pages, "/more": page("Tea leaves", ". ".join(TEA))}) as site:
        yield site


@pytest.fixture
def engines(shop: Site, tmp_path: Path) -> Iterator[Path]:
    """Two that agree on one page, of which one names others that are not about it."""
    tea, golf = ([shop.url(f"/{word}{n}") for n in range(5)] for word in ("tea", "golf"))
    with serving() as good, serving() as poor:
        good.pages["/search"] = searx({"green tea": tea})
        poor.pages["/search"] = searx({"green tea": [*golf[:3], tea[0]]})
        yield written(tmp_path, good={"kind": "searxng", "url": good.base}, poor={"kind": "searxng", "url": poor.base})


def crawled(engines: Path, **more: object) -> Outcome:
    settings = {"FCA_ENGINES": str(engines), "FCA_PRIVATE": "1", **more}
    return crawl(SemRankSpider, settings, topic="green tea")


def test_words_alone_are_enough(engines: Path, shop: Site) -> None:
    done = crawled(engines)
    assert sorted(shop.fetched) == sorted(path for path in shop.pages)
    assert shop.fetched[0] == "/tea0"  # which both name
    lessons = Performance.read(engines.with_name("engines.learned.jsonl")).lessons
    assert [(one.engine, one.words, one.named, one.relevant) for one in lessons] == [
        ("good", "green tea", 5, 5), ("poor", "green tea", 4, 1),
    ]  # fmt: skip
    assert done.stats["fca/relevant"] >= 2
    desk = Desk(read_config({"FCA_ENGINES": str(engines)}), "test")
    found = desk.performance("green tea", desk.engines)
    assert found == {"good": pytest.approx(7 / 9), "poor": pytest.approx(3 / 8)}


def test_what_engines_name_has_no_right_to_be_private(engines: Path, shop: Site) -> None:
    with pytest.raises(BadOptions, match="name no page for 'green tea'"):
        begin(read_config({"FCA_ENGINES": str(engines)}, {"topic": "green tea"}), None, "test")
    assert shop.hits == []


def test_a_name_that_leads_into_a_private_network_is_not_asked(tmp_path: Path, shop: Site) -> None:
    """``suggested`` stands between the guard and a seed that only engines have named."""
    job = tmp_path / "job"
    job.mkdir()
    url = shop.url("/tea0")
    Said("id", "green tea", {"good": (url,)}, (url,)).write(job / KEPT)
    settings = {"JOBDIR": str(job), "FCA_ENGINES": "none"}
    refused = crawl(SemRankSpider, settings, topic="green tea", seeds=url)
    assert refused.stats["fca/private_address"] == 1
    assert shop.hits == []
    mine = crawl(SemRankSpider, {}, topic="green tea", seeds=url)
    assert "fca/private_address" not in mine.stats
    assert "/tea0" in shop.fetched


def test_a_crawl_that_goes_on_asks_nobody_again(engines: Path, shop: Site, tmp_path: Path) -> None:
    job = str(tmp_path / "job")
    crawled(engines, JOBDIR=job)
    first = Performance.read(engines.with_name("engines.learned.jsonl")).lessons
    engines.write_text('[gone]\nkind = "searxng"\nurl = "http://127.0.0.1:9"\n')
    crawled(engines, JOBDIR=job)
    assert Performance.read(engines.with_name("engines.learned.jsonl")).lessons == first


def test_who_is_named_is_asked_and_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert engines_file(read_config({})) is None
    written(tmp_path, it={"kind": "searxng", "url": "http://127.0.0.1:9"})
    assert engines_file(read_config({})) == Path("engines.toml")
    assert engines_file(read_config({"FCA_ENGINES": "none"})) is None
    assert engines_file(read_config({"FCA_WORLD": "demo"})) is None  # offline is offline
    assert engines_file(read_config({"FCA_WORLD": "demo", "FCA_ENGINES": "x.toml"})) == Path("x.toml")


def test_seeds_of_the_user_are_all_that_counts(engines: Path, shop: Site) -> None:
    config = read_config({"FCA_ENGINES": str(engines)}, {"topic": "green tea", "seeds": shop.url("/golf0")})
    begun = begin(config, None, "test")
    assert (begun.topic.seeds, begun.topic.suggested, begun.said) == ((shop.url("/golf0"),), (), None)


def test_where_all_are_down_it_is_said_what_to_do(tmp_path: Path) -> None:
    path = written(tmp_path, it={"kind": "searxng", "url": "http://127.0.0.1:9"})
    with pytest.raises(BadOptions) as caught:
        begin(read_config({"FCA_ENGINES": str(path)}, {"topic": "green tea"}), None, "test")
    assert "it: " in str(caught.value)
    assert "-a seeds=" in str(caught.value)


def test_an_offline_web_has_only_what_it_has(tmp_path: Path) -> None:
    with serving() as site:
        site.pages["/search"] = searx({"cricket": ["http://nowhere.test/", "http://www.sportsdesk.test/"]})
        path = written(tmp_path, it={"kind": "searxng", "url": site.base})
        config = read_config({"FCA_WORLD": "demo", "FCA_ENGINES": str(path)}, {"topic": "cricket"})
        begun = begin(config, tmp_path / "job", "test")
    assert begun.topic.seeds == ("http://www.sportsdesk.test/",)
    assert json.loads((tmp_path / "job" / KEPT).read_text())["seeds"] == ["http://www.sportsdesk.test/"]
