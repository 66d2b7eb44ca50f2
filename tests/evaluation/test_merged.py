"""Keywords that the crawl's own links use for the same pages are one attribute of the map."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.evaluation.drawings import topic
from fcacrawler.evaluation.merged import isa_in, isa_of, merged
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.items import PageItem, as_json
from fcacrawler.page import key_of
from fcacrawler.values.links import Candidate, Link
from fcacrawler.values.pages import SeenPage

NAMES = ("football", "soccer", "football", "soccer")
OTHERS = [f"thing{n}" for n in range(40)]


def page(n: int) -> SeenPage:
    """Links to one page by one of two names, and to many by names of their own."""
    links = [Link("http://a.test/goal", NAMES[n], "", 0)]
    links += [Link(f"http://a.test/{name}", name, "", k) for k, name in enumerate(OTHERS, 1)]
    return SeenPage(f"http://{n}.test/", f"Page {n}", "en", 0, (), {}, tuple(links), text="")


def test_what_leads_to_the_same_page_is_isa() -> None:
    assert isa_of(map(page, range(4))) == [("football", "soccer")]
    assert isa_of([]) == []


def test_a_group_is_of_its_commonest_keyword_and_what_is_isa_with_it() -> None:
    rows = [["a", "d"], ["a", "b"], ["b", "c"], ["c"], ["a"]]
    isa = [("a", "b"), ("b", "c"), ("c", "d")]
    assert merged(rows, isa) == [("a ~ b", "c ~ d"), ("a ~ b",), ("a ~ b", "c ~ d"), ("c ~ d",), ("a ~ b",)]


def test_a_phrase_is_not_put_with_its_words() -> None:
    assert merged([["race car"], ["car"]], [("car", "race car")]) == [("race car",), ("car",)]


words = st.lists(st.lists(st.sampled_from("abcdef"), unique=True, max_size=4), max_size=8)
pairs = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")).filter(lambda p: p[0] < p[1]))


@given(words, pairs)
def test_every_keyword_is_in_one_group_and_in_no_other_keywords_order(
    rows: list[list[str]], isa: list[tuple[str, str]]
) -> None:
    found = merged(rows, isa)
    group: dict[str, set[str]] = {}
    for row, new in zip(rows, found, strict=True):
        assert len(new) == len(set(new)) <= len(row)
        for k in row:
            group.setdefault(k, set()).update(name for name in new if k in name.split(" ~ "))
    assert merged(rows, []) == [tuple(row) for row in rows]
    assert all(len(names) <= 1 for names in group.values())


def test_the_map_of_a_crawls_folder_says_what_is_one(tmp_path: Path) -> None:
    with closing(SqliteFrontier(tmp_path, FrontierOptions(), {"topic": "goal"})) as frontier:
        for n in range(4):
            seen = page(n)
            key, host = key_of(seen.url)
            frontier.add([Candidate(key, seen.url, host, 0)])
            frontier.update([(key, 1.0)], 1)
            assert frontier.lease(lambda host: True, 0.0) is not None
            frontier.record(key, seen)
            known = {
                "final_url": seen.url,
                "status": 200,
                "language": "en",
                "fetched_at": "",
                "depth": 0,
                "parent": None,
            }
            told = PageItem(
                url=seen.url, title=seen.title, path=[], anchor="", topic="goal", **known,  # type: ignore[arg-type]
                keywords={NAMES[n]: 1.0}, semrank=0.9, relevant=True,
            )  # fmt: skip
            frontier.keep(key, as_json(told))
            frontier.done(key)
    assert isa_in(tmp_path) == [("football", "soccer")]
    picture = topic(tmp_path, Namespace(concepts=9))
    assert "football ~ soccer" in picture
    assert "4 pages" in picture
