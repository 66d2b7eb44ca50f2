"""A heap a host and a heap of hosts: the best key among the hosts that are free, without looking at the others.

An order is ``(-rank, arrival)``: smaller leaves earlier, ties in order of arrival. Orders that have changed stay in the
heaps until they come up; ``orders`` says which of them count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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

    def walk(self) -> Iterator[Item]:
        """All items, best first. Costs what is looked at, not what there is. Changes meanwhile are not allowed."""
        seen: set[object] = set()
        ahead: list[tuple[float, int, int, str, int]] = []  # order, then where: index in heads, or in host's heap
        if self._heads:
            ahead.append((*self._heads[0][:2], 0, "", -1))
        while ahead:
            _, _, i, host, at = heappop(ahead)
            if at < 0:  # a head: look into its host, and at the heads below it
                host = self._heads[i][2]
                if host not in seen and host in self._hosts:
                    seen.add(host)
                    heappush(ahead, (*self._hosts[host][0][:2], 0, host, 0))
                for j in range(2 * i + 1, min(2 * i + 3, len(self._heads))):
                    heappush(ahead, (*self._heads[j][:2], j, "", -1))
                continue
            heap = self._hosts[host]
            item = heap[at]
            if item[2] not in seen and self._counts(item):
                seen.add(item[2])
                yield item
            for j in range(2 * at + 1, min(2 * at + 3, len(heap))):
                heappush(ahead, (*heap[j][:2], 0, host, j))

    def _counts(self, item: Item) -> bool:
        return self._orders.get(item[2]) == item[:2]

    def _head(self, host: str) -> Item | None:
        heap = self._hosts.get(host)
        if heap is None:
            return None
        while not self._counts(heap[0]):
            heappop(heap)
        return heap[0]
