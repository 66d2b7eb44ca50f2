"""What waits in memory: it takes memory for what waits, not for what has changed, and the best are the best."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.frontier.heaps import Heaps, Turn

PUT, DROP, BEST = range(3)
STEPS = st.lists(
    st.tuples(st.sampled_from([PUT, PUT, PUT, DROP, BEST]), st.integers(0, 11), st.integers(0, 3)), max_size=80
)


@given(STEPS)
def test_the_best_are_the_first_of_all_that_waits_whatever_has_changed(steps: list[tuple[int, int, int]]) -> None:
    orders: dict[bytes, Turn] = {}
    heaps = Heaps(orders)
    for what, number, rank in steps:
        key, host = b"%d" % number, f"host{number % 3}"
        waiting = sorted((*order, k) for k, order in orders.items())
        if what == BEST:
            assert heaps.best(number) == [key for _, _, key in waiting[:number]]
        elif what == PUT and orders.get(key) != (-rank, number):
            new = key not in orders
            orders[key] = (-rank, number)
            heaps.put(key, host, new)
        elif what == DROP and key in orders:
            del orders[key]
            heaps.drop(host)
    waiting = sorted((*order, k) for k, order in orders.items())
    assert heaps.first(lambda host: True, 1.0) == (waiting[0][2] if waiting else None)
    assert heaps.best(len(waiting) + 1) == [key for _, _, key in waiting]


def test_ranks_that_change_often_leave_little_behind_even_on_many_hosts() -> None:
    orders: dict[bytes, Turn] = {}
    heaps = Heaps(orders)
    rng = Random(1)
    for turn in range(100):
        for n in range(500):
            key = b"%d" % n
            new = key not in orders
            orders[key] = (-rng.random(), n)
            heaps.put(key, f"host{n % 250}", new)
        assert sum(map(len, heaps._hosts.values())) <= 2 * 500 + 8 * 250, turn
    assert heaps.best(500) == sorted(orders, key=orders.__getitem__)
