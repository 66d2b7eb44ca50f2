"""What two nodes of a hierarchy share: the ancestor that says the most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from fcacrawler.semrank.kernels.arrays import Ints


class Ancestry:
    """Nodes and all that is above them. A node is its own ancestor.

    Nodes are numbered in the order given, the most informative first: of the ancestors that two nodes share, the one
    with the least number says the most.

    >>> above = Ancestry(["fox", "dog", "canid"], {"fox": ["canid"], "dog": ["canid"]})
    >>> above.order[above.shared("dog", above.below(["fox"]), 1)[0]]
    'canid'
    """

    def __init__(
        self, order: Sequence[str], parents: Mapping[str, Iterable[str]], above_all: str | None = None
    ) -> None:
        """``above_all`` is everyone's ancestor, whatever ``parents`` say."""
        self.order = order
        self.number = {n: i for i, n in enumerate(order)}
        self._parents = parents
        self._above_all = above_all
        self._of: dict[str, Ints] = {}

    def of(self, node: str) -> Ints:
        """The numbers of a node's ancestors, ascending."""
        if node not in self._of:
            found = {node} if self._above_all is None else {node, self._above_all}
            waiting = [node]
            while waiting:
                new = [p for p in self._parents.get(waiting.pop(), ()) if p not in found]
                found.update(new)
                waiting += new
            self._of[node] = np.array(sorted(self.number[n] for n in found), dtype=np.int64)
        return self._of[node]

    def below(self, nodes: Sequence[str]) -> dict[int, Ints]:
        """For each ancestor of these nodes, by number: the places of the nodes that it is above."""
        places: dict[int, list[int]] = {}
        for j, n in enumerate(nodes):
            for x in self.of(n).tolist():
                places.setdefault(x, []).append(j)
        return {x: np.array(js, dtype=np.int64) for x, js in places.items()}

    def shared(self, node: str, below: Mapping[int, Ints], width: int) -> Ints:
        """The number of the most informative ancestor that a node shares with each of ``width`` nodes; -1: none.

        ``below`` is of those nodes.
        """
        out = np.full(width, -1, dtype=np.int64)
        for x in self.of(node)[::-1].tolist():  # the most informative last: it stays
            if x in below:
                out[below[x]] = x
        return out
