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


def test_of_too_many_concepts_those_of_the_commonest_keywords_are_drawn_and_the_map_says_so() -> None:
    """Cut by their pages they would lack the combinations of three pages."""
    said = [("race", "car")] * 4 + [("race", "rally")] * 4 + [("car", "rally")] * 3 + [("race", "mud")] * 3
    pages = [Harvested(f"u{n}", "", 0.5, words) for n, words in enumerate(said)]
    picture = draw_topic(pages, "racing", 7)
    intents = [set(told.partition("\n")[0].split(", ")) for _, told in boxes(picture)]
    one, two = [{"all pages"}, {"race"}, {"car"}, {"rally"}], [{"race", "car"}, {"race", "rally"}, {"car", "rally"}]
    assert sorted(map(sorted, intents)) == sorted(map(sorted, one + two))
    assert " concepts, those of 3 pages or more and the commonest keywords" in picture


def test_where_few_pages_share_a_keyword_the_map_is_cut_by_pages() -> None:
    pages = [Harvested(f"u{n}", "", 0.5, (word,)) for n, word in enumerate("aabbcd")]
    assert "those of 2 pages or more" in draw_topic(pages, "letters", 3)


def test_keywords_that_are_rare_in_their_language_are_names_and_left_out() -> None:
    words = {"maranello": 1.0, "race car": 0.9, "tyre": 0.8}
    items = [{"url": "u", "relevant": True, "language": "en", "keywords": words}]
    assert harvested(items)[0].keywords == ("race car", "tyre")
    foreign = [{**items[0], "language": "xx"}]
    assert harvested(foreign)[0].keywords == ("maranello", "race car", "tyre")


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
