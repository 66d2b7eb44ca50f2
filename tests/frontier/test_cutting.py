"""A crawl in Redis that is cut anew in mid-crawl, also where that is killed at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
import redis

from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.admin import Admin
from fcacrawler.frontier.redis.cut import names_of
from fcacrawler.frontier.redis.cutting import Cut, cut
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.redis.parted import PartedFrontier
from fcacrawler.frontier.redis.server import Server
from fcacrawler.page import key_of
from fcacrawler.values.errors import BadStore
from fcacrawler.values.links import Candidate
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from tests.frontier.crew import CRAWL, Crew, Web, everywhere, worker
from tests.redis_server import RedisServer, serving

PAGES = 150
MARKS = [Mark(f"http://m{n}/", True, "me", "2026-11-20T00:00:00+00:00") for n in range(3)]


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with serving() as server:
        yield server


@pytest.fixture
def client(server: RedisServer) -> Iterator[redis.Redis]:
    with closing(redis.Redis.from_url(server.url)) as client:
        yield client
        client.flushall()


def all_keys(client: redis.Redis) -> list[bytes]:
    return list(client.scan_iter())


def split(server: RedisServer, parts: int, force: bool = False) -> Cut:
    with closing(Admin(server.url, "x")) as admin:
        return cut(admin, parts, force, lambda url: key_of(url).host, lambda done, of: None)


def some_of_a_crawl(server: RedisServer, parts: int, pages: int = 60, budget: int = 0) -> Crew:
    """Its workers have gone after so many pages, which are in the log; one link is dead."""
    crew = Crew(lambda: worker(server.url, parts, budget), Web(PAGES), 3)
    crew.begin()
    go_on(crew, server.url, parts, pages)
    return crew


def go_on(crew: Crew, url: str, parts: int, pages: int) -> None:
    while len(crew.fetched) < pages:
        for n in range(3):
            for flight in crew.flights[n][:1]:
                page = SeenPage(flight.candidate.url, "t", "en", 1, (), {}, ())
                crew.workers[n].record(flight.candidate.key, page)
            crew.turn(n)
    one = crew.workers[0]
    one.mark(MARKS[: len(crew.fetched) % 4])
    one.homes(["h1.test"])
    one.shut("h2.test", "no answer")
    crew.all_go()
    last = worker(url, parts, attempts=1)
    if (entry := last.lease(everywhere, -1.0)) is not None:
        page = int(entry.candidate.key[1:])
        links = [crew.web.candidate(n, entry.candidate.url) for n in crew.web.links[page]]
        last.update([(c.key, int(c.key[1:]) / PAGES) for c in last.add(links)], 1)
        last.release(entry.candidate.key)  # dead
        crew.fetched[page] += 1  # as far as this test goes
    last.close()


def known(server: RedisServer) -> dict[str, Any]:
    """All that there is to know of a crawl, whatever its parts."""
    with closing(Admin(server.url, "x")) as admin:
        status = admin.status()
        counts = {k: status.counts.get(k, 0) for k in ("waiting", "leased", "done", "fetched", "dead", "evicted")}
        return {
            "links": {entry.candidate.key: entry for entry in admin.links()},
            "order": [entry.candidate.key for entry in admin.top(999)],
            "dead": list(admin.dead()),
            "counts": counts,
            "pages": sorted(admin.pages()),
            "marks": admin.marks(),
            "homes": admin.homes(),
            "unreached": status.unreached,
            "topic": status.about["crawl.topic"],
            "told": admin.told,
        }


@pytest.mark.parametrize("course", [(1, 3), (3, 6, 2, 1)])
def test_a_crawl_that_is_cut_in_its_midst_fetches_every_page_once(
    server: RedisServer, client: redis.Redis, course: tuple[int, ...]
) -> None:
    crew = some_of_a_crawl(server, course[0], 40)
    for n, parts in enumerate(course[1:]):
        before = known(server)
        done = split(server, parts)
        assert done.links == len(before["links"]) + len(before["dead"])
        assert done.pages == len(before["pages"]) > 0
        assert known(server) == before
        names = {key.decode().split("{")[1].split("}")[0] for key in all_keys(client)}
        assert names <= {"x", *names_of("x", parts, n + 1)}
        crew.make = lambda parts=parts: worker(server.url, parts)  # type: ignore[misc]
        for _ in range(3):
            crew.join()
        go_on(crew, server.url, parts, 60 + 20 * n)
    for _ in range(3):
        crew.join()
    crew.to_the_end()
    assert crew.fetched == dict.fromkeys(range(PAGES), 1)


def test_it_can_be_killed_at_any_moment_and_done_again(
    server: RedisServer, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each command that changes something; then again, into as many parts or another number, or taken back."""
    some_of_a_crawl(server, 2)
    before, commands, last = known(server), 0, 0
    whole, raw = {key: client.dump(key) for key in all_keys(client)}, redis.Redis.execute_command

    class Killed(Exception):
        pass

    def counted(*args: Any, **options: Any) -> Any:
        nonlocal commands
        commands += 1
        if commands == last:
            raise Killed
        return raw(*args, **options)

    ran = Server.run

    def run(*args: Any, **options: Any) -> Any:
        counted_only()
        return ran(*args, **options)

    def counted_only() -> None:
        nonlocal commands
        commands += 1
        if commands == last:
            raise Killed

    ends = 0
    for last in range(1, 999, 7):
        commands = 0
        with monkeypatch.context() as patch:
            patch.setattr(redis.Redis, "execute_command", counted)
            patch.setattr(Server, "run", run)
            try:
                split(server, 3)
                ends = last
            except Killed:
                pass
        if ends:
            break
        again = (3, 5, 2, 1)[last % 4]
        split(server, again)
        assert known(server) == before, last
        worker(server.url, again).close()
        client.flushall()
        for key, dumped in whole.items():
            client.restore(key, 0, dumped)
    assert ends > 100, ends


