"""What only a crawl in Redis has to do: several workers, and a server that fails."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

import pytest
import redis
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.frontier import Sizes
from fcacrawler.frontier.evidence import joined
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.admin import Admin
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.redis.log import READ
from fcacrawler.values.errors import BadRecord, BadStore
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from tests.contract.test_frontier import everywhere, fill, link
from tests.crawl.test_crawl import ByTable
from tests.redis_server import RedisServer, serving

CRAWL = {"topic": "test"}
PAGE = SeenPage("http://a/a1", "A", "en", 0, (), {"tea": 0.5}, ())


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with serving() as server:
        yield server


@pytest.fixture
def client(server: RedisServer) -> Iterator[redis.Redis]:
    client = redis.Redis.from_url(server.url)
    client.flushall()
    yield client
    client.close()


class Workers:
    """Frontiers of one crawl, closed at the end."""

    def __init__(self, server: RedisServer) -> None:
        self.server = server
        self.made: list[RedisFrontier] = []

    def one(
        self,
        options: FrontierOptions | None = None,
        budget: int = 0,
        ahead: int = 1,
        crawl: Mapping[str, str] = CRAWL,
        site_of: Callable[[str], str] | None = None,
        seeds: float = 0,
    ) -> RedisFrontier:
        made = RedisFrontier(
            self.server.url, "x", options or FrontierOptions(), crawl, Joining(budget, ahead, seeds, site_of)
        )
        self.made.append(made)
        return made


@pytest.fixture
def workers(server: RedisServer, client: redis.Redis) -> Iterator[Workers]:
    workers = Workers(server)
    yield workers
    for frontier in workers.made:
        frontier.close()


def test_two_workers_never_hold_the_same_link(workers: Workers) -> None:
    one, other = workers.one(ahead=3), workers.one(ahead=3)
    fill(one, **{f"a{n}": 0.5 for n in range(20)})
    got = []
    while entries := [e for w in (one, other) if (e := w.lease(everywhere, -inf))]:
        got += [e.candidate.key for e in entries]
    assert sorted(got) == sorted(b"a%d" % n for n in range(20))


def grown(worker: RedisFrontier) -> RedisFrontier:
    """In a crawl that has fetched so many pages that it leases ahead."""
    fill(worker, **{f"z{n}": 0.99 for n in range(60)})
    while entry := worker.lease(everywhere, -1.0):
        worker.done(entry.candidate.key)
    return worker


def test_what_was_leased_ahead_is_given_back_when_something_better_is_found(workers: Workers) -> None:
    one, other = grown(workers.one(ahead=3)), workers.one()
    fill(one, a1=0.9, a2=0.8, a3=0.7, a4=0.6, a5=0.5)
    assert [one.lease(everywhere, -1.0).candidate.key for _ in "12"] == [b"a1", b"a2"]  # type: ignore[union-attr]
    assert one.sizes(-1.0).leased == 3
    fill(one, b1=0.7, b2=0.95)
    assert one.lease(everywhere, -1.0).candidate.key == b"b2"  # type: ignore[union-attr]
    assert one.sizes(-1.0).leased == 3
    left = [e for _ in range(9) if (e := other.lease(everywhere, -1.0))]
    assert [(e.candidate.key, e.attempts) for e in left] == [(k, 0) for k in (b"a3", b"b1", b"a4", b"a5")]


def test_one_round_trip_serves_several_leases(workers: Workers) -> None:
    one = grown(workers.one(ahead=4))
    fill(one, **{f"a{n}": 1 - n / 10 for n in range(1, 8)})
    before = one.trips
    got = []
    while len(got) < 7 and (entry := one.lease(everywhere, -1.0)):
        got.append(entry.candidate.key)
        one.done(entry.candidate.key)
    assert (got, one.trips - before) == ([b"a%d" % n for n in range(1, 8)], 2)
    assert (one.fetched, one.elsewhere) == (67, 0)
    assert one.sizes(-1.0) == Sizes(0, 0, 0, 67, 0)


def test_what_was_leased_ahead_is_ranked_again_with_the_rest(workers: Workers) -> None:
    one = grown(workers.one(ahead=4))
    fill(one, a1=0.9, a2=0.8, a3=0.7, a4=0.6)
    assert [one.lease(everywhere, -1.0).candidate.key for _ in "12"] == [b"a1", b"a2"]  # type: ignore[union-attr]
    assert [e.candidate.key for e in one.at_hand(9)] == [b"a3", b"a4"]
    one.update([(b"a3", 0.1), (b"a4", 0.2)], 2)
    assert [one.lease(everywhere, -1.0).candidate.key for _ in "12"] == [b"a4", b"a3"]  # type: ignore[union-attr]


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    found=st.lists(st.tuples(st.booleans(), st.integers(0, 20), st.booleans()), max_size=12, unique_by=lambda f: f[1]),
    together=st.integers(0, 3),
    most=st.integers(1, 4),
)
@example(found=[(True, 0, False), (False, 1, False)], together=0, most=1)
def test_what_workers_say_of_a_link_is_joined_as_one_would_join_it(
    server: RedisServer, client: redis.Redis, found: list[tuple[bool, int, bool]], together: int, most: int
) -> None:
    client.flushall()
    pair = [RedisFrontier(server.url, "x", FrontierOptions(evidence=most), CRAWL) for _ in "12"]
    known = link("a1")._replace(evidence=())
    for again in (known, *(link("a1", parent=f"http://first/{n}") for n in range(together))):
        known = joined(known, again, most)
        pair[0].add([again])
    pair[0].update([(b"a1", 0.5)], 1)
    pair[0].sync()
    for second, parent, twice in found:
        worker, again = pair[second], link("a1", depth=parent, parent=f"http://p/{parent}")
        known = joined(known, again, most)
        worker.add([again])
        worker.update([(b"a1", 0.5)], 1)
        told = [*worker.talk._links()]
        worker.sync()
        if twice:
            worker.talk.line.run(told)
    (entry,) = pair[0].top(9)
    assert (entry.candidate, entry.rank) == (known, 0.5)
    assert client.hlen("fcacrawler:{x}:more") == (len(known.evidence) > 1)
    assert pair[0].lease(everywhere, -inf).candidate == known  # type: ignore[union-attr]
    pair[0].done(b"a1")
    for frontier in pair:
        frontier.close()
    assert not client.exists("fcacrawler:{x}:records", "fcacrawler:{x}:more")


def test_what_is_let_through_below_the_floor_is_leased_alone(workers: Workers) -> None:
    one = grown(workers.one(ahead=4))
    one._asked = 0.45  # the floor of its last question
    fill(one, b1=0.3, b2=0.2, b3=0.1)
    assert one.lease(everywhere, 0.45) is None
    assert one.lease(everywhere, -inf).candidate.key == b"b1"  # type: ignore[union-attr]
    one.update([(b"b2", 0.25)], 2)
    assert one.lease(everywhere, -inf).candidate.key == b"b2"  # type: ignore[union-attr]
    assert one.sizes(-1.0).leased == 2


def test_links_are_told_of_at_once_if_there_is_anybody_to_hear_of_them(workers: Workers) -> None:
    one, other = workers.one(), workers.one()
    fill(one, a1=0.9)
    assert other.best() is None
    one.sync()
    assert other.lease(everywhere, -1.0).candidate.key == b"a1"  # type: ignore[union-attr]
    one.sync()
    fill(one, a2=0.8)
    assert other.lease(everywhere, -1.0).candidate.key == b"a2"  # type: ignore[union-attr]


def test_nothing_leaves_while_seeds_are_being_fetched(workers: Workers, client: redis.Redis) -> None:
    one, other = workers.one(seeds=60), workers.one(seeds=60)
    fill(one, s1=1.0, s2=1.0, a1=0.9)
    assert one.lease(everywhere, -inf).candidate.key == b"s1"  # type: ignore[union-attr]
    assert other.lease(everywhere, -inf).candidate.key == b"s2"  # type: ignore[union-attr]
    one.done(b"s1")
    assert one.lease(everywhere, -inf) is None
    other.done(b"s2")
    assert other.lease(everywhere, -inf).candidate.key == b"a1"  # type: ignore[union-attr]
    fill(one, s3=1.0, a2=0.8)
    client.hset("fcacrawler:{x}:counts", "begun", 1)  # long ago
    assert [one.lease(everywhere, -inf).candidate.key for _ in "12"] == [b"s3", b"a2"]  # type: ignore[union-attr]


def test_who_waits_for_seeds_asks_again_soon_however_often_it_has_asked(workers: Workers) -> None:
    one, other = workers.one(seeds=60), workers.one(seeds=60)
    fill(one, s1=1.0, a1=0.9)
    assert one.lease(everywhere, -inf).candidate.key == b"s1"  # type: ignore[union-attr]
    for _ in range(9):
        other.talk.ask_at = -inf
        assert other.lease(everywhere, -inf) is None
    assert 0 < other.wait() <= 0.02
    one.done(b"s1")
    one.sync()
    assert one.lease(everywhere, -inf).candidate.key == b"a1"  # type: ignore[union-attr]
    for _ in range(9):
        other.talk.ask_at = -inf
        assert other.lease(everywhere, -inf) is None
    assert other.wait() > 0.1


def test_nothing_leaves_until_all_who_read_a_seed_have_learned_from_all_seeds(workers: Workers) -> None:
    one, other = workers.one(seeds=60), workers.one(seeds=60)
    fill(one, s1=1.0, s2=1.0)
    for worker, seed in ((one, "s1"), (other, "s2")):
        assert worker.lease(everywhere, -inf).candidate.key == seed.encode()  # type: ignore[union-attr]
    for worker, seed, found in ((one, "s1", "a1"), (other, "s2", "a2")):
        worker.record(seed.encode(), replace(PAGE, url=f"http://{seed}/"))
        fill(worker, **{found: 0.9})
        worker.done(seed.encode())
        worker.sync()
    for worker in (one, other) * 2:
        worker.talk.ask_at = -inf
        assert worker.lease(everywhere, -inf) is None
    assert [p.url for w in (one, other) for p in w.observed()] == ["http://s2/", "http://s1/"]
    one.sync()
    other.talk.ask_at = -inf
    assert other.lease(everywhere, -inf).candidate.key == b"a1"  # type: ignore[union-attr]


def test_what_another_worker_found_too_is_ranked_again_with_all_evidence(workers: Workers) -> None:
    one, other = workers.one(), workers.one()
    fill(one, a1=0.2)
    one.sync()
    other.add([link("a1", parent="http://other/")])
    other.update([(b"a1", 0.9)], 1)
    other.sync()
    (found,) = other.outdated()
    assert [e.parent for e in found.evidence] == ["http://seed/", "http://other/"]
    other.update([(found.key, 0.4)], 1)
    assert [(e.rank, e.candidate) for e in one.top(1) or []] == [(0.9, found)]
    assert [(e.rank, e.candidate) for e in other.top(1)] == [(0.4, found)]


def test_what_a_worker_ranked_that_knew_less_is_ranked_anew_before_it_leaves(workers: Workers) -> None:
    one, other = workers.one(), workers.one()
    fill(one, a1=0.9, a2=0.8)  # in epoch 1
    one.sync()
    other.add([link("a3")])
    other.update([(b"a3", 0.5)], 2)
    assert other.lease(everywhere, -1.0) is None
    assert [c.key for c in other.outdated()] == [b"a1"]
    assert other.outdated() == []
    other.update([(b"a1", 0.3)], 2)
    assert other.lease(everywhere, -1.0) is None
    assert [c.key for c in other.outdated()] == [b"a2"]
    other.update([(b"a2", 0.4)], 2)
    left = [other.lease(everywhere, -1.0) for _ in range(3)]
    assert [(e.candidate.key, e.rank, e.epoch, e.attempts) for e in left if e] == [
        (b"a3", 0.5, 2, 0),
        (b"a2", 0.4, 2, 0),
        (b"a1", 0.3, 2, 0),
    ]


def test_what_a_worker_found_itself_and_what_another_knew_as_much_of_leaves_as_it_is(workers: Workers) -> None:
    one, other = workers.one(), workers.one()
    other.add([link("b1"), link("b2", depth=0)])
    other.update([(b"b1", 0.4), (b"b2", 0.3)], 3)
    other.sync()
    fill(one, a1=0.9)
    one.update([], 3)  # the link that it found itself was not among the best that were ranked again
    left = [one.lease(everywhere, -1.0) for _ in range(2)]
    one.update([], 4)  # a seed is where it was put, whatever is known
    left.append(one.lease(everywhere, -1.0))
    assert [e.candidate.key for e in left if e] == [b"a1", b"b1", b"b2"]
    assert one.outdated() == []


def test_what_no_longer_waits_is_not_outdated(workers: Workers) -> None:
    one, other = workers.one(), workers.one()
    fill(one, a1=0.9)
    one.sync()
    other.update([], 2)
    assert other.lease(everywhere, -1.0) is None
    other.forget(b"a1")
    assert other.outdated() == []


class Learned(ByTable):
    """Has learned twice."""

    epoch = 2


def test_a_crawl_fetches_by_what_it_knows_itself(workers: Workers) -> None:
    one = workers.one()
    fill(one, **{f"a{n}": 0.9 - n / 100 for n in range(30)}, b1=0.65)
    one.sync()
    order = Learned({"http://a/a7": 0.6, "http://b/b1": 0.7})
    crawl = Crawl(
        CrawlOptions(tunnel=0), workers.one(), order, order, lambda urls: [(url.encode(), "") for url in urls]
    )
    crawl.seed([])
    left = [crawl.next(everywhere) for _ in range(3)]
    assert [e and (e.candidate.key, e.rank) for e in left] == [(b"b1", 0.7), (b"a7", 0.6), None]
    assert crawl.over() == "nothing_above_gamma"


def test_the_first_to_find_a_link_hears_what_others_say_of_it_and_is_not_corrected_later(workers: Workers) -> None:
    one, other = workers.one(), workers.one()
    fill(one, a1=0.2)
    one.sync()
    other.add([link("a1", parent="http://other/")])
    other.sync()
    one.heard([link("a1", parent="http://other/"), link("a2", parent="http://other/")])
    (known,) = one.at_hand(10)
    assert [e.parent for e in known.candidate.evidence] == ["http://seed/", "http://other/"]
    (again,) = one.add([link("a1", parent="http://third/")])
    assert [e.parent for e in again.evidence] == ["http://seed/", "http://other/", "http://third/"]
    one.sync()
    assert one.outdated() == []
    assert [e.candidate for e in other.top(1)] == [again]


def test_what_one_worker_observes_the_others_learn_once_it_is_done(workers: Workers) -> None:
    one, other = workers.one(), workers.one()
    fill(one, a1=0.9)
    assert one.lease(everywhere, -inf)
    one.record(b"a1", PAGE)
    other.sync()
    assert list(other.observed()) == []
    one.done(b"a1")
    one.sync()
    other.sync()
    assert list(other.observed()) == [PAGE]
    assert list(one.observed()) == []
    assert list(workers.one().observed()) == [PAGE]


def test_a_dead_workers_leases_go_to_another(workers: Workers, client: redis.Redis) -> None:
    one, other = workers.one(), workers.one()
    fill(one, a1=0.9)
    assert one.lease(everywhere, -inf)
    assert other.lease(everywhere, -inf) is None
    assert other.elsewhere == 1
    client.zadd("fcacrawler:{x}:deadlines", {one.talk.worker: 1})
    other.talk.ask_at = -inf  # its quarter of a second is over
    entry = other.lease(everywhere, -inf)
    assert entry is not None
    assert (entry.candidate.key, entry.attempts) == (b"a1", 1)
    one.done(b"a1")  # it was not dead after all
    one.sync()
    assert other.sizes(0).leased == 1
    other.done(b"a1")
    assert (other.sizes(0).done, other.fetched, other.elsewhere) == (1, 1, 0)


def test_a_worker_keeps_its_leases_as_long_as_it_is_there(workers: Workers, client: redis.Redis) -> None:
    one = workers.one(FrontierOptions(lease=5))
    fill(one, a1=0.9)
    one.lease(everywhere, -inf)
    client.zadd("fcacrawler:{x}:deadlines", {one.talk.worker: (soon := client.time()[0] * 1000 + 1000)})
    one.sync()
    assert client.zscore("fcacrawler:{x}:deadlines", one.talk.worker) > soon + 1000


def test_a_lease_that_never_reached_its_worker_waits_again(workers: Workers) -> None:
    one, other = workers.one(), workers.one()
    fill(one, a1=0.9)
    one.lease(everywhere, -inf)
    one.talk.leases.take(b"a1")  # as if the answer had been lost
    one.sync()
    assert other.sizes(0).leased == 1
    one.talk.hold_at = -inf  # a third of the lease is over
    one.sync()
    assert other.sizes(0) == Sizes(1, 0, 0, 0, 0)


def test_a_host_is_left_alone_by_all_workers(workers: Workers, client: redis.Redis) -> None:
    one, other = workers.one(), workers.one()
    for worker in (one, other):
        worker.polite(lambda host: 30.0, 1)
    fill(one, a1=0.9, a2=0.8, b1=0.5)
    assert one.lease(everywhere, -inf).candidate.key == b"a1"  # type: ignore[union-attr]
    assert other.lease(everywhere, -inf).candidate.key == b"b1"  # type: ignore[union-attr]
    assert other.best() == 0.8
    one.done(b"a1")
    one.sync()
    assert other.lease(everywhere, -inf) is None
    client.zadd("fcacrawler:{x}:busy", {"a": 1})  # the 30 seconds are over
    other.sync()
    other.talk.ask_at = -inf
    assert other.lease(everywhere, -inf).candidate.key == b"a2"  # type: ignore[union-attr]


def test_a_pause_that_a_host_asked_one_worker_for_binds_all_and_nothing_that_was_under_way_ends_it(
    workers: Workers, client: redis.Redis
) -> None:
    one, other = workers.one(), workers.one()
    fill(one, a1=0.9, a2=0.8, a3=0.7, b1=0.5)
    one.polite(lambda host: 30.0 if host == "a" else 0.0, 8)
    other.polite(lambda host: 0.0, 8)
    assert one.lease(everywhere, -inf).candidate.key == b"a1"  # type: ignore[union-attr]
    assert other.lease(everywhere, -inf).candidate.key == b"a2"  # type: ignore[union-attr]
    one.release(b"a1")  # the host asked for 30 seconds
    one.sync()
    other.done(b"a2")
    assert [e.candidate.key for _ in range(3) if (e := other.lease(everywhere, -inf))] == [b"b1"]
    client.zadd("fcacrawler:{x}:busy", {"a": 1})  # they are over
    other.sync()
    other.talk.ask_at = -inf
    assert other.lease(everywhere, -inf).candidate.key == b"a1"  # type: ignore[union-attr]


def test_a_link_dropped_without_asking_its_host_keeps_nobody_waiting(workers: Workers) -> None:
    one = workers.one()
    one.polite(lambda host: 30.0, 1)
    fill(one, a1=0.9, a2=0.8)
    one.lease(everywhere, -inf)
    one.drop(b"a1")
    assert one.lease(everywhere, -inf).candidate.key == b"a2"  # type: ignore[union-attr]


def test_the_budget_is_shared_and_exact(workers: Workers) -> None:
    one, other = workers.one(budget=3), workers.one(budget=3)
    fill(one, **{f"{h}{n}": 0.5 for h in "abc" for n in range(4)})
    got = [w.lease(everywhere, -inf) for w in (one, other) * 4]
    assert sum(e is not None for e in got) == 3
    held = next(w for w, e in zip((one, other) * 4, got, strict=False) if e)
    held.done(next(e for e in got if e).candidate.key, responded=False)  # no response: it is not counted
    assert held.lease(everywhere, -inf) is not None


HOST_BUDGET = {"topic": "test", "host budget": "2"}


def drained(*workers: RedisFrontier) -> list[bytes]:
    """What they lease in turn until none of them gets anything."""
    got = []
    while entries := [e for w in workers if (e := w.lease(everywhere, -inf))]:
        got += [e.candidate.key for e in entries]
    return got


def test_a_hosts_budget_is_shared_and_exact(workers: Workers) -> None:
    one, other = (workers.one(crawl=HOST_BUDGET) for _ in "12")
    fill(one, a1=0.9, a2=0.8, a3=0.7, b1=0.5)
    assert sorted(drained(one, other)) == [b"a1", b"a2", b"b1"]
    assert (one.sizes(-inf).running, one.left_out(), other.left_out()) == (1, {}, {})
    for worker in (one, other):
        worker.done(b"a1", responded=False)  # no response: another may take its place
        worker.sync()
    assert drained(one, other) == [b"a3"]
    for key in (b"a2", b"a3", b"b1"):
        for worker in (one, other):
            worker.done(key)
            worker.sync()
    fill(one, a4=0.9, a5=0.8, b2=0.1)
    assert drained(one, other) == [b"b2"]
    assert sorted([*one.left_out().items(), *other.left_out().items()]) == [("host budget", 2)]
    assert (one.left_out(), one.sizes(-inf).running, one.sizes(-inf).done) == ({}, 0, 6)


def test_what_a_lost_worker_had_of_a_budget_is_free_again(workers: Workers, client: redis.Redis) -> None:
    one, other = (workers.one(crawl=HOST_BUDGET) for _ in "12")
    fill(one, a1=0.9, a2=0.8, a3=0.7)
    assert drained(one) == [b"a1", b"a2"]
    client.zadd("fcacrawler:{x}:deadlines", {one.talk.worker: 1})
    other.talk.ask_at = -inf
    assert drained(other) == [b"a1", b"a2"]


def test_the_hosts_of_a_site_share_its_budget_among_all_workers(workers: Workers) -> None:
    crawl = {"topic": "test", "site budget": "2"}
    one, other = (workers.one(crawl=crawl, site_of=lambda host: host[-1]) for _ in "12")
    one.add([link("1", "x.a"), link("2", "y.a"), link("3", "b")])
    other.add([link("4", "x.a"), link("5", "z.a")])
    got = drained(one, other)
    assert (len(got), b"3" in got) == (3, True)


def test_workers_with_other_budgets_are_refused(workers: Workers) -> None:
    workers.one(crawl=HOST_BUDGET)
    with pytest.raises(BadStore, match="host budget is '2', not None"):
        workers.one()


def test_a_worker_joins_when_links_have_been_counted(workers: Workers) -> None:
    one = workers.one()
    fill(one, a1=0.9, a2=0.3)
    for floor in (0.45, -inf, inf):
        one.sizes(floor)
        assert workers.one().sizes(0.45) == Sizes(1, 1, 0, 0, 0)


def test_another_crawl_of_the_same_name_is_refused(workers: Workers, server: RedisServer) -> None:
    workers.one()
    with pytest.raises(BadStore, match=r"topic is 'test', not 'tea'.*FCA_CRAWL"):
        RedisFrontier(server.url, "x", FrontierOptions(), {"topic": "tea"})


@pytest.mark.parametrize("value", [b"cos\nsystem\n(S'true'\ntR.", b'\0\0\0\0\0\0\0\11 many 0 1\n["http://a/"]'])
def test_what_we_did_not_write_is_refused_by_name(workers: Workers, client: redis.Redis, value: bytes) -> None:
    one = workers.one()
    client.hset("fcacrawler:{x}:records", b"a1", value)
    fill(one, a1=0.9)
    with pytest.raises(BadRecord, match=r"fcacrawler:\{x\}:records"):
        one.sync()
    client.delete("fcacrawler:{x}:records")


def test_a_key_of_another_type_is_refused(workers: Workers, client: redis.Redis) -> None:
    one = workers.one()
    client.set("fcacrawler:{x}:heads", "not a sorted set")
    fill(one, a1=0.9)
    with pytest.raises(BadRecord, match="did not write"):
        one.sync()
    client.delete("fcacrawler:{x}:heads")


def test_a_corrupt_record_is_left_out_and_the_rest_goes_on(
    workers: Workers, client: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    one = workers.one()
    fill(one, a1=0.9, a2=0.8)
    one.sync()
    client.hset("fcacrawler:{x}:records", b"a1", b'1 1\n{"py/object": "os.system"}')
    one.talk.ask_at = -inf
    found = one.lease(everywhere, -inf) or one.lease(everywhere, -inf)
    assert found is not None
    assert found.candidate.key == b"a2"
    assert "left out" in caplog.text


def test_a_crawl_that_was_cleared_away_ends(workers: Workers, client: redis.Redis) -> None:
    one = workers.one()
    client.flushall()
    fill(one, a1=0.9)
    with pytest.raises(BadStore, match="no longer in Redis"):
        one.sync()


def test_an_operator_sees_and_clears_a_crawl(workers: Workers, server: RedisServer, client: redis.Redis) -> None:
    one = workers.one(FrontierOptions(attempts=1))
    fill(one, a1=0.9, a2=0.8, b1=0.7)
    one.sizes(0.75)
    one.lease(everywhere, -inf)
    one.release(b"a1")
    one.lease(everywhere, -inf)
    admin = Admin(server.url, "x")
    status = admin.status()
    assert (status.counts["waiting"], status.leased, status.counts["dead"], len(status.workers)) == (1, 1, 1, 1)
    assert [e.candidate.key for e in admin.top(9)] == [b"b1"]
    assert [e.candidate.key for e in admin.dead()] == [b"a1"]
    client.set("fcacrawler:{xx}:about", "of a crawl with a longer name")
    assert admin.clear() > 5
    assert client.keys("*") == [b"fcacrawler:{xx}:about"]
    admin.close()
    with pytest.raises(BadStore, match=r"no crawl 'x'.*there are xx"):
        Admin(server.url, "x")


def test_all_keys_of_a_crawl_are_in_one_hash_slot(workers: Workers, client: redis.Redis) -> None:
    one = workers.one()
    fill(one, a1=0.9, b1=0.8)
    one.lease(everywhere, -inf)
    one.record(b"a1", PAGE)
    one.done(b"a1")
    one.sync()
    assert all(key.startswith(b"fcacrawler:{x}:") for key in client.keys("*"))


def test_redis_goes_away_and_comes_back(caplog: pytest.LogCaptureFixture) -> None:
    with serving() as server:
        one = RedisFrontier(server.url, "x", FrontierOptions(), CRAWL, Joining(ahead=1))
        fill(one, a1=0.9, a2=0.8)
        assert one.lease(everywhere, -inf)
        client = redis.Redis.from_url(server.url)
        kept = {key: client.dump(key) for key in client.keys("*")}
        client.close()
        server.stop()
        with caplog.at_level(logging.WARNING):
            one.done(b"a1")
            fill(one, a3=0.7)
            assert one.lease(everywhere, -inf) is None
            assert "pauses" in caplog.text
            server.start()
            client = redis.Redis.from_url(server.url)
            for key, value in kept.items():  # what a Redis that writes to disk would have done
                client.restore(key, 0, value)
            client.close()
            one.talk.line.away_until = -inf  # its second of breath is over
            entry = one.lease(everywhere, -inf)
            assert entry is not None
            assert entry.candidate.key == b"a2"
            assert "goes on" in caplog.text
        assert (one.sizes(0).done, one.sizes(0).running) == (1, 1)
        one.close()


def test_what_was_heard_and_whose_answer_was_lost_may_be_told_again(workers: Workers) -> None:
    one = workers.one()
    fill(one, a1=0.9, a2=0.8, a3=0.7)
    for _ in "12":
        one.lease(everywhere, -inf)
    one.done(b"a1")
    one.release(b"a2")
    fill(one, b1=0.6)
    one.talk.line.run(one.talk._all(0, 0.0))
    one.sync()
    assert (one.sizes(0), one.fetched) == (Sizes(running=3, waiting=0, leased=0, done=1, dead=0), 1)
    assert [(e.candidate.key, e.attempts) for e in one.top(9)] == [(b"a2", 1), (b"a3", 0), (b"b1", 0)]


def test_a_redis_without_memory_is_told_as_such() -> None:
    full = ("--maxmemory", "100kb", "--maxmemory-policy", "noeviction")
    with serving(*full) as server, pytest.raises(BadStore, match=r"out of memory.*maxmemory"):
        RedisFrontier(server.url, "x", FrontierOptions(), CRAWL).sync()


def test_a_password_is_used_and_never_shown() -> None:
    with serving("--requirepass", "secret") as server:
        url = server.url.replace("unix://", "unix://:secret@")
        RedisFrontier(url, "x", FrontierOptions(), CRAWL).close()
        with pytest.raises(BadStore, match="refuses us") as told:
            RedisFrontier(server.url.replace("unix://", "unix://:wrong@"), "x", FrontierOptions(), CRAWL)
        assert "wrong" not in str(told.value)


def test_who_comes_later_hears_marks_where_they_were_said_among_the_pages(workers: Workers) -> None:
    """Also where there are more pages before a mark than are asked for at once."""

    def read(first: int, last: int) -> None:
        fill(one, **{f"a{n}": 0.9 for n in range(first, last)})
        for _ in range(first, last):
            entry = one.lease(everywhere, -inf)
            assert entry is not None
            key = entry.candidate.key
            one.record(key, replace(PAGE, url=f"http://a/{key[1:].decode()}"))
            one.done(key)
            one.sync()

    one, beside = workers.one(), workers.one()
    marks = [Mark(f"http://a/{n}", bool(n % 2), "me", "2026-11-20T00:00:00+00:00") for n in range(5)]
    one.mark([marks[0]])  # before any page
    read(0, 2)
    heard = [*beside.observed()]
    beside.sync()
    heard += beside.observed()
    one.mark([marks[1]])
    beside.sync()
    heard += beside.observed()
    one.mark([marks[2]])  # between the same pages
    read(2, 2 + READ + 1)
    one.mark([marks[3]])
    read(200, 201)
    one.mark([marks[4]])
    beside.sync()
    heard += beside.observed()
    late = workers.one()
    late.sync()
    later = list(late.observed())

    def flat(told: list[SeenPage | Sequence[Mark]]) -> list[str]:
        return [m for one in told for m in ([one.url] if isinstance(one, SeenPage) else [str(m) for m in one])]

    order = [str(marks[0]), "http://a/0", "http://a/1", str(marks[1]), str(marks[2])]
    order += [f"http://a/{n}" for n in range(2, 2 + READ + 1)] + [str(marks[3]), "http://a/200", str(marks[4])]
    assert flat(heard) == order
    assert flat(later) == order
