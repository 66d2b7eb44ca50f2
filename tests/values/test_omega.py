"""Ω is plain data in one canonical form."""

import pytest

from fcacrawler.values.omega import Omega, Support

CLICKS = {"spider": 5, "internet": 32, "page": 9}


def test_the_order_of_insertion_does_not_matter() -> None:
    one = Omega(CLICKS, {("spider", "internet"): Support()}, {("spider", "page"): Support()})
    two = Omega(dict(reversed(CLICKS.items())), {("internet", "spider"): Support()}, {("spider", "page"): Support()})
    assert one == two
    assert repr(one) == repr(two)


def test_part_of_keeps_its_direction_and_isa_has_none() -> None:
    omega = Omega(CLICKS, {("spider", "internet"): Support()}, {("spider", "page"): Support()})
    assert list(omega.part_of) == [("spider", "page")]
    assert list(omega.isa) == [("internet", "spider")]


@pytest.mark.parametrize(
    ("clicks", "isa", "part_of", "said"),
    [
        ({"a": 0}, [], [], "'a' has 0 clicks"),
        ({"a": 1}, [("a", "a")], [], "'a' is related to itself"),
        ({"a": 1}, [("a", "b")], [], "'b' has a relation and no clicks"),
        ({"a": 1, "b": 1}, [("a", "b"), ("b", "a")], [], "both ways round"),
        ({"a": 1, "b": 1}, [("a", "b")], [("b", "a")], "both ISA and Part-Of"),
    ],
)
def test_what_is_no_lexical_database_is_refused_by_name(clicks, isa, part_of, said) -> None:
    with pytest.raises(ValueError, match=said):
        Omega(clicks, dict.fromkeys(isa, Support()), dict.fromkeys(part_of, Support()))
