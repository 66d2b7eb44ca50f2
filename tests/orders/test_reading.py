"""How the literal orders read their papers: what can be said otherwise, what is refused, and what follows."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from fcacrawler.app.assembly import ORDERS, check
from fcacrawler.app.config import read_config
from fcacrawler.orders.papers.reading import reading_of
from fcacrawler.orders.papers.sources import source_of
from fcacrawler.semrank.parameters import SEMRANK_2007, SEMRANK_2013
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.verdicts import Judged
from fcacrawler.vectors.static import Static
from tests.orders.pages import given, order_of_fetches, page

WEB = [
    page("s", "car race", ["a", "b"], depth=0),
    page("a", "car race", ["c"]),
    page("b", "dog bone", ["d"]),
    page("c", "dog bone", ["e"]),
    page("d", "car race", ["f"]),
]


def test_options_are_named_by_the_papers_words_and_the_rest_is_the_orders_own() -> None:
    reading = reading_of("semrank-2007", "p_top=min, ics_alpha=0.5,source=links,iterations=3,again=yes")
    assert reading.semrank == replace(SEMRANK_2007, p_top="min", ics_alpha=0.5)
    assert (reading.rounds.source, reading.rounds.iterations, reading.rounds.again) == ("links", 3, True)
    assert reading_of("semrank-2013", "").semrank == SEMRANK_2013


@pytest.mark.parametrize(
    ("order", "text", "told"),
    [
        ("semrank-2013", "v=0.5", "'v' is unknown"),
        ("semrank-2013", "w=much", "w='much': must be a number"),
        ("semrank-2013", "w=2", "w=2: must lie between 0 and 1"),
        ("semrank-2007", "w=0.5", "w has no effect: w_rule is adaptive"),
        ("semrank-2013", "source=equal,p_top=min", "p_top has no effect: there is no hierarchy with source=equal"),
        ("semrank-2013", "source=wordnet:/nowhere", "source=wordnet:/nowhere: must be wordnet:PATH of what is there"),
        ("semrank", "w=0.5", "the order semrank reads no paper; those that do: semrank-2013"),
    ],
)
def test_what_is_wrong_or_would_change_nothing_is_refused(order: str, text: str, told: str) -> None:
    with pytest.raises(BadOptions, match=told):
        check(read_config({"FCA_ORDER": order, "FCA_READING": text, "FCA_VECTORS": "none"}))


def test_rounds_end_after_so_many() -> None:
    """A round is what the base's links bring: a and b of s; then c, as a is like the base and b is not."""
    all_ = order_of_fetches(ORDERS["semrank-2013"], WEB, ["s"])
    assert all_[:4] == ["s", "a", "b", "c"]
    for rounds, fetched in ((1, 3), (2, 4)):
        factory = lambda told, n=rounds: ORDERS["semrank-2013"](replace(told, reading=f"iterations={n}"))  # noqa: E731
        assert order_of_fetches(factory, WEB, ["s"]) == all_[:fetched]


def test_pages_that_wait_may_be_ranked_again_against_the_next_base() -> None:
    """b is unlike s, and speaks of what a speaks of, which is the next base."""
    web = (
        page("s", "car race", ["a", "b"], depth=0),
        page("b", "dog bone", ["x"]),
        page("a", "car dog", ["c"]),
        page("c", "car dog bone", ["e"]),
    )
    ranks = []
    for reading in ("", "again=1"):
        order = ORDERS["semrank-2013"](replace(given(gamma=0.35), reading=reading))
        for p in web:
            order.observe(p, Judged(1.0, 1.0))
        ranks.append(order._ranks["http://test/b"])
    assert ranks[0] == pytest.approx(0.1)  # by its link from s alone
    assert ranks[1] > 0.3  # shares a keyword with the next base


def test_every_page_is_explained_by_concepts_before_its_round_is_over() -> None:
    order = ORDERS["semrank-2013"](given())
    for p in WEB[:2]:
        order.observe(p, Judged(1.0, 1.0))
    why = order.explain_page(WEB[1])  # b has not come in
    assert why.base_concept == {"extent": ["http://test/s"], "intent": ["car", "race"]}
    assert why.current_concept["extent"] == ["http://test/a"]
    assert (why.ext, why.int_, why.w) == (0.25, 1.0, 0.4)  # one link, s → a; both keywords
    assert why.rank == pytest.approx(0.4 * 0.25 + 0.6) == pytest.approx(why.features["semrank"])


def test_only_nouns_may_be_keywords() -> None:
    order = ORDERS["semrank-2013"](replace(given(), reading="nouns=1"))
    order.observe(page("s", "please race the car", depth=0), Judged(1.0, 1.0))
    assert "car" in order._keywords["http://test/s"]
    assert "race" not in order._keywords["http://test/s"]


def test_sources_of_ics_say_how_alike_keywords_are(tmp_path: Path) -> None:
    told = given(vectors=Static.shipped())
    lines = [
        f"u\t/r/{r}\t/c/en/{a}\t/c/en/{b}\t{{}}\n"
        for r, a, b in (("Synonym", "auto", "car"), ("PartOf", "wheel", "car"))
    ]
    (tmp_path / "assertions.csv").write_text("".join(lines))
    alike = {}
    for name in ("equal", "vectors", f"conceptnet:{tmp_path / 'assertions.csv'}"):
        similarity = source_of(name, told, SEMRANK_2013).now()
        assert similarity is not None
        alike[name.partition(":")[0]] = similarity.matrix(["car"], ["car", "auto", "zebra"])[0].tolist()
    assert alike["equal"] == [1.0, 0.0, 0.0]
    assert alike["vectors"][0] == pytest.approx(1.0, abs=1e-3)
    assert alike["vectors"][1] > alike["vectors"][2]
    assert alike["conceptnet"] == [1.0, 1.0, 0.0]
    for place in (Path("data/conceptnet/assertions.csv"), tmp_path / "zipped.csv.gz"):
        if place.suffix == ".gz":
            place.write_bytes(gzip.compress(Path("data/conceptnet/assertions.csv").read_bytes()))
        similarity = source_of(f"conceptnet:{place}", told, SEMRANK_2013).now()
        assert similarity is not None
        said = similarity.matrix(["auto racing"], ["motorsport", "auto racing", "tyre", "zebra"])[0].tolist()
        assert said[:2] == [1.0, 1.0]
        assert said[3] == 0.0 < said[2] < 1.0
    (tmp_path / "other.csv").write_text("a,b,c\n")
    with pytest.raises(BadOptions, match=r"other.csv: no assertion of two concepts of the language 'en'"):
        source_of(f"conceptnet:{tmp_path / 'other.csv'}", told, SEMRANK_2013)
    with pytest.raises(BadOptions, match="source=vectors needs vectors"):
        source_of("vectors", given(), SEMRANK_2013)