def test_nobody_joins_while_it_is_cut(server: RedisServer, client: redis.Redis) -> None:
    some_of_a_crawl(server, 1)
    client.hset("fcacrawler:{x}:about", "cutting", "4")
    for parts in (1, 4):
        with pytest.raises(BadStore, match=r"scrapy frontier split x --parts 4|go on with FCA_PARTS=1"):
            worker(server.url, parts)
    split(server, 1)  # taken back
    worker(server.url, 1).close()


def test_it_is_not_cut_while_workers_are_at_it_but_by_force(server: RedisServer, client: redis.Redis) -> None:
    web = Web(PAGES)
    one = worker(server.url, 1)
    one.update([(c.key, 1.0) for c in one.add([web.candidate(n) for n in range(9)])], 0)
    entry = one.lease(everywhere, -1.0)
    assert entry is not None
    with pytest.raises(BadStore, match=r"workers of x are at it: .*Stop them \(Ctrl-C\)"):
        split(server, 3)
    one.sync()
    split(server, 3, force=True)
    one.done(entry.candidate.key)
    with pytest.raises(BadStore, match="cleared or cut anew"):
        one.sync()
    other = worker(server.url, 3)
    assert {e.candidate.key: e.attempts for e in other.top(99)}[entry.candidate.key] == 1
    assert other.sizes(0.0).leased == 0
    other.close()
    with pytest.raises(BadStore, match="go on with FCA_PARTS=3"):
        worker(server.url, 1)


def test_budgets_hold_over_a_cut(server: RedisServer, client: redis.Redis) -> None:
    crew = some_of_a_crawl(server, 1, 40, budget=90)
    had = known(server)["counts"]["fetched"]
    split(server, 3)
    crew.make = lambda: worker(server.url, 3, 90)
    for _ in range(4):
        crew.join()
    crew.to_the_end(90)
    assert known(server)["counts"]["fetched"] == 90 > had


def test_budgets_of_sites_hold_over_a_cut(server: RedisServer, client: redis.Redis) -> None:
    def site_of(host: str) -> str:
        return host.partition(".")[2]

    def made(parts: int) -> PartedFrontier:
        joining = Joining(site_of=site_of)
        one = PartedFrontier(server.url, "x", FrontierOptions(parts=parts), {**CRAWL, "site budget": "5"}, joining)
        one._looks.left = 99
        return one

    got = 0
    hosts = [f"h{n}.{site}.org" for n in range(20) for site in "ab"]
    for parts in (2, 4):
        one = made(parts)
        if parts == 2:
            links = [Candidate(b"k%d" % n, f"http://{host}/", host, 1) for n, host in enumerate(hosts)]
            one.update([(c.key, 0.5) for c in one.add(links)], 0)
            one.sync()
            one.sync()
        for _ in range(7 if parts == 2 else 200):
            one._looks._at = -1e9
            if (entry := one.lease(everywhere, -1.0)) is not None:
                one.done(entry.candidate.key)
                got += 1
            one.sync()
        one.close()
        if parts == 2:
            assert 0 < got < 10
            split(server, 4)
    assert got == 10


def test_a_link_on_its_way_arrives_where_it_belongs_now(server: RedisServer, client: redis.Redis) -> None:
    one = worker(server.url, 3)
    assert isinstance(one, PartedFrontier)
    links = [Candidate(b"k%d" % n, f"http://h{n}/", f"h{n}", 1) for n in range(30)]
    one.update([(c.key, 0.5) for c in one.add(links)], 0)
    one.home.close()  # told, not delivered, and killed
    there = sum(client.xlen(key) for key in client.keys("*outbox"))
    assert there > 9
    split(server, 4)
    other = worker(server.url, 4)
    assert isinstance(other, PartedFrontier)
    for n in range(4):
        other._post.collect(n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fcacrawler.frontier.redis.post.LONG", -1.0)
        for n in range(4):
            other._post.collect(n)
    other.sync()
    assert {e.candidate.key for e in other.top(99)} == {c.key for c in links}
    assert all(
        part.top(99) == [e for e in part.top(99) if other._part(e.candidate.host) == n]
        for n, part in enumerate(other._parts)
    )
    other.close()


def test_what_was_done_before_a_cut_is_forgotten_from_all_parts(server: RedisServer, client: redis.Redis) -> None:
    crew = some_of_a_crawl(server, 1)
    split(server, 3)
    one, key = worker(server.url, 3), b"k%d" % next(iter(crew.fetched))
    done = one.sizes(0.0).done
    assert one.knows(key)
    one.forget(key)
    assert not one.knows(key)
    assert one.sizes(0.0).done == done - 1
    one.close()
