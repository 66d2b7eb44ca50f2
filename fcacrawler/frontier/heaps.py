"""A heap a host and a heap of hosts: the best key among the hosts that are free, without looking at the others.

An order is ``(-rank, arrival)``: smaller leaves earlier, ties in order of arrival. Orders that have changed stay in the
heaps until they come up; ``orders`` says which of them count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush

Order = tuple[float, int]
Item = tuple[float, int, bytes]  # order and key
Head = tuple[float, int, str]  # order of a host's best key, and the host

SLACK = 8  # stale places of a heap that do not matter; times as many as there are hosts, they do


class Heaps:
    """Keys by host. The owner keeps ``orders`` (key → its order now) and tells of every change."""

    def __init__(self, orders: Mapping[bytes, Order]) -> None:
        self._orders = orders
        self._hosts: dict[str, list[Item]] = {}
        self._sizes: dict[str, int] = {}  # keys that count, by host
        self._heads: list[Head] = []

    def put(self, key: bytes, host: str, new: bool) -> None:
        """The key waits with its order in ``orders``; ``new``: it did not wait before."""
        item = (*self._orders[key], key)
        heap = self._hosts.setdefault(host, [])
        heappush(heap, item)
        self._sizes[host] = self._sizes.get(host, 0) + new
        if heap[0] is item:
            heappush(self._heads, (item[0], item[1], host))
        if len(heap) > SLACK + 2 * self._sizes[host]:
            heap[:] = {i for i in heap if self._counts(i)}
            heapify(heap)
        if len(self._heads) > SLACK + 2 * len(self._hosts):
            self._heads = [(*head[:2], h) for h in list(self._hosts) if (head := self._head(h))]
            heapify(self._heads)

    def drop(self, host: str) -> None:
        """One key of the host is no longer in ``orders``."""
        self._sizes[host] -= 1
        if not self._sizes[host]:
            del self._sizes[host], self._hosts[host]

    def first(self, free: Callable[[str], bool], limit: float) -> Item | None:
        """The best item whose host is free and whose order is below ``limit``."""
        refused = []
        found = None
        while self._heads and self._heads[0][0] < limit:
            order, arrival, host = self._heads[0]
            head = self._head(host)
            if head is None or head[:2] != (order, arrival):
                heappop(self._heads)
                if head is not None:
                    heappush(self._heads, (head[0], head[1], host))
            elif free(host):
                found = head
                break
            else:
                refused.append(heappop(self._heads))
        for item in refused:
            heappush(self._heads, item)
        return found

    def best(self, n: int) -> list[Item]:
        """The n best items. What lies above them and counts no more is thrown away, so that it is met once."""
        found: dict[bytes, Item] = {}
        taken: dict[str, list[Item]] = {}  # by host
        while self._heads and len(found) < n:
            host = heappop(self._heads)[2]
            heap = self._hosts.get(host, [])
            while heap and len(found) < n and not (self._heads and heap[0][:2] > self._heads[0][:2]):
                item = heappop(heap)
                if self._counts(item) and item[2] not in found:
                    found[item[2]] = item
                    taken.setdefault(host, []).append(item)
            if heap:
                heappush(self._heads, (*heap[0][:2], host))
        for host, items in taken.items():
            heap = self._hosts[host]
            for item in reversed(items):
                heappush(heap, item)
            heappush(self._heads, (*heap[0][:2], host))
        return list(found.values())

    def _counts(self, item: Item) -> bool:
        return self._orders.get(item[2]) == item[:2]

    def _head(self, host: str) -> Item | None:
        heap = self._hosts.get(host)
        if heap is None:
            return None
        while not self._counts(heap[0]):
            heappop(heap)
        return heap[0]
