"""A crawl in Redis that is cut into parts by its hosts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from math import inf

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.app.assembly import check, frontier_of
from fcacrawler.app.config import read_config
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis import looks as looking
from fcacrawler.frontier.redis import parted as module
from fcacrawler.frontier.redis import post
from fcacrawler.frontier.redis.admin import Admin
from fcacrawler.frontier.redis.cut import SLOTS, names_of, part_of, slot_of
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.redis.line import Line
from fcacrawler.frontier.redis.parted import PartedFrontier
from fcacrawler.frontier.redis.permits import Permits
from fcacrawler.frontier.redis.server import Server
from fcacrawler.values.errors import BadOptions, BadStore
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from tests.frontier.crew import CRAWL, Crew, Web, everywhere, forget_the_dead, worker
from tests.redis_server import RedisServer, serving


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with serving() as server:
        yield server


@pytest.fixture
def client(server: RedisServer) -> Iterator[redis.Redis]:
    with closing(redis.Redis.from_url(server.url)) as client:
        yield client
        client.flushall()


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """All parts are looked at, and all that lies there is delivered, whenever there may be reason to."""
    monkeypatch.setattr(looking, "OFTEN", 0.0)
    monkeypatch.setattr(module, "HERE", 0.0)
    monkeypatch.setattr(post, "LONG", 0.0)


def parted(server: RedisServer, parts: int = 3, **more: int) -> PartedFrontier:
    made = worker(server.url, parts, **more)
    assert isinstance(made, PartedFrontier)
    return made


def on_another_part(frontier: PartedFrontier) -> Candidate:
    home = frontier._home
    host = next(h for n in range(99) if part_of(h := f"o{n}", 3) != home)
    return Candidate(b"far", f"http://{host}/", host, 1)


@given(st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]), min_size=1), st.integers(2, 64))
def test_each_part_has_a_slot_in_a_stretch_of_its_own(name: str, parts: int) -> None:
    assert [slot_of(part) * parts // SLOTS for part in names_of(name, parts)] == list(range(parts))


def test_one_part_is_a_crawl_as_it_always_was(server: RedisServer, client: redis.Redis) -> None:
    config = read_config({"FCA_FRONTIER": server.url, "FCA_CRAWL": "x", "FCA_PARTS": "1"})
    made = frontier_of(config, Topic("tea", ()), None)
    assert isinstance(made, RedisFrontier)
    made.update([(c.key, 1.0) for c in made.add([Web(9).candidate(0)])], 0)
    made.close()
    assert all(key.startswith(b"fcacrawler:{x}:") for key in client.keys("*"))
    assert not client.hexists("fcacrawler:{x}:about", "crawl.parts")


def test_only_a_crawl_in_redis_is_cut() -> None:
    with pytest.raises(BadOptions, match="only a crawl in Redis is cut"):
        check(read_config({"FCA_PARTS": "2"}))


@pytest.mark.parametrize(("parts", "size"), [(1, 3), (2, 4), (4, 4), (4, 1), (3, 7)])
def test_every_page_is_fetched_once_and_nobody_leaves_early(
    server: RedisServer, client: redis.Redis, parts: int, size: int
) -> None:
    crew = Crew(lambda: worker(server.url, parts), Web(150), size)
    crew.begin()
    crew.to_the_end()
    assert crew.fetched == dict.fromkeys(range(150), 1)
    assert crew.left == [150] * size


def test_nothing_is_lost_when_workers_are_killed(
    server: RedisServer, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post, "LONG", 0.0)
    crew = Crew(lambda: worker(server.url, 3), Web(200), 4)
    crew.begin()
    for n in range(40):
        for one in range(4):
            crew.turn(one)
        if n % 8 == 7:
            crew.kill(crew.rng.randrange(4))
            forget_the_dead(client, 3)
            crew.join()
    crew.to_the_end()
    assert set(crew.fetched) == set(range(200))
    assert crew.left == [200] * 4
    assert crew.fetched.total() <= 200 + 5 * 9  # each of the killed held some


@pytest.mark.parametrize("budget", [1, 17, 60])
def test_the_budget_is_exact_over_all_parts(server: RedisServer, client: redis.Redis, budget: int) -> None:
    crew = Crew(lambda: worker(server.url, 3, budget), Web(150), 5)
    crew.begin()
    crew.to_the_end(budget)
    assert crew.fetched.total() == len(crew.fetched) == budget
    assert crew.left == [budget] * 5


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)), max_size=12), st.integers(1, 60))
def test_parts_never_have_leave_for_more_than_the_budget(
    server: RedisServer, steps: list[tuple[int, int, int]], budget: int
) -> None:
    """Parts that use some of what they have, or cease to, in any order; answers get lost, and are asked for again."""
    with closing(redis.Redis.from_url(server.url)) as client:
        client.flushall()
        lines = [Line(Server(server.url, f"fcacrawler:{{{name}}}:")) for name in ("x", *names_of("x", 3))]
        for line in lines:
            line.server.claim("x", CRAWL)
        permits = Permits(lines[0], lines[1:], budget)
        for part, more, fewer in steps:
            permits._grant(part, 0, 0, more)  # whose answer is lost
            permits._again = -inf
            permits.draw(part)
            granted, back, used = permits._allot(part, 0, False) or (0, 0, 0)
            now = max(0, min(granted - back, used + more) - fewer)
            client.hset(f"{lines[1 + part].server.prefix}counts", "leased", now)
            had = [permits._allot(n, 0, False) or (0, 0, 0) for n in range(3)]
            assert sum(granted - back for granted, back, _ in had) <= budget
        for line in lines:
            line.server.close()
        client.flushall()


def test_a_link_whose_worker_died_before_it_was_delivered_is_delivered_by_another(
    server: RedisServer, client: redis.Redis, looks: None
) -> None:
    one, other = parted(server), parted(server)
    link = on_another_part(one)
    one.update([(c.key, 0.7) for c in one.add([link])], 3)
    one.home.sync()  # told, and not delivered
    assert other.top(9) == []
    assert not other.quiet()
    other.sync()
    assert [(e.candidate.key, e.rank, e.epoch) for e in other.top(9)] == [(b"far", 0.7, 0)]
    one.sync()  # it comes twice
    assert len(other.top(9)) == 1
    assert [client.xlen(key) for key in client.keys("*outbox")] in ([], [0])
    entry = other.lease(everywhere, -inf)
    assert entry is not None
    assert entry.candidate == link
    one.close()
    other.close()


def test_a_link_of_another_part_is_known_to_its_finder_and_ranked_anew_by_it(
    server: RedisServer, client: redis.Redis, looks: None
) -> None:
    """It goes there once, and what is new of it; others' evidence comes back."""
    one, other = parted(server), parted(server)
    other._settle((one._home + 1) % 3)
    link = on_another_part(one)

    def found(by: PartedFrontier, parent: str, rank: float) -> list[Candidate]:
        evidence = Evidence(parent, "a", "b", 0, 1)
        waiting = by.add([Candidate(link.key, link.url, link.host, 1, (evidence,))])
        by.update([(c.key, rank) for c in waiting], 3)
        for _ in range(2):
            by.sync()
        return waiting

    found(one, "http://p/", 0.3)
    assert found(one, "http://p/", 0.4)[0].evidence[0].parent == "http://p/"
    assert client.hget(f"{one.home._server.prefix}counts", "posted") == b"1"
    assert [(e.rank, e.epoch) for e in other.top(9)] == [(0.4, 3)]
    found(other, "http://q/", 0.5)
    found(one, "http://r/", 0.6)
    (again,) = one.outdated()
    assert {e.parent for e in again.evidence} == {"http://p/", "http://q/", "http://r/"}
    one.update([(again.key, 0.8)], 4)
    one.sync()
    (entry,) = other.top(9)
    assert (entry.candidate, entry.rank, entry.epoch) == (again, 0.8, 4)
    assert other.lease(everywhere, -inf) is not None
    other.done(link.key)
    other.sync()
    found(one, "http://s/", 0.9)
    assert found(one, "http://t/", 0.9) == []
    one.close()
    other.close()


