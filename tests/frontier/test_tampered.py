"""Somebody who may write to the Redis of a crawl makes its workers ask for nothing but pages of the web."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy import Spider

from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.requests import load_request
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadRecord
from fcacrawler.values.links import Candidate, Evidence
from tests.crawling import crawl
from tests.redis_server import RedisServer, serving
from tests.site import Site, page


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with serving() as server:
        yield server


def test_no_worker_reads_a_file_because_redis_says_so(
    site: Site, server: RedisServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site.pages["/"] = page("Auto racing", "cars race")
    (tmp_path / "secret.html").write_text(page("Auto racing secrets", "cars race"))
    secret = (tmp_path / "secret.html").as_uri()
    about = {"topic": "auto racing", "order": "semrank"}
    other = RedisFrontier(server.url, "auto-racing", FrontierOptions(), about)
    seen = Evidence(site.base, "auto racing", "", 0, 1)
    as_request = json.dumps({"url": secret, "method": "GET", "headers": {}, "body": ""})
    other.update(
        [
            (c.key, 0.99)
            for c in other.add(
                [
                    Candidate(b"1", secret, "a", 1, (seen,)),
                    Candidate(b"2", site.url("/x"), "a", 1, (seen,), as_request),
                    Candidate(b"3", "no URL at all", "a", 1, (seen,)),
                    Candidate(b"4", "ftp://127.0.0.1/x", "a", 1, (seen,)),
                ]
            )
        ],
        1,
    )
    other.close()
    settings = {"FCA_FRONTIER": server.url}
    outcome = crawl(SemRankSpider, settings, topic="auto racing", seeds=site.base)
    assert (outcome.reason, site.fetched) == ("exhausted", ["/"])
    assert [item.url for item in outcome.items] == [site.url("/")]
    assert caplog.text.count("is left out:") == 4
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("bad", ["[" * 100_000, '{"url": "http://a.test/", "body": 1}', '{"body": ""}', "null"])
def test_a_request_that_is_none_of_ours_is_told_by_name(bad: str) -> None:
    with pytest.raises(BadRecord, match="cannot make the request"):
        load_request(Candidate(b"k", "http://a.test/", "a.test", 1, (), bad), Spider("any"))


def test_no_class_is_looked_up_because_a_record_names_it() -> None:
    text = json.dumps({"url": "http://a.test/", "body": "", "_class": "no.such.Class"})
    request = load_request(Candidate(b"k", "http://a.test/", "a.test", 1, (), text), Spider("any"))
    assert request.url == "http://a.test/"
