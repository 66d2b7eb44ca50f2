"""Real clusters on loopback: three masters with a replica each, of which one is killed; a slot that moves; and a Redis
that starts again without the latest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from math import inf

import pytest
import redis

from fcacrawler.frontier.redis import line
from fcacrawler.frontier.redis.cut import SLOTS, names_of, slot_of
from tests.frontier.crew import Crew, Web, everywhere, worker
from tests.redis_server import RedisServer, free_port, serving

PARTS = 4
OPTIONS = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--repl-diskless-sync-delay", "0")


@dataclass
class Node:
    server: RedisServer
    port: int
    client: redis.Redis

    def ask(self, *command: str | int) -> str:
        answer = self.client.execute_command(*command)
        return answer.decode() if isinstance(answer, bytes) else str(answer)


@pytest.fixture
def nodes() -> Iterator[list[Node]]:
    """Masters that have a third of all slots each, then their replicas."""
    with ExitStack() as stack:
        made = []
        for _ in range(6):
            port = free_port()
            server = stack.enter_context(serving("--port", str(port), *OPTIONS))
            made.append(Node(server, port, stack.enter_context(closing(redis.Redis(port=port)))))
        for i, node in enumerate(made[:3]):
            node.ask("CLUSTER", "ADDSLOTS", *range(SLOTS * i // 3, SLOTS * (i + 1) // 3))
        for i, node in enumerate(made):
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            node.ask("CLUSTER", "MEET", "127.0.0.1", made[0].port)
        eventually(lambda: all(node.client.cluster("info")["cluster_known_nodes"] == "6" for node in made))
        for master, replica in zip(made, made[3:], strict=False):
            replica.ask("CLUSTER", "REPLICATE", master.ask("CLUSTER", "MYID"))
        eventually(lambda: all(node.client.cluster("info")["cluster_state"] == "ok" for node in made))
        eventually(lambda: all(node.client.info()["master_link_status"] == "up" for node in made[3:]))
        yield made


def eventually(true: Callable[[], bool]) -> None:
    """Nodes gossip once in a while."""

    async def wait() -> None:
        while not true():
            await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(wait(), 20))


def crew_on(nodes: list[Node], pages: int) -> Crew:
    url = f"redis://127.0.0.1:{nodes[1].port}/0?cluster=1"
    crew = Crew(lambda: worker(url, PARTS), Web(pages), 4)
    crew.begin()
    return crew


def holders(nodes: list[Node]) -> list[int]:
    """Of each part."""
    return [slot_of(name) * 3 // SLOTS for name in names_of("x", PARTS)]


@pytest.mark.slow
def test_a_master_is_killed_and_its_replica_goes_on(nodes: list[Node]) -> None:
    """What asynchronous replication has lost is done again; no page is lost."""
    crew = crew_on(nodes, 500)
    assert {*holders(nodes)} == {0, 1, 2}
    while len(crew.fetched) < 200:
        for n in range(4):
            crew.turn(n)
    killed = nodes[0].server.process
    assert killed is not None
    killed.kill()
    crew.to_the_end()
    assert set(crew.fetched) == set(range(500))
    assert crew.left == [500] * 4
    assert crew.fetched.total() - 500 <= 50  # those of which the replica had not heard


@pytest.mark.slow
def test_a_slot_moves_to_another_node_in_mid_crawl(nodes: list[Node]) -> None:
    crew = crew_on(nodes, 300)
    slot, prefix = slot_of(names_of("x", PARTS)[0]), f"fcacrawler:{{{names_of('x', PARTS)[0]}}}:"
    source, target = nodes[0], nodes[1]
    ids = [node.ask("CLUSTER", "MYID") for node in (source, target)]
    steps = [
        lambda: target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0]),
        lambda: source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1]),
        lambda: source.client.execute_command(
            "MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *source.client.keys(f"{prefix}*")
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