def test_it_is_not_over_while_a_link_is_on_its_way_or_another_part_is_at_work(
    server: RedisServer, client: redis.Redis, looks: None
) -> None:
    one, other = parted(server), parted(server)
    one.update([(c.key, 0.7) for c in one.add([on_another_part(one)])], 3)
    one.home.sync()
    assert [other.quiet() for _ in range(3)] == [False] * 3
    one.sync()
    one.sync()
    entry = one.lease(everywhere, -inf)
    assert entry is not None
    assert [other.quiet() for _ in range(3)] == [False] * 3
    one.done(entry.candidate.key)
    one.sync()
    assert [other.quiet() for _ in range(3)][-1]
    assert other.best() is None
    one.close()
    other.close()


def test_a_page_that_was_leased_before_its_worker_moved_is_done_after_its_links_are_told(
    server: RedisServer, client: redis.Redis
) -> None:
    one, hosts = parted(server), {part_of(h := f"o{n}", 3): h for n in range(99)}
    there = (one._home + 1) % 3
    near, far = (Candidate(b"k%d" % n, f"http://{hosts[n]}/", hosts[n], 1) for n in (one._home, there))
    one.update([(c.key, 0.7) for c in one.add([near])], 3)
    assert one.lease(everywhere, -inf) is not None
    old = one.home
    one._settle(there)
    one.update([(c.key, 0.6) for c in one.add([far])], 3)
    one.done(near.key)
    old.talk.trip()  # and then it is killed
    other = parted(server)
    assert [e.candidate.key for e in other.top(9)] == [far.key]
    assert other.sizes(0.0).done == 1
    other.close()


