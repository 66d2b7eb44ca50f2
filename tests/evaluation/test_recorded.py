"""A recording whose links lead out of it: what it does not have is unknown, and no order is charged for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fcacrawler.app.config import read_config
from fcacrawler.evaluation.closed import closed
from fcacrawler.evaluation.comparison import Done
from fcacrawler.evaluation.library import packed, unpacked
from fcacrawler.evaluation.plan import FETCH, LEAVE, Run, Start
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.evaluation.standings import record, unknown
from fcacrawler.evaluation.trace import Trace
from tests.site import page
from tests.worlds.warcs import HTML, write_warc

HOME = "http://a.test/"
PAGES = {
    HOME: ["1", "2", "gone", "lost", "moved", "http://out.test/x"],
    "http://a.test/1": ["http://b.test/1", "http://out.test/x"],
    "http://a.test/2": ["lost"],
    "http://b.test/1": [],
}
ABOUT = frozenset(["http://a.test/1", "http://b.test/1"])


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = tmp_path / "leaky"
    home.mkdir()
    write_warc(home / "1.warc.gz", {url: page(url, "words", {x: x for x in links}) for url, links in PAGES.items()})
    write_warc(home / "2.warc.gz", {"http://a.test/lost": "not here"}, "404 Not Found")
    write_warc(home / "3.warc.gz", {"http://a.test/moved": ""}, "301 Moved", [("Location", "http://out.test/y"), HTML])
    with closing(Desk(str(home), read_config({"FCA_VECTORS": "none"}))) as desk:
        yield desk


def crawled(desk: Desk, unknown_links: str) -> Trace:
    return run(Run(Start("t", "words", 0, (HOME,), ABOUT, 10), "bfs", 0.45, unknown_links), desk)


def paths(trace: Trace) -> list[str]:
    return sorted(url.removeprefix("http://") for url in trace.urls)


def test_what_is_not_recorded_is_offered_to_no_order_and_counted(desk: Desk) -> None:
    trace = crawled(desk, LEAVE)
    assert paths(trace) == ["a.test/1", "a.test/2", "a.test/lost", "b.test/1"], "a recorded 404 is a fetch"
    assert (trace.links, trace.unknown) == (7, 3), "what is not there, and what redirects to it"


def test_it_is_fetched_in_vain_where_that_is_asked_for(desk: Desk) -> None:
    trace = crawled(desk, FETCH)
    assert paths(trace) == [
        *("a.test/1", "a.test/2", "a.test/gone", "a.test/lost", "a.test/moved", "b.test/1", "out.test/x")
    ]
    assert (trace.links, trace.unknown) == (7, 3)


def test_hosts_of_relevant_pages_are_told(desk: Desk) -> None:
    trace = crawled(desk, LEAVE)
    assert trace.hosts == ("a.test", "b.test")
    assert trace.reach == (1, 1)


def test_the_library_keeps_what_is_unknown(desk: Desk) -> None:
    fetched = desk.fetcher.fetch(HOME)
    assert fetched.unknown == {"http://a.test/gone", "http://a.test/moved", "http://out.test/x"}
    assert unpacked(packed(HOME, fetched)[2]) == fetched


def test_the_report_says_how_much_was_left_out(desk: Desk) -> None:
    def said(trace: Trace, links: str) -> str:
        start = Start("t", "words", 0, (HOME,), ABOUT, 10)
        return unknown([record("leaky", Done(Run(start, "bfs", 0.45, links), trace))])

    assert said(crawled(desk, LEAVE), LEAVE).startswith(
        "43 % of the 7 URLs that a crawl found are not in the recording: no order was offered them"
    )
    assert said(crawled(desk, FETCH), FETCH).endswith("they were fetched in vain")
    assert said(Trace(("a",), (True,), 1, 1, links=5), LEAVE) == ""


def test_how_closed_a_recording_is(desk: Desk) -> None:
    """Of nine links five lead to what is recorded; six stay on their host, of which four do."""
    told: list[tuple[int, int]] = []
    found = closed(desk.fetcher, list(PAGES), lambda done, of: told.append((done, of)))
    assert (found.share, found.share_within, found.share_between) == (5 / 9, 4 / 6, 1 / 3)
    assert (found.of("a.test"), found.of("b.test")) == (5 / 9, None)
    assert found.out == {"a.test": 2, "out.test": 2}
    assert told[-1] == (4, 4)
