"""Real clusters on loopback, three masters with a replica each: one is killed, one is away for longer than a lease; a
slot moves, over TLS with a password; a crawl is cut anew. And a Redis that starts again without the latest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from math import inf
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from time import monotonic

import pytest
import redis

from fcacrawler.frontier.redis import line
from fcacrawler.frontier.redis import server as server_module
from fcacrawler.frontier.redis.admin import Admin
from fcacrawler.frontier.redis.cut import SLOTS, names_of, slot_of
from fcacrawler.frontier.redis.cutting import cut
from tests.frontier.crew import Crew, Web, everywhere, worker
from tests.redis_cluster import Node, cluster
from tests.redis_server import missing, serving

PARTS = 4


@pytest.fixture(params=["plain"])
def nodes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Node]]:
    with ExitStack() as stack:
        try:
            nodes = stack.enter_context(cluster(tmp_path if request.param == "tls" else None))
        except RuntimeError as error:
            if request.param == "tls":
                missing(f"this redis-server has no TLS: {error}")
            raise
        yield nodes


def crew_on(nodes: list[Node], pages: int, parts: int = PARTS, lease: int = 120) -> Crew:
    crew = Crew(lambda: worker(nodes[1].url, parts, lease=lease), Web(pages), 4)
    crew.begin()
    return crew


def turns(crew: Crew, pages: int) -> None:
    while len(crew.fetched) < pages:
        for n in range(4):
            crew.turn(n)


def holders(nodes: list[Node]) -> list[int]:
    """Of each part."""
    return [slot_of(name) * 3 // SLOTS for name in names_of("x", PARTS)]


@pytest.mark.slow
def test_a_master_is_killed_and_its_replica_goes_on(nodes: list[Node]) -> None:
    """What asynchronous replication has lost is done again; no page is lost. Before, the crawl is cut from one part."""
    crew = crew_on(nodes, 500, parts=1)
    assert {*holders(nodes)} == {0, 1, 2}
    turns(crew, 100)
    crew.all_go()
    with closing(Admin(nodes[1].url, "x")) as admin:
        cut(admin, PARTS, False, lambda url: url, lambda done, of: None)
    crew.make = lambda: worker(nodes[1].url, PARTS)
    for _ in range(4):
        crew.join()
    turns(crew, 200)
    killed = nodes[0].server.process
    assert killed is not None
    killed.kill()
    crew.to_the_end()
    assert set(crew.fetched) == set(range(500))
    assert crew.left == [500] * 4
    assert crew.fetched.total() - 500 <= 50  # those of which the replica had not heard


@pytest.mark.slow
def test_a_node_is_away_for_longer_than_a_lease(nodes: list[Node], monkeypatch: pytest.MonkeyPatch) -> None:
    """With its replica, so that nobody takes over. What was under way there is fetched again by another."""
    monkeypatch.setattr(server_module, "SECONDS", 0.2)
    monkeypatch.setattr(line, "BREATH", 0.1)
    crew = crew_on(nodes, 300, lease=1)
    turns(crew, 100)
    held = sum(map(len, crew.flights))
    for signal in (SIGSTOP, SIGCONT):
        for node in (nodes[0], nodes[3]):
            assert node.server.process is not None
            node.server.process.send_signal(signal)
        end = monotonic() + 2.5
        while signal == SIGSTOP and monotonic() < end:
            for n in range(4):
                crew.turn(n)
    crew.to_the_end()
    assert set(crew.fetched) == set(range(300))
    assert crew.left == [300] * 4
    assert crew.fetched.total() - 300 <= held + 4 * 6  # leases ahead too


@pytest.mark.slow
@pytest.mark.parametrize("nodes", ["tls"], indirect=True)
def test_a_slot_moves_to_another_node_in_mid_crawl_over_tls(nodes: list[Node]) -> None:
    crew = crew_on(nodes, 300)
    slot, prefix = slot_of(names_of("x", PARTS)[0]), f"fcacrawler:{{{names_of('x', PARTS)[0]}}}:"
    source, target = nodes[0], nodes[1]
    ids = [node.ask("CLUSTER", "MYID") for node in (source, target)]
    steps = [
        lambda: target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0]),
        lambda: source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1]),
        lambda: source.client.execute_command(
            "MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "AUTH", "pw", "KEYS", *source.client.keys(f"{prefix}*")
        ),
        lambda: target.ask("CLUSTER", "SETSLOT", slot, "NODE", ids[1]),
        lambda: source.ask("CLUSTER", "SETSLOT", slot, "NODE", ids[1]),
    ]
    for at in range(100, 200):
        if at % 20 == 0:
            steps[at // 20 - 5]()
        while len(crew.fetched) < at and crew.workers:
            for n in range(4):
                crew.turn(n)
            if at > 120 and not any(crew.flights):
                break
    crew.to_the_end()
    assert set(crew.fetched) == set(range(300))
    assert crew.left == [300] * 4
    assert target.client.exists(f"{prefix}about")


@pytest.mark.parametrize("parts", [1, 3])
def test_links_that_a_redis_forgot_are_told_again(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their page is done when it has started again from an older file, so nobody would find them."""
    monkeypatch.setattr(line, "BREATH", 0.0)
    web = Web(30)
    with serving() as server, closing(redis.Redis.from_url(server.url)) as client:
        one = worker(server.url, parts)
        one.update([(c.key, 1.0) for c in one.add([web.candidate(0)])], 0)
        one.sync()
        while (entry := one.lease(everywhere, -inf)) is None:
            pass
        client.save()
        one.update([(c.key, 0.5) for c in one.add([web.candidate(n, entry.candidate.url) for n in range(1, 30)])], 1)
        one.sync()
        one.sync()
        server.stop()
        server.start()
        one.done(b"k0")
        for _ in range(9):
            one.sync()
        assert sorted(e.candidate.key for e in one.top(99)) == sorted(b"k%d" % n for n in range(1, 30))
        assert one.sizes(0.0).done == 1
        one.close()
