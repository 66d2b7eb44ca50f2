"""2013, Example 5 and Table 2; 2007, Example 1: the concepts of the base and of the current URLs."""

import pytest

from fcacrawler.semrank.context import formal_context, table
from fcacrawler.semrank.kernels.concepts import concepts_of
from tests.paper.example import BASE, CURRENT


def named(given):
    """The concepts as the paper writes them."""
    t = table(given)
    found = concepts_of(t, limit=100)
    return {
        ("".join(sorted(t.urls[u] for u in x)), ", ".join(sorted(t.keywords[k] for k in y)))
        for x, y in zip(found.extents, found.intents, strict=True)
    }


PRINTED_OF_THE_BASE = {
    ("U1U3", "Internet, Spider"),
    ("U2U3", "Ontology, Spider"),
    ("U1U2U3", "Spider"),
    ("U3", "Internet, Ontology, Spider"),
}
PRINTED_OF_THE_CURRENT = {
    ("U4U5U6U8", "Web page"),
    ("U5U6U7U8", "Technology"),
    ("U4U7U8", "Information, Spider"),
    ("U4U5U8", "Spider, Web page"),
    ("U5U6U7", "Network, Technology"),
    ("U5U6U8", "Technology, Web page"),
    ("U5U7", "Network, Spider, Technology"),
    ("U5U8", "Spider, Technology, Web page"),
    ("U5U6", "Internet, Network, Technology, Web page"),
    ("U7", "Information, Network, Spider, Technology"),
    ("U8", "Information, Spider, Technology, Web page"),
    ("U5", "Internet, Network, Spider, Technology, Web page"),
    ("U4U5U6U7U8", ""),
    ("", "Information, Internet, Network, Spider, Technology, Web page"),
}
SLIPPED_IN_PRINT = ("U4", "Information, Spider, Web page")  # U8 has these keywords too, by the paper's own table
PUT_RIGHT = ("U4U8", "Information, Spider, Web page")
MISSING_IN_PRINT = {  # erratum 1
    ("U5U7U8", "Spider, Technology"),
    ("U7U8", "Information, Spider, Technology"),
    ("U4U5U7U8", "Spider"),
}


def test_the_base_lattice_has_the_4_concepts_printed() -> None:
    assert named(BASE) == PRINTED_OF_THE_BASE
    assert len(formal_context(table(BASE)).lattice) == 4


ALL_OF_THE_CURRENT = PRINTED_OF_THE_CURRENT | {PUT_RIGHT} | MISSING_IN_PRINT


def test_the_current_lattice_has_the_15_concepts_printed_one_put_right_and_3_more() -> None:
    assert len(PRINTED_OF_THE_CURRENT | {SLIPPED_IN_PRINT}) == 15
    assert named(CURRENT) == ALL_OF_THE_CURRENT
    assert set(SLIPPED_IN_PRINT[1].split(", ")) <= set(CURRENT["U8"])
    assert len(named(CURRENT)) == len(formal_context(table(CURRENT)).lattice) == 18


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_the_urls_does_not_change_the_concepts(order) -> None:
    assert named(dict(list(CURRENT.items())[::order])) == ALL_OF_THE_CURRENT
