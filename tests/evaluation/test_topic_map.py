"""The map of a harvest: concepts by hand, and a picture that can be parsed."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.evaluation.topic_map import Harvested, draw_topic, harvested

SVG = "{http://www.w3.org/2000/svg}"
PAGES = [
    Harvested("u1", "One", 0.9, ("race", "car")),
    Harvested("u2", "Two", 0.7, ("race", "car", "rally")),
    Harvested("u3", "<Three>", 0.5, ("race", "boat")),
]


def boxes(picture: str) -> list[tuple[list[str], str]]:
    """What is written in each box, and what it tells the pointer."""
    groups = ElementTree.fromstring(picture).iter(f"{SVG}g")
    return [([t.text or "" for t in g.iter(f"{SVG}text")], g.findtext(f"{SVG}title") or "") for g in groups]


def test_a_box_names_what_is_new_in_it_and_how_many_pages_with_which_rank() -> None:
    assert boxes(draw_topic(PAGES, "racing")) == [
        (["race", "3 pages · rank 0.70"], "race\n0.90 One\n0.70 Two\n0.50 <Three>"),
        (["car", "2 pages · rank 0.80"], "race, car\n0.90 One\n0.70 Two"),
        (["boat", "1 pages · rank 0.50"], "race, boat\n0.50 <Three>"),
        (["rally", "1 pages · rank 0.70"], "car, race, rally\n0.70 Two"),
    ]


def test_too_many_concepts_are_cut_at_the_smallest_and_the_map_says_so() -> None:
    picture = draw_topic(PAGES, "racing", 3)
    assert [written[0] for written, _ in boxes(picture)] == ["race", "car"]
    assert "those of 2 pages or more" in picture


def test_higher_ranks_are_redder() -> None:
    low, high = (draw_topic([Harvested("u", "", rank, ("race",))], "") for rank in (0.2, 0.9))
    assert "fill:rgb(255,229,229)" in low
    assert "fill:rgb(255,138,138)" in high


def test_only_relevant_pages_are_in_the_harvest() -> None:
    items = [{"url": "u", "relevant": True, "semrank": 0.8, "keywords": {"race": 1.0}}, {"url": "v", "relevant": False}]
    assert harvested(items) == [Harvested("u", "", 0.8, ("race",))]


@given(st.lists(st.lists(st.sampled_from("abcdef"), unique=True, max_size=4), min_size=1, max_size=8))
def test_any_harvest_can_be_drawn(keywords: list[list[str]]) -> None:
    pages = [Harvested(f"u{n}", "<&>", 0.5, tuple(k)) for n, k in enumerate(keywords)]
    assert 1 <= len(boxes(draw_topic(pages, "a & b", 10))) <= 10
