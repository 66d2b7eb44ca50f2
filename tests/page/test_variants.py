"""Pages that say they are another."""

import pytest

from fcacrawler.page.identity.variants import Variants, is_variant

SHOES = "http://shop.test/c/shoes"


def test_a_page_with_parameters_is_a_variant_of_the_page_without_once_that_was_seen() -> None:
    variants = Variants()
    assert variants.add(SHOES + "?colour=red", SHOES) is None
    assert variants.add(SHOES, SHOES) is None
    assert variants.add(SHOES + "?colour=red&sort=price", SHOES) == SHOES


@pytest.mark.parametrize(
    "canonical",
    [
        "",
        "http://shop.test/",  # a mistake of the shop's: every page says it is the front page
        "http://other.test/c/shoes",
        "https://shop.test/c/shoes",
        SHOES + "?sort=name",
        SHOES + "?colour=red&page=2",
        SHOES + "?colour=red",
    ],
)
def test_a_word_that_may_be_a_mistake_is_not_believed(canonical: str) -> None:
    assert not is_variant(SHOES + "?colour=red", canonical)


def test_parameters_count_with_their_values_and_in_any_order() -> None:
    assert is_variant(SHOES + "?b=2&a=1", SHOES + "?a=1")
    assert not is_variant(SHOES + "?b=2&a=3", SHOES + "?a=1")
    assert is_variant(SHOES + "?page=2&sid=", SHOES + "?page=2")


def test_the_oldest_page_is_forgotten_first() -> None:
    variants = Variants(most=2)
    for url in ("http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/"):
        variants.add(url, "")
    assert variants.add("http://a.test/?x=1", "http://a.test/") is None
    assert variants.add("http://c.test/?x=1", "http://c.test/") == "http://c.test/"
