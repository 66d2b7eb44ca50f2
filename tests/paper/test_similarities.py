"""The worked numbers of 2013 (Examples 14, 16, 19) and 2007 (§3.2), typed as printed."""

import numpy as np
import pytest

from fcacrawler.semrank.extension import extension_similarity
from fcacrawler.semrank.hierarchy import TOP, hierarchy, probabilities
from fcacrawler.semrank.ics import LogSimilarity, information_content_similarity, path_weight
from fcacrawler.semrank.intension import intension_similarity
from fcacrawler.semrank.keyword_similarity import Exact
from fcacrawler.semrank.parameters import NAMED, SEMRANK_2007, SemRankOptions
from fcacrawler.semrank.rank import semrank
from fcacrawler.semrank.similarity import concept_similarity
from tests.paper.example import BASE, CLICK_NUMBERS, CLICKS, CURRENT, LINKS, OMEGA

P = {"Internet": 0.00372, "Web page": 0.01484, "Technology": 0.00281, "Network": 0.00502}  # as the paper prints them
FIRST, SECOND = 1 / (1 + 0.2), 1 / (2 + 0.2)
X1, Y1 = {"U1", "U3"}, ["Internet", "Spider"]
X5, Y5 = {"U4", "U5", "U8"}, ["Web page", "Spider"]
QUERY = ["Internet", "Spider"]


def by_formula(p_shared, p_a, p_b, w_a, w_b):
    return information_content_similarity(*-np.log([[p_shared], [p_a], [p_b]]), w_a, w_b)[0]


def ics(a, b, similarity=None):
    return (similarity or LogSimilarity(hierarchy(OMEGA, QUERY))).matrix([a], [b])[0, 0]


@pytest.mark.parametrize("count", ["targets", "pairs"])
def test_example_19_extension_similarity_is_0_3333(count) -> None:
    assert extension_similarity(X1, X5, LINKS, CLICKS, count) == pytest.approx(4 / (4 * 3))
    assert round(extension_similarity(X1, X5, LINKS, CLICKS, count), 4) == 0.3333


def test_example_16_internet_and_web_page_are_0_8351_alike_with_the_weights_of_2007() -> None:
    value = by_formula(0.01484, P["Internet"], P["Web page"], FIRST, FIRST + SECOND)
    assert round(value, 4) == 0.8351


def test_example_16_the_weights_printed_in_2013_give_another_number() -> None:
    both = FIRST + SECOND  # erratum 5
    assert round(by_formula(0.01484, P["Internet"], P["Web page"], both, both), 4) == 0.6669


def test_example_16_technology_and_network_are_0_7778_alike_by_the_formula() -> None:
    both = FIRST + SECOND
    value = by_formula(P["Internet"], P["Technology"], P["Network"], both, both)
    assert round(value, 4) == 0.7778


def test_by_equation_5_technology_and_network_are_isa_and_so_1() -> None:
    assert ics("Technology", "Network") == 1.0


def test_example_16_a_keyword_is_like_itself() -> None:
    assert ics("Network", "Network") == 1.0


def test_the_hierarchy_gives_the_weights_of_the_worked_numbers() -> None:
    found = hierarchy(OMEGA, QUERY)
    layers = {n: node["layer"] for n, node in found.graph.nodes.items()}
    assert layers == {TOP: 0, "Internet": 1, "Spider": 1} | dict.fromkeys(
        ["Technology", "Network", "Information", "Web page"], 2
    )
    assert path_weight(layers["Internet"], 0.2) == FIRST
    assert path_weight(layers["Web page"], 0.2) == FIRST + SECOND
    assert found.root == TOP
    assert sorted(found.graph.successors(TOP)) == ["Internet", "Spider"]


def test_the_shared_keywords_are_those_of_the_examples() -> None:
    similarity = LogSimilarity(hierarchy(OMEGA, QUERY))
    assert similarity.shared("Internet", "Web page") == TOP
    assert similarity.shared("Technology", "Network") == "Internet"
    whole = SemRankOptions(p_keyword="cumulative")  # gap 3: by its own clicks alone Network says less than Internet
    assert LogSimilarity(hierarchy(OMEGA, QUERY, whole), whole).shared("Network", "Network") == "Network"


def test_table_3_sums_to_91502_and_not_to_87482() -> None:
    assert sum(CLICK_NUMBERS.values()) == 91502  # erratum 3
    p = probabilities(CLICK_NUMBERS, 91502)
    assert p["Web page"] == pytest.approx(12983 / 91502)
    assert round(12983 / 87482, 4) == 0.1484  # the paper's divisor, and its decimal slipped to 0.01484
    assert sum(p.values()) == pytest.approx(1.0)