def test_who_has_seen_nothing_at_home_does_not_leave_while_another_is_at_work_there(
    server: RedisServer, client: redis.Redis
) -> None:
    one, other = parted(server), parted(server)
    other._settle(one._home)
    assert one.lease(everywhere, -inf) is None
    host = next(h for n in range(99) if part_of(h := f"o{n}", 3) == one._home)
    other.update([(c.key, 0.7) for c in other.add([Candidate(b"near", f"http://{host}/", host, 1)])], 3)
    assert other.lease(everywhere, -inf) is not None
    assert [one.quiet() for _ in range(3)] == [False] * 3
    assert one.elsewhere == 1
    other.close()
    one.close()


def test_of_other_parts_some_pages_are_heard_of_the_relevant_ones_first(
    server: RedisServer, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At home all are. What was passed over once is not heard of later."""
    monkeypatch.setattr(looking, "READ", 4)
    workers = [parted(server, 2) for _ in range(2)]
    one, other = workers
    assert one._home != other._home
    host = next(h for n in range(99) if part_of(h := f"o{n}", 2) == one._home)
    links = [Candidate(b"k%d" % n, f"http://{host}/{n}", host, 1) for n in range(10)]
    one.update([(c.key, 1 - n / 20) for n, c in enumerate(one.add(links))], 1)

    def read(pages: int, relevant: set[int]) -> None:
        for _ in range(pages):
            entry = one.lease(everywhere, -inf)
            assert entry is not None
            n = int(entry.candidate.key[1:])
            one.record(entry.candidate.key, SeenPage(str(n), "t", "en", 1, (), {}, ()), n in relevant)
            one.done(entry.candidate.key)
        one.sync()

    def heard(by: PartedFrontier) -> list[str]:
        return [page.url for page in by.observed() if isinstance(page, SeenPage)]

    read(8, {1, 3, 4})
    other._looks.look(other._home)
    assert heard(other) == ["1", "3", "4", "7"]
    other._looks.look(other._home)
    assert heard(other) == []
    read(2, {8})
    other._looks.look(other._home)
    assert heard(other) == ["8"]
    other._looks.look(other._home)
    assert heard(other) == []
    third = parted(server, 2)
    third._settle(one._home)
    third.sync()
    third._looks.look(third._home)
    assert heard(third) == [str(n) for n in range(10)]
    for made in (one, other, third):
        made.close()


@pytest.mark.parametrize(
    ("mine", "others", "there"),
    [
        ((0.5, 0.5, 1), [(0.51, 0.51, 1), (0.3, 0.3, 1)], 0),  # hardly better
        ((0.5, 0.5, 1), [(0.7, 0.53, 1), (0.9, 0.51, 1)], 1),  # its best is for the one that is there
        ((0.5, 0.5, 4), [(0.57, 0.57, 4)], 0),  # not for one of many
        ((0.5, 0.5, 4), [(0.59, 0.59, 4)], 1),
        ((0.5, 0.5, 9), [(0.61, 0.61, 9)], 1),
        ((0.9, 0.9, 3), [(0.9, 0.85, 0), (0.9, 0.85, 2)], 1),  # as good, and fewer are there
        ((0.9, 0.9, 2), [(0.9, 0.85, 1)], 0),
        ((0.9, 0.9, 2), [(0.2, 0.2, 0)], 1),  # somebody has to
        ((0.9, 0.9, 1), [(0.2, 0.2, 0)], 0),
        ((0.5, 0.5, 1), [(0.55, 0.55, 0)], 1),
        ((0.9, None, 1), [(0.9, 0.2, 1)], 1),  # no host is free at home
        ((0.9, None, 1), [(0.9, 0.05, 1)], 0),  # below the floor
        ((0.02, 0.02, 1), [(0.05, 0.05, 1), (0.08, 0.08, 0)], 2),  # as all is: the floor is not held to
        ((-0.3, -0.3, 1), [(0.05, 0.05, 1)], 1),
        ((0.02, 0.02, 1), [(0.03, 0.03, 1)], 0),
        ((None, None, 1), [(0.9, None, 1), (0.3, 0.3, 0)], 2),  # more waits there for each
        ((None, None, 1), [(None, None, 0)], 0),
    ],
)
def test_where_a_worker_goes(
    server: RedisServer,
    client: redis.Redis,
    mine: tuple[float | None, float | None, int],
    others: list[tuple[float | None, float | None, int]],
    there: int,
) -> None:
    """Of each part: the best that waits, the best that is left for this worker, who is at work."""
    one = parted(server, 2)
    looks = one._looks
    looks.parts = [looking.Look(0, 10, 0, 0, 10, 0, 0, n, best, left) for best, left, n in (mine, *others)]
    assert looks.better(0, 0.1) == (there or None)
    one.close()


def test_what_is_left_for_a_worker_is_what_the_others_do_not_take(server: RedisServer, client: redis.Redis) -> None:
    one, other = parted(server, 2), parted(server, 2)
    hosts = [h for n in range(99) if part_of(h := f"o{n}", 2) == one._home][:3]
    links = [Candidate(b"k%d" % n, f"http://{host}/", host, 1) for n, host in enumerate(hosts)]
    one.update([(c.key, 0.9 - n / 10) for n, c in enumerate(one.add(links))], 1)
    one.sync()
    for made, at_once, left in ((one, 1, 0.9), (other, 1, 0.8), (other, 2, 0.9)):
        made.polite(lambda host: 0.0, at_once)
        made._looks.look(made._home)
        look = made._looks.parts[one._home]
        assert look is not None
        assert (look.workers, look.best, look.left) == (1, 0.9, left)
    one.close()
    other.close()


def test_another_number_of_parts_is_refused(server: RedisServer, client: redis.Redis) -> None:
    parted(server).close()
    for parts in (1, 2):
        with pytest.raises(BadStore, match="is cut into 3 parts: go on with FCA_PARTS=3"):
            worker(server.url, parts)
    worker(server.url, 1, name="y").close()
    with pytest.raises(BadStore, match="is cut into 1 parts: go on with FCA_PARTS=1"):
        worker(server.url, 2, name="y")


def test_marks_and_homes_reach_every_part(server: RedisServer, client: redis.Redis) -> None:
    workers = [parted(server) for _ in range(3)]
    for n, one in enumerate(workers):
        one._settle(n)
    mark = Mark("http://a/", True, "me", "2026-11-20T00:00:00+00:00")
    workers[0].mark([mark])
    assert workers[1].homes(["a.test"]) == {"a.test"} == workers[2].homes()
    for one in workers:
        one.sync()
        assert list(one.observed()) == [[mark]]
        one.close()


def test_hosts_of_a_site_with_a_budget_are_in_one_part(server: RedisServer, client: redis.Redis, looks: None) -> None:
    def site_of(host: str) -> str:
        return host.partition(".")[2]

    crawl = {**CRAWL, "site budget": "5"}
    made = [PartedFrontier(server.url, "x", FrontierOptions(parts=3), crawl, Joining(site_of=site_of)) for _ in "12"]
    links = [Candidate(b"k%d" % n, f"http://h{n}.a.org/", f"h{n}.a.org", 1) for n in range(30)]
    made[0].update([(c.key, 0.5) for c in made[0].add(links)], 0)
    made[0].sync()
    got = 0
    for _ in range(60):
        for one in made:
            if (entry := one.lease(everywhere, -inf)) is not None:
                one.done(entry.candidate.key)
                got += 1
        one.sync()
    assert got == 5
    for one in made:
        one.close()


def test_an_operator_sees_all_parts_as_one_crawl(server: RedisServer, client: redis.Redis) -> None:
    web = Web(30)
    one = parted(server)
    one.update([(c.key, n / 40) for n, c in enumerate(one.add([web.candidate(n, "http://p/") for n in range(30)]))], 1)
    one.sync()
    one.sync()
    admin = Admin(server.url, "x")
    assert (admin.status().counts["waiting"], len(admin.status().workers)) == (30, 1)
    assert [e.candidate.key for e in admin.top(4)] == [b"k29", b"k28", b"k27", b"k26"]
    one.close()
    assert admin.clear() > 9
    assert client.keys() == []
    admin.close()
