"""What is odd has a stated answer, what is wrong a clear error; never NaN, never a hang."""

import numpy as np
import pytest

from fcacrawler.semrank.context import formal_context, table
from fcacrawler.semrank.hierarchy import TOP, hierarchy
from fcacrawler.semrank.ics import LogSimilarity
from fcacrawler.semrank.kernels.arrays import from_masks
from fcacrawler.semrank.kernels.concepts import concepts_of
from fcacrawler.semrank.keyword_similarity import Exact, Vectors
from fcacrawler.semrank.masks import own_concepts
from fcacrawler.semrank.parameters import NAMED, SemRankOptions
from fcacrawler.semrank.rank import semrank
from fcacrawler.values.omega import Omega, Support

ODD = ["tab\tin", "line\nin", "", " ", "🏎️", "\x00", "ß", "SS", "a" * 10_000]


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize(
    ("base", "current"),
    [
        ({}, {}),
        ({}, {"U2": ["spider"]}),
        ({"U1": ["spider"]}, {}),
        ({"U1": []}, {"U2": ["spider"]}),
        ({"U1": ["spider"]}, {"U2": []}),
        ({"U1": []}, {"U2": []}),
    ],
)
def test_without_urls_or_without_keywords_every_rank_is_0(name, base, current) -> None:
    ranks = semrank(base, current, [("U1", "U2")], [("U2", "U1")], options=NAMED[name])
    assert dict(ranks) == dict.fromkeys(current, 0.0)
    assert all(ranks.explain(u).rank == 0.0 for u in current)


def test_empty_concepts_say_nothing_of_a_url() -> None:
    """The top concept would give every URL the mean density of links, the bottom one an intension of 1."""
    ranks = semrank({"U1": ["a"], "U2": ["b"]}, {"U3": ["c"], "U4": ["d"]}, [("U1", "U3"), ("U2", "U4")])
    assert dict(ranks) == pytest.approx({"U3": 0.4 / 4, "U4": 0.4 / 4})


def test_a_keyword_or_a_tie_given_twice_counts_once() -> None:
    once = semrank({"U1": ["a"]}, {"U2": ["a", "b"]}, [("U1", "U2")])
    twice = semrank({"U1": ["a", "a"]}, {"U2": ["a", "b", "a"]}, [("U1", "U2"), ("U1", "U2")])
    assert dict(once) == dict(twice)


def test_keywords_may_be_any_text() -> None:
    ranks = semrank({"U1": ODD}, {"U2": ODD, "U3": ODD[:3]}, [("U1", "U2")])
    assert dict(ranks) == pytest.approx({"U2": 0.7, "U3": 0.65})  # {U2, U3} share a concept: one of both is linked
    assert {a for a, _, _ in ranks.explain("U2").matched} == set(ODD)


def test_of_10000_keywords_the_first_count() -> None:
    many = [f"k{i}" for i in range(10_000)]
    ranks = semrank({"U1": many}, {"U2": many, "U3": many[-1:]}, options=SemRankOptions(max_keywords=50))
    assert dict(ranks) == {"U2": 0.6, "U3": 0.0}
    assert len(table({"U1": many}).keywords) == 128


def test_keywords_in_one_string_are_refused() -> None:
    with pytest.raises(ValueError, match="one string, 'spider'"):
        semrank({"U1": "spider"}, {})


def test_a_lattice_beyond_the_limit_is_stood_for_by_own_concepts() -> None:
    steep = {f"u{i:02}": [f"k{j:02}" for j in range(40) if j != i] for i in range(40)}  # 2 ** 40 concepts
    t = table(steep)
    found = concepts_of(t, limit=1000)
    assert not found.complete
    assert len(found) == len(own_concepts(t.rows, 40)) == 80
    assert dict(semrank(steep, steep)) == dict.fromkeys(steep, 0.6)


def test_a_context_of_the_concepts_package_needs_urls_keywords_and_distinct_names() -> None:
    for empty in ({}, {"U1": []}):
        with pytest.raises(ValueError, match="at least one URL and one keyword"):
            formal_context(table(empty))
    with pytest.raises(ValueError, match="overlap"):
        formal_context(table({"spider": ["spider"]}))


@pytest.mark.parametrize("wrong", [np.nan, 1.5, -0.1])
def test_a_similarity_outside_0_and_1_is_refused(wrong) -> None:
    class Wrong(Exact):
        def matrix(self, rows, columns):
            return np.full((len(rows), len(columns)), wrong)

    with pytest.raises(ValueError, match=r"outside \[0, 1\]"):
        semrank({"U1": ["a"]}, {"U2": ["a"]}, similarity=Wrong())


def test_vectors_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        Vectors({"a": [1.0], "b": [1.0, 2.0]})
    with pytest.raises(ValueError, match="'b' is not finite"):
        Vectors({"a": [1.0], "b": [float("nan")]})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"w": 1.5}, "w=1.5: must lie"),
        ({"w": float("nan")}, "w=nan"),
        ({"sim_ext": "links"}, "sim_ext='links': must be"),
    ],
)
def test_options_are_refused_by_name(wrong, said) -> None:
    with pytest.raises(ValueError, match=said):
        SemRankOptions(**wrong)


def test_an_empty_omega_makes_a_root_alone() -> None:
    found = hierarchy(Omega(), ["spider"])
    assert list(found.graph) == [found.root] == [TOP]
    assert LogSimilarity(found).matrix(["a", "b"], ["b", TOP]).tolist() == [[0.0, 0.0], [1.0, 0.0]]


def test_one_keyword_is_its_own_root_and_like_itself() -> None:
    found = hierarchy(Omega({"spider": 3}), ["spider"])
    assert (found.root, found.graph.nodes["spider"]) == ("spider", {"layer": 0, "group": 0, "p": 1.0})
    assert LogSimilarity(found).matrix(["spider"], ["spider"]).tolist() == [[1.0]]


def test_a_hierarchy_with_only_cycles_loses_the_weakest_of_each() -> None:
    names = [f"k{i}" for i in range(6)]
    around = {(names[i], names[(i + 1) % 6]): Support(users=1 + i) for i in range(6)}
    found = hierarchy(Omega(dict.fromkeys(names, 1), {}, around), names[:1])
    assert [(d.whole, d.part) for d in found.dropped] == [("k0", "k1")]
    everything = hierarchy(Omega(dict.fromkeys(names, 1), {}, around))
    ics = LogSimilarity(everything).matrix(names, names)
    assert np.isfinite(ics).all()
    assert [everything.graph.nodes[n]["layer"] for n in names] == [6, 1, 2, 3, 4, 5]


def test_a_query_that_nobody_asked_says_nothing() -> None:
    omega = Omega({"a": 1, "b": 2}, {}, {("a", "b"): Support()})
    assert dict(hierarchy(omega, ["unknown"]).graph.nodes) == dict(hierarchy(omega).graph.nodes)


def test_the_name_of_the_root_is_no_keyword() -> None:
    with pytest.raises(ValueError, match="names the artificial root"):
        hierarchy(Omega({TOP: 1}))


def test_bit_sets_and_arrays_are_the_same_concepts() -> None:
    found = from_masks([(0b101, 0b10)])
    assert (found.extents[0].tolist(), found.intents[0].tolist()) == ([0, 2], [1])
