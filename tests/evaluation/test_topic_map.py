"""The map of a harvest: concepts by hand, and a picture that can be parsed."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.evaluation.topic_map import Harvested, draw, harvested, iceberg

PAGES = [
    Harvested("u1", "One", 0.9, ("race", "car")),
    Harvested("u2", "Two", 0.7, ("race", "car", "rally")),
    Harvested("u3", "<Three>", 0.5, ("race", "boat")),
]


def test_the_iceberg_holds_the_concepts_from_the_largest_down() -> None:
    boxes = iceberg(PAGES)
    assert [(sorted(b.intent), [p.url for p in b.pages]) for b in boxes] == [
        (["race"], ["u1", "u2", "u3"]),
        (["car", "race"], ["u1", "u2"]),
        (["boat", "race"], ["u3"]),
        (["car", "race", "rally"], ["u2"]),
    ]
    assert [b.below for b in boxes] == [(1, 2), (3,), (), ()]
    assert boxes[1].label == ("car",)


def test_too_many_concepts_are_cut_at_the_smallest() -> None:
    assert [sorted(b.intent) for b in iceberg(PAGES, 3)] == [["race"], ["car", "race"]]


def test_nothing_has_no_map() -> None:
    assert iceberg([]) == []


def test_only_relevant_pages_are_in_the_harvest() -> None:
    items = [{"url": "u", "relevant": True, "semrank": 0.8, "keywords": {"race": 1.0}}, {"url": "v", "relevant": False}]
    assert harvested(items) == [Harvested("u", "", 0.8, ("race",))]


@given(st.lists(st.lists(st.sampled_from("abcdef"), unique=True, max_size=4), max_size=8))
def test_any_harvest_can_be_drawn(keywords: list[list[str]]) -> None:
    pages = [Harvested(f"u{n}", "<&>", 0.5, tuple(k)) for n, k in enumerate(keywords)]
    boxes = iceberg(pages, 10)
    assert len(boxes) <= 10
    root = ElementTree.fromstring(draw(boxes, "a & b"))
    assert len(root.findall("{http://www.w3.org/2000/svg}g")) == len(boxes)