def test_the_root_is_as_probable_as_the_most_or_the_least_probable_keyword() -> None:
    p = probabilities(CLICK_NUMBERS, 91502)  # erratum 4
    most, least = hierarchy(OMEGA, QUERY), hierarchy(OMEGA, QUERY, SemRankOptions(p_top="min"))
    assert most.graph.nodes[TOP]["p"] == p["Information"]
    assert least.graph.nodes[TOP]["p"] == p["Spider"]


def test_example_19_intension_similarity_is_0_91755() -> None:
    class Worked(Exact):
        def matrix(self, rows, columns):
            out = super().matrix(rows, columns)
            out[list(rows).index("Internet"), list(columns).index("Web page")] = 0.8351
            return out

    assert round(intension_similarity(Y1, Y5, Worked()), 5) == 0.91755


def test_example_19_concept_similarity_is_0_68385() -> None:
    assert round(concept_similarity(0.3333, 0.91755, 0.4), 5) == 0.68385


def test_without_the_isa_case_of_2013_keywords_in_isa_are_compared_by_the_formula() -> None:
    similarity = LogSimilarity(hierarchy(OMEGA, QUERY, SEMRANK_2007), SEMRANK_2007)
    p, w = probabilities(CLICK_NUMBERS, 91502), FIRST + SECOND
    expected = by_formula(p["Internet"], p["Technology"], p["Network"], w, w)
    assert ics("Technology", "Network", similarity) == pytest.approx(expected)
    assert ics("Network", "Network", similarity) == 1.0


def test_weights_may_be_read_from_the_shared_keyword_as_definition_15_says() -> None:
    options = SemRankOptions(ics_path="ancestor", ics_isa=False)
    similarity = LogSimilarity(hierarchy(OMEGA, QUERY, options), options)
    p = probabilities(CLICK_NUMBERS, 91502)
    expected = by_formula(p["Internet"], p["Technology"], p["Network"], SECOND, SECOND)
    assert ics("Technology", "Network", similarity) == pytest.approx(expected)
    from_root = by_formula(p["Information"], p["Internet"], p["Web page"], FIRST, FIRST + SECOND)
    assert ics("Internet", "Web page", similarity) == pytest.approx(from_root)


@pytest.mark.parametrize("name", NAMED)
def test_every_named_reading_ranks_the_example(name) -> None:
    options = NAMED[name]
    similarity = LogSimilarity(hierarchy(OMEGA, QUERY, options), options)
    ranks = semrank(BASE, CURRENT, LINKS, CLICKS, similarity, options)
    assert list(ranks) == ["U4", "U5", "U6", "U7", "U8"]
    assert all(0.0 < rank <= 1.0 for rank in ranks.values())


def test_example_19_leaves_out_a_click_of_its_own_table() -> None:
    clicks = [*CLICKS, ("U1", "U8")]  # Table 3, Spider; erratum 8
    assert extension_similarity(X1, X5, LINKS, clicks) == pytest.approx(5 / 12)
    assert round(concept_similarity(5 / 12, 0.91755, 0.4), 4) == 0.7172


def test_example_19_pairs_keywords_that_are_less_alike_than_another_pairing() -> None:
    """Internet ~ Spider is ISA, and Spider ⊃ Web page has as much in common: erratum 9."""
    similarity = LogSimilarity(hierarchy(OMEGA, QUERY))
    assert intension_similarity(Y1, Y5, similarity) == 1.0
    assert (
        ics("Internet", "Web page") + ics("Spider", "Spider")
        < 2.0
        == ics("Internet", "Spider") + ics("Spider", "Web page")
    )


def test_the_worked_p_of_top_is_neither_the_greatest_nor_the_least() -> None:
    p = probabilities(CLICK_NUMBERS, 87482)  # erratum 10
    assert round(p["Web page"] / 10, 5) == P["Web page"] == 0.01484
    assert min(p.values()) < p["Web page"] < max(p.values())


def test_the_table_of_2007_makes_isa_of_what_it_calls_part_of() -> None:
    clicked = {"Internet": {"U1", "U3"}, "Technology": {"U3", "U4"}, "Network": {"U3", "U5"}}  # erratum 11
    for part in ("Technology", "Network"):
        assert ("Internet", part) in OMEGA.part_of
        assert clicked["Internet"] & clicked[part]
