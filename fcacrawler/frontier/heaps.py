"""A heap a host and a heap of hosts: the best key among the hosts that are free, without looking at the others.

An order is ``(-rank, arrival)``: smaller leaves earlier, ties in order of arrival. Orders that have changed stay in the
heaps until they come up; ``orders`` says which of them count. A key whose order is new takes its place when the best is
asked for: what is found, ranked, and ranked again meanwhile takes one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush

Turn = tuple[float, int]  # an order
Item = tuple[float, int, bytes]  # an order and its key: flat, as heaps compare them
Head = tuple[float, int, str]  # the order of a host's best key, and the host

SLACK = 8  # stale places of a heap that do not matter; times as many as there are hosts, they do


class Heaps:
    """Keys by host. The owner keeps ``orders`` (key → its order now) and tells of every change."""

    def __init__(self, orders: Mapping[bytes, Turn]) -> None:
        self._orders = orders
        self._hosts: dict[str, list[Item]] = {}
        self._sizes: dict[str, int] = {}  # keys that count, by host
        self._heads: list[Head] = []
        self._places: dict[str, Turn] = {}  # of hosts among the heads: other heads of theirs do not count
        self._due: dict[bytes, str] = {}  # keys that have no place of their order, or may have none, and their hosts

    def put(self, key: bytes, host: str, new: bool) -> None:
        """The key waits with its order in ``orders``; ``new``: it did not wait before."""
        self._due[key] = host
        self._sizes[host] = self._sizes.get(host, 0) + new
        if len(self._due) > SLACK + 2 * len(self._orders):
            self._settle()

    def move(self, keys: Mapping[bytes, str]) -> None:
        """Those of these hosts that wait have new orders."""
        self._due.update(keys)
        if len(self._due) > SLACK + 2 * len(self._orders):
            self._settle()

    def _settle(self) -> None:
        """Everything has its place."""
        for key, host in self._due.items():
            order = self._orders.get(key)
            if order is None:
                continue
            item = (*order, key)
            heap = self._hosts.setdefault(host, [])
            heappush(heap, item)
            if heap[0] is item:
                self._place(host, order)
            if len(heap) > SLACK + 2 * self._sizes[host]:
                heap[:] = {i for i in heap if self._counts(i)}
                heapify(heap)
        self._due.clear()
        if len(self._heads) > SLACK + 2 * len(self._hosts):
            self._heads = [(*order, h) for h, order in self._places.items()]
            heapify(self._heads)

    def drop(self, host: str) -> None:
        """One key of the host is no longer in ``orders``."""
        self._sizes[host] -= 1
        if not self._sizes[host]:
            del self._sizes[host]
            self._hosts.pop(host, None)
            self._places.pop(host, None)

    def first(self, free: Callable[[str], bool], limit: float) -> bytes | None:
        """The best key whose host is free and whose order is below ``limit``."""
        self._settle()
        refused = []
        found = None
        while self._heads:
            rank, arrival, host = self._heads[0]
            if rank >= limit:
                break
            if self._places.get(host) != (rank, arrival):
                heappop(self._heads)
                continue
            now, key = self._head(host)
            if now != (rank, arrival):
                heappop(self._heads)
                del self._places[host]
                if now is not None:
                    self._place(host, now)
            elif free(host):
                found = key
                break
            else:
                refused.append(heappop(self._heads))
        for item in refused:
            heappush(self._heads, item)
        return found

    def best(self, n: int, opened: Callable[[bytes], bool] | None = None) -> list[bytes]:
        """The n best keys, which lose their places: most of them will be ranked anew. What lies above them and counts
        no more is thrown away. ``opened``: did this key stand for others, which wait themselves now?"""
        self._settle()
        found: dict[bytes, str] = {}  # with their hosts
        while self._heads and len(found) < n:
            rank, arrival, host = heappop(self._heads)
            if self._places.get(host) != (rank, arrival):
                continue
            del self._places[host]
            heap = self._hosts[host]
            while heap and len(found) < n:
                rank, arrival, key = heap[0]
                if self._heads and self._heads[0] < (rank, arrival, ""):
                    break
                heappop(heap)
                if self._orders.get(key) != (rank, arrival) or key in found:
                    continue
                if opened is not None and opened(key):
                    self._settle()
                else:
                    found[key] = host
            if heap and self._hosts.get(host) is heap:
                rank, arrival, _ = heap[0]
                self._place(host, (rank, arrival))
        self._due.update(found)
        return list(found)

    def _place(self, host: str, order: Turn) -> None:
        if self._places.get(host) != order:
            self._places[host] = order
            heappush(self._heads, (*order, host))

    def _counts(self, item: Item) -> bool:
        rank, arrival, key = item
        return self._orders.get(key) == (rank, arrival)

    def _head(self, host: str) -> tuple[Turn | None, bytes]:
        """The order of a host's best key, and that; no order where none is left."""
        heap = self._hosts.get(host, [])
        while heap and not self._counts(heap[0]):
            heappop(heap)
        if not heap:
            return None, b""
        rank, arrival, key = heap[0]
        return (rank, arrival), key
