"""One contract, every backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf

import pytest

from fcacrawler.frontier import Frontier, Observed, Sizes
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from tests.contract.backends import BACKENDS, Backend, Memory, Redis, Sqlite

Make = Callable[[FrontierOptions], Frontier]


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    made = BACKENDS[request.param]()
    yield made
    made.clear()


@pytest.fixture
def make(backend: Backend) -> Iterator[Make]:
    made: list[Frontier] = []

    def one(options: FrontierOptions) -> Frontier:
        made.append(backend.make(options))
        return made[-1]

    yield one
    for frontier in made:
        frontier.close()


@pytest.fixture
def frontier(make: Make) -> Frontier:
    return make(FrontierOptions())


def everywhere(host: str) -> bool:
    return True


def link(name: str, host: str = "a", depth: int = 1, parent: str = "http://seed/") -> Candidate:
    evidence = Evidence(parent, f"to {name}", "just before and after", 0, 1)
    return Candidate(name.encode(), f"http://{host}/{name}", host, depth, (evidence,))


def fill(frontier: Frontier, **ranks: float) -> None:
    """Add links named ``host_name`` with their ranks."""
    frontier.add([link(name, name[0]) for name in ranks])
    frontier.update([(name.encode(), rank) for name, rank in ranks.items()], 1)


def drain(frontier: Frontier, free: Callable[[str], bool] = everywhere, floor: float = -inf) -> list[str]:
    names = []
    while entry := frontier.lease(free, floor):
        names.append(entry.candidate.key.decode())
    return names


def test_the_best_leaves_first_whatever_its_host(frontier: Frontier) -> None:
    fill(frontier, a1=0.2, b1=0.9, a2=0.8, c1=0.5)
    assert drain(frontier) == ["b1", "a2", "c1", "a1"]


def test_ties_leave_in_order_of_arrival(frontier: Frontier) -> None:
    fill(frontier, b1=0.5, a1=0.5, c1=0.5, a2=0.5)
    frontier.update([(b"c1", 0.7)], 1)
    frontier.update([(b"c1", 0.5)], 1)
    assert drain(frontier) == ["b1", "a1", "c1", "a2"]


def test_a_busy_host_is_passed_over_and_loses_nothing(frontier: Frontier) -> None:
    fill(frontier, a1=0.9, a2=0.8, b1=0.3)
    assert drain(frontier, lambda host: host != "a") == ["b1"]
    assert drain(frontier) == ["a1", "a2"]


def test_nothing_at_or_below_the_floor_leaves(frontier: Frontier) -> None:
    fill(frontier, a1=0.45, b1=0.46, c1=0.0)
    assert drain(frontier, floor=0.45) == ["b1"]
    assert frontier.best() == 0.45
    assert frontier.sizes(0.45) == Sizes(running=0, waiting=2, leased=1, done=0, dead=0)


def test_a_rank_can_rise_and_fall_while_it_waits(frontier: Frontier) -> None:
    fill(frontier, a1=0.9, a2=0.5, b1=0.6)
    frontier.update([(b"a1", 0.1), (b"a2", 0.7), (b"unknown", 1.0)], 2)
    assert [(e.candidate.key, e.rank, e.epoch) for e in frontier.top(2)] == [(b"a2", 0.7, 2), (b"b1", 0.6, 1)]
    assert drain(frontier) == ["a2", "b1", "a1"]


def test_a_rank_is_finite(frontier: Frontier) -> None:
    fill(frontier, a1=0.9)
    for bad in (inf, -inf, float("nan")):
        with pytest.raises(ValueError, match="finite"):
            frontier.update([(b"a1", bad)], 1)


def test_what_is_found_again_keeps_its_place_and_gathers_evidence(frontier: Frontier) -> None:
    fill(frontier, a1=0.9, a2=0.9)
    again = link("a1", depth=0, parent="http://other/")
    assert frontier.add([again, link("a3"), again]) == [
        Candidate(b"a1", "http://a/a1", "a", 0, link("a1").evidence + again.evidence),
        link("a3"),
    ]
    assert drain(frontier) == ["a1", "a2", "a3"]


def test_evidence_is_bounded_to_the_first_and_the_latest(make: Make) -> None:
    frontier = make(FrontierOptions(evidence=3))
    parents = [f"http://p/{i}" for i in range(6)]
    for parent in parents:
        (known,) = frontier.add([link("a1", parent=parent)])
    assert [e.parent for e in known.evidence] == [parents[0], *parents[-2:]]


def test_what_is_known_and_does_not_wait_is_left_as_it_is(frontier: Frontier) -> None:
    fill(frontier, a1=0.9, a2=0.8, a3=0.7)
    for _ in range(2):
        frontier.lease(everywhere, -inf)
    frontier.done(b"a1")
    assert [c.key for c in frontier.add([link("a1"), link("a2"), link("a3")])] == [b"a3"]
    assert frontier.sizes(0) == Sizes(running=1, waiting=0, leased=1, done=1, dead=0)
    assert all(frontier.knows(k) for k in (b"a1", b"a2", b"a3"))
    assert not frontier.knows(b"a4")


def test_a_released_link_waits_where_it_was_with_one_more_attempt(frontier: Frontier) -> None:
    fill(frontier, a1=0.9, a2=0.9)
    first = frontier.lease(everywhere, -inf)
    assert first is not None
    frontier.release(b"a1")
    again = frontier.lease(everywhere, -inf)
    assert again is not None
    assert (again.candidate, again.rank, again.arrival) == (first.candidate, first.rank, first.arrival)
    assert (first.attempts, again.attempts) == (0, 1)


def test_after_too_many_attempts_a_link_is_dead(make: Make) -> None:
    frontier = make(FrontierOptions(attempts=2))
    fill(frontier, a1=0.9)
    for _ in range(2):
        assert frontier.lease(everywhere, -inf)
        frontier.release(b"a1")
    assert frontier.lease(everywhere, -inf) is None
    assert [(e.candidate.key, e.attempts) for e in frontier.dead()] == [(b"a1", 2)]
    assert frontier.sizes(0).dead == 1
    assert frontier.knows(b"a1")


def test_what_is_dropped_is_done_without_a_response(frontier: Frontier) -> None:
    fill(frontier, a1=0.9, a2=0.8)
    frontier.lease(everywhere, -inf)
    frontier.drop(b"a1")
    assert (frontier.sizes(0).done, frontier.fetched) == (1, 0)
    assert drain(frontier) == ["a2"]


def test_done_and_release_of_what_is_not_leased_change_nothing(frontier: Frontier) -> None:
    fill(frontier, a1=0.9)
    for key in (b"a1", b"unknown"):
        frontier.done(key)
        frontier.release(key)
    assert frontier.sizes(0) == Sizes(running=1, waiting=0, leased=0, done=0, dead=0)


def test_what_is_forgotten_was_never_there(make: Make) -> None:
    frontier = make(FrontierOptions(attempts=1))
    fill(frontier, a1=0.9, a2=0.8, a3=0.7, a4=0.6)
    for _ in range(3):
        frontier.lease(everywhere, -inf)
    frontier.done(b"a1")
    frontier.release(b"a2")
    for name in ("a1", "a2", "a3", "a4"):
        frontier.forget(name.encode())
        assert not frontier.knows(name.encode())
    assert frontier.sizes(0) == Sizes(0, 0, 0, 0, 0)
    fill(frontier, a5=0.5, a1=0.5)
    assert drain(frontier) == ["a5", "a1"]


def test_beyond_its_size_the_worst_are_evicted_the_latest_first(make: Make) -> None:
    frontier = make(FrontierOptions(frontier_size=10))
    fill(frontier, **{f"{'ab'[i % 2]}{i}": i % 4 / 4 for i in range(10)})
    assert frontier.sizes(0).evicted == 0
    fill(frontier, c0=0.25)
    assert frontier.sizes(0).evicted == 2
    assert not any(e.candidate.key in (b"a4", b"a8") for e in frontier)
    assert frontier.knows(b"a8")
    assert frontier.add([link("a8")]) == []
    assert len(list(frontier)) == 9


def test_looking_changes_nothing(frontier: Frontier) -> None:
    fill(frontier, a1=0.9, b1=0.8, a2=0.7)
    assert [e.candidate.key for e in frontier.top(9)] == [b"a1", b"b1", b"a2"]
    assert {e.candidate.key for e in frontier} == {b"a1", b"b1", b"a2"}
    assert frontier.best() == 0.9
    assert drain(frontier) == ["a1", "b1", "a2"]
    assert frontier.top(1) == []
    assert frontier.best() is None


def test_nothing_comes_of_nothing(frontier: Frontier) -> None:
    frontier.add([])
    frontier.update([], 1)
    assert frontier.lease(everywhere, -inf) is None
    assert frontier.top(0) == frontier.dead() == list(frontier) == []
    assert frontier.sizes(0) == Sizes(0, 0, 0, 0, 0)


def test_a_candidate_comes_out_as_it_went_in(frontier: Frontier) -> None:
    evidence = Evidence("http://a/é?x=1&y", 'say "hi"\n\x00', "…\U0001f3ce ", 3, 7)
    whole = Candidate(bytes(range(256)), "http://a/%00é", "a:8080", 3, (evidence,), '{"method":"POST"}')
    frontier.add([whole])
    frontier.update([(whole.key, 1 / 3)], 7)
    entry = frontier.lease(everywhere, -inf)
    assert entry is not None
    assert (entry.candidate, entry.rank, entry.epoch) == (whole, 1 / 3, 7)


def test_a_frontier_has_a_store_or_shares_or_does_neither(backend: Backend, frontier: Frontier) -> None:
    has = {Memory: (False, False), Sqlite: (True, False), Redis: (False, True)}
    assert (frontier.store is not None, frontier.shared is not None) == has[type(backend)]


def learned(frontier: Frontier) -> Observed:
    observed = frontier.store or frontier.shared
    if observed is None:
        frontier.close()
        pytest.skip("nothing is remembered in memory")
    return observed


def test_a_page_is_there_for_whoever_goes_on_once_its_link_is_done(backend: Backend) -> None:
    first = backend.make(FrontierOptions())
    observed = learned(first)
    fill(first, a1=0.9, a2=0.8)
    page = SeenPage("http://a/a1", "A", "en", 0, (), {"tea": 0.5}, ())
    for key in (b"a1", b"a2"):
        first.lease(everywhere, -inf)
        observed.record(key, page)
    first.done(b"a1")
    first.sync()
    second = backend.killed(first, FrontierOptions())
    assert second is not None
    assert [list(learned(second).observed()) for _ in "12"] == [[page], []]
    second.close()


def test_a_link_released_without_an_attempt_never_dies(make: Make) -> None:
    frontier = make(FrontierOptions(attempts=2))
    fill(frontier, a1=0.9)
    for _ in range(5):
        assert frontier.lease(everywhere, -inf) is not None
        frontier.release(b"a1", counted=False)
    entry = frontier.lease(everywhere, -inf)
    assert entry is not None
    assert (entry.attempts, frontier.dead()) == (0, [])


def test_nothing_of_a_host_that_is_shut_leaves_until_the_next_run(backend: Backend) -> None:
    frontier = backend.make(FrontierOptions())
    fill(frontier, a1=0.9, b1=0.5, a2=0.8)
    assert frontier.lease(everywhere, 0.85) is not None
    frontier.shut("a", "no route")
    frontier.release(b"a1", counted=False)
    fill(frontier, a3=0.95, b2=0.3)
    assert frontier.best() == 0.5
    assert drain(frontier) == ["b1", "b2"]
    assert frontier.best() is None
    assert frontier.unreached() == {"a": ("no route", 3)}
    assert [e.candidate.key for e in frontier.top(9)] == [b"a3", b"a1", b"a2"]
    for key in (b"b1", b"b2"):
        frontier.done(key)
    assert frontier.sizes(0.0).running == 3
    again = backend.killed(frontier, FrontierOptions())
    if again is not None:
        assert (again.best(), again.unreached()) == (0.95, {})
        assert drain(again) == ["a3", "a1", "a2"]
        again.close()


def test_homes_are_there_for_whoever_goes_on(backend: Backend) -> None:
    first = backend.make(FrontierOptions())
    assert sorted(learned(first).homes(["a", "b"])) == sorted(learned(first).homes(["b"])) == ["a", "b"]
    second = backend.killed(first, FrontierOptions())
    assert second is not None
    assert sorted(learned(second).homes(["c"])) == ["a", "b", "c"]
    second.close()


def test_marks_are_kept_and_told_once_here_and_later(backend: Backend) -> None:
    if isinstance(backend, Memory):
        pytest.skip("nothing is kept in memory")
    good, bad = Mark("http://a/1", True, "ann", "now"), Mark("http://a/2", False)
    first = backend.make(FrontierOptions())
    learned(first).mark([good])
    learned(first).mark([good, bad])
    first.sync()
    told = [mark for marks in learned(first).observed() if not isinstance(marks, SeenPage) for mark in marks]
    assert told == [good, bad]
    assert list(learned(first).observed()) == []
    second = backend.killed(first, FrontierOptions())
    assert second is not None
    assert list(learned(second).observed()) == [[good, bad]]
    second.close()
