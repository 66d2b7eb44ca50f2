"""What waits in memory takes memory for what waits, not for what has changed."""

from __future__ import annotations

from random import Random

from fcacrawler.frontier.heaps import Heaps, Order


def test_ranks_that_change_often_leave_little_behind_even_on_many_hosts() -> None:
    orders: dict[bytes, Order] = {}
    heaps = Heaps(orders)
    rng = Random(1)
    for turn in range(100):
        for n in range(500):
            key = b"%d" % n
            new = key not in orders
            orders[key] = (-rng.random(), n)
            heaps.put(key, f"host{n % 250}", new)
        assert sum(map(len, heaps._hosts.values())) <= 2 * 500 + 8 * 250, turn
    assert [item[2] for item in heaps.walk()] == sorted(orders, key=orders.__getitem__)
