"""Whatever is done to it, in whatever order: a frontier answers as the sorted list does."""

from __future__ import annotations

import random
from math import inf

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.values.links import Candidate, Evidence
from tests.contract.backends import BACKENDS, Backend
from tests.contract.model import SortedList

NAMES = st.integers(0, 11)
RANKS = st.sampled_from([0.0, 0.25, 0.45, 0.5, 1.0])
OPTIONS = FrontierOptions(frontier_size=9, evidence=2, attempts=2)


def link(number: int, parent: int) -> Candidate:
    host = "abc"[number % 3]
    evidence = Evidence(f"http://p/{parent}", "anchor", "context", parent, 3)
    return Candidate(b"%d" % number, f"http://{host}/{number}", host, parent, (evidence,))


class Machine(RuleBasedStateMachine):
    def __init__(self, backend: Backend) -> None:
        super().__init__()
        self.backend = backend
        self.frontier = backend.make(OPTIONS)
        self.model = SortedList(OPTIONS)
        self.epoch = 0

    def teardown(self) -> None:
        self.frontier.close()

    @rule(numbers=st.lists(NAMES, max_size=6), parent=st.integers(0, 3), ranks=st.lists(RANKS, min_size=12))
    def a_page_is_read(self, numbers: list[int], parent: int, ranks: list[float]) -> None:
        links = [link(n, parent) for n in numbers]
        found, waiting = self.frontier.add(links), self.model.add(links)
        if self.frontier.shared:  # it may not know yet what other workers did, or this one before it was killed
            assert {c.key for c in found} >= {c.key for c in waiting}
        else:
            assert found == waiting
        self.rank([(b"%d" % n, r) for n, r in zip(dict.fromkeys(numbers), ranks, strict=False)])

    @rule(ranks=st.lists(st.tuples(NAMES, RANKS), max_size=5))
    def ranks_change(self, ranks: list[tuple[int, float]]) -> None:
        self.rank([(b"%d" % n, r) for n, r in ranks])

    def rank(self, ranks: list[tuple[bytes, float]]) -> None:
        self.epoch += 1
        self.rank_now(ranks)

    def rank_now(self, ranks: list[tuple[bytes, float]]) -> None:
        self.frontier.update(ranks, self.epoch)
        self.model.update(ranks, self.epoch)

    @rule(free=st.sets(st.sampled_from("abc")), floor=st.sampled_from([-inf, 0.0, 0.45, 1.0]))
    def the_best_is_leased(self, free: set[str], floor: float) -> None:
        found = self.frontier.lease(free.__contains__, floor)
        shared = self.frontier.shared
        while found is None and shared and (outdated := shared.outdated()):  # ranked before the process was killed
            entries = [self.model.rows[c.key].entry for c in outdated]
            assert [e.candidate for e in entries] == outdated
            self.rank_now([(e.candidate.key, e.rank) for e in entries])
            found = self.frontier.lease(free.__contains__, floor)
        assert found == self.model.lease(free.__contains__, floor)

    @rule(number=NAMES, responded=st.booleans())
    def one_is_done(self, number: int, responded: bool) -> None:
        self.frontier.done(b"%d" % number, responded)
        self.model.done(b"%d" % number, responded)

    @rule(number=NAMES)
    def one_is_given_back(self, number: int) -> None:
        self.frontier.release(b"%d" % number)
        self.model.release(b"%d" % number)

    @rule(number=NAMES)
    def one_is_forgotten(self, number: int) -> None:
        self.frontier.forget(b"%d" % number)
        self.model.forget(b"%d" % number)

    @rule()
    def the_process_is_killed(self) -> None:
        again = self.backend.killed(self.frontier, OPTIONS)
        if again is not None:
            self.frontier = again
            self.model.come_back()

    @rule(n=st.integers(0, 12))
    def someone_looks_at_the_top(self, n: int) -> None:
        assert self.frontier.top(n) == self.model.waiting()[:n]

    @invariant()
    def both_say_the_same(self) -> None:
        waiting = self.model.waiting()
        assert sorted(self.frontier, key=lambda e: (-e.rank, e.arrival)) == waiting
        assert self.frontier.best() == (waiting[0].rank if waiting else None)
        assert self.frontier.sizes(0.45) == self.model.sizes(0.45)
        assert self.frontier.fetched == self.model.fetched
        assert self.frontier.dead() == self.model.dead()
        assert [n for n in range(12) if self.frontier.knows(b"%d" % n)] == sorted(int(k) for k in self.model.rows)


@pytest.mark.parametrize("name", BACKENDS)
def test_a_frontier_is_a_sorted_list(name: str) -> None:
    backend = BACKENDS[name]()
    limits = settings(max_examples=60, stateful_step_count=40, deadline=None)
    run_state_machine_as_test(lambda: Machine(backend), settings=limits)
    backend.clear()


def test_many_changes_of_mind_leave_the_order_as_it_should_be() -> None:
    """Enough of them that the heaps are rebuilt."""
    rng = random.Random(5)
    options = FrontierOptions(frontier_size=0)
    frontier, model = MemoryFrontier(options), SortedList(options)
    for n in range(300):
        for one in (frontier, model):
            one.add([link(n, 0)])
    for epoch in range(3000):
        ranks = [(b"%d" % rng.randrange(300), rng.random())]
        for one in (frontier, model):
            one.update(ranks, epoch)
    assert frontier.top(300) == model.waiting()
    while entry := model.lease(lambda host: host != "b", -inf):
        assert frontier.lease(lambda host: host != "b", -inf) == entry
    assert frontier.top(300) == model.waiting()
