"""Names as numbers: what a dictionary would say, in less room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.lowlevel.numbers import UNKNOWN, Numbers


@given(st.lists(st.text(max_size=2)), st.lists(st.text(max_size=2)))
def test_names_are_numbered_in_order_of_arrival(names: list[str], others: list[str]) -> None:
    numbers, model = Numbers(), dict[str, int]()
    for name in names:
        assert numbers.add(name) == model.setdefault(name, len(model))
    assert [numbers.get(name) for name in (*names, *others)] == [model.get(name, UNKNOWN) for name in (*names, *others)]
    assert len(numbers) == len(model)


def test_many_names_keep_their_numbers() -> None:
    numbers = Numbers()
    names = [f"http://host{i % 7}.test/page/{i}" for i in range(5000)]
    assert [numbers.add(name) for name in names] == list(range(5000)) == [numbers.get(name) for name in names]
    assert "http://host0.test/page/5001" not in numbers
