"""Stores as operators have them: a Redis with TLS, a cluster, a replica; and those that fail while a crawl runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
import redis

from fcacrawler.addon import focus_of
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadStore
from tests.contract.test_frontier import drain, fill
from tests.crawling import Outcome, crawl
from tests.redis_server import certificate, free_port, missing, serving
from tests.site import Site, page
from tests.spiders.test_crawls import RACING, text

CRAWL = {"topic": "test"}


def worker(url: str, name: str = "x") -> RedisFrontier:
    return RedisFrontier(url, name, FrontierOptions(), CRAWL, Joining(ahead=1))


def crawls_to_its_end(frontier: RedisFrontier) -> None:
    fill(frontier, a1=0.9, b1=0.8, a2=0.7)
    assert drain(frontier) == ["a1", "b1", "a2"]
    for key in (b"a1", b"b1", b"a2"):
        frontier.done(key)
    assert frontier.sizes(0).done == 3
    frontier.close()


# -- ways to reach it


def test_over_tls_with_a_certificate_that_is_trusted_and_not_with_another(tmp_path: Path) -> None:
    cert, files = certificate(tmp_path)
    try:
        with serving("--tls-port", str(port := free_port()), *files):
            url = f"rediss://127.0.0.1:{port}/0"
            crawls_to_its_end(worker(f"{url}?ssl_ca_certs={cert}"))
            with pytest.raises(BadStore, match="certificate verify failed"):
                worker(url)
    except RuntimeError as error:
        missing(f"this redis-server has no TLS: {error}")


def test_over_tcp_with_a_user_and_a_password() -> None:
    with serving("--port", str(port := free_port())) as server, closing(redis.Redis.from_url(server.url)) as client:
        client.acl_setuser("crawler", enabled=True, passwords="+secret", keys=["fcacrawler:*"], categories=["+@all"])
        crawls_to_its_end(worker(f"redis://crawler:secret@127.0.0.1:{port}/0"))
        with pytest.raises(BadStore, match="refuses us"):
            worker(f"redis://crawler:wrong@127.0.0.1:{port}/0")


@pytest.fixture
def cluster() -> Iterator[list[redis.Redis]]:
    """Three nodes that have all slots among them."""
    with ExitStack() as stack:
        nodes = []
        for _ in range(3):
            port = free_port()
            stack.enter_context(serving("--port", str(port), "--cluster-enabled", "yes"))
            nodes.append(stack.enter_context(closing(redis.Redis(port=port))))
        for i, node in enumerate(nodes):
            node.execute_command("CLUSTER", "ADDSLOTS", *range(i, 16384, 3))
            node.execute_command("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            node.execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[0].connection_pool.connection_kwargs["port"])
        eventually(lambda: all(knows_all(node) for node in nodes))
        yield nodes


def knows_all(node: redis.Redis) -> bool:
    info = node.cluster("info")
    return bool(info["cluster_state"] == "ok" and info["cluster_known_nodes"] == "3")


def eventually(true: Callable[[], bool]) -> None:
    """The cluster's nodes gossip once in a while."""

    async def wait() -> None:
        while not true():
            await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(wait(), 20))


@pytest.mark.slow
def test_a_cluster_holds_each_crawl_on_one_of_its_nodes(cluster: list[redis.Redis]) -> None:
    url = f"redis://127.0.0.1:{cluster[0].connection_pool.connection_kwargs['port']}/0?cluster=1"
    names = ["tea", "cars", "bees", "rails", "ships", "clouds", "stamps", "bread"]
    for name in names:
        crawls_to_its_end(worker(url, name))
    holding = {name: [n for n, node in enumerate(cluster) if node.keys(f"fcacrawler:{{{name}}}:*")] for name in names}
    assert all(len(nodes) == 1 for nodes in holding.values()), holding
    assert len({nodes[0] for nodes in holding.values()}) > 1


@pytest.mark.slow
def test_a_crawl_is_followed_when_its_slot_moves_to_another_node(cluster: list[redis.Redis]) -> None:
    url = f"redis://127.0.0.1:{cluster[0].connection_pool.connection_kwargs['port']}/0?cluster=1"
    frontier = worker(url)
    fill(frontier, a1=0.9, a2=0.8)
    frontier.sync()
    slot = cluster[0].execute_command("CLUSTER", "KEYSLOT", "fcacrawler:{x}:")
    source = cluster[slot % 3]
    target = cluster[(slot + 1) % 3]
    ids = [str(node.execute_command("CLUSTER", "MYID").decode()) for node in (source, target)]
    target.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
    source.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
    port = target.connection_pool.connection_kwargs["port"]
    source.execute_command("MIGRATE", "127.0.0.1", port, "", 0, 5000, "KEYS", *source.keys("fcacrawler:{x}:*"))
    for node in (target, source):
        node.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[1])
    assert drain(frontier) == ["a1", "a2"]
    frontier.close()


# -- what fails while a crawl runs


@pytest.fixture
def small(site: Site) -> Site:
    for n in range(8):
        links = {f"/{n + 1}": f"auto racing {n + 1}"}
        site.pages["/" if n == 0 else f"/{n}"] = page(f"Auto racing {n}", text(RACING, n), links)
    site.pages["/8"] = page("Auto racing 8", text(RACING, 8))
    return site


def disturbed(store: dict[str, Any], site: Site, happens: Callable[[SemRankSpider], Any]) -> Outcome:
    """A crawl in breadth-first order during which something happens when the third page has been read."""

    class Disturbed(SemRankSpider):
        pages_read = 0

        def parse(self, response: Any, **kwargs: Any) -> Any:
            type(self).pages_read += 1
            if self.pages_read == 3:
                happens(self)
            yield from super().parse(response, **kwargs)

    settings = {"CONCURRENT_REQUESTS": 1, "LOG_LEVEL": "WARNING", **store}
    return crawl(Disturbed, settings, topic="auto racing", order="bfs", seeds=site.url("/"))


def test_a_crawl_pauses_while_redis_is_away_and_goes_on(small: Site, caplog: pytest.LogCaptureFixture) -> None:
    with serving("--appendonly", "yes", "--appendfsync", "always") as server:

        def goes_away(spider: SemRankSpider) -> None:
            server.stop()
            asyncio.get_running_loop().call_later(1.5, server.start)

        outcome = disturbed({"FCA_FRONTIER": server.url}, small, goes_away)
    assert outcome.reason == "exhausted"
    assert small.fetched == ["/", *(f"/{n}" for n in range(1, 9))]
    assert len(outcome.items) == 9
    assert "the crawl pauses until it does" in caplog.text
    assert "the crawl goes on" in caplog.text


@pytest.mark.parametrize(
    ("command", "told"),
    [(("CONFIG", "SET", "maxmemory", "1mb"), "out of memory"), (("REPLICAOF", "127.0.0.1", "1"), "read-only")],
)
def test_a_crawl_ends_cleanly_and_says_why_when_redis_cannot_be_written_to(
    small: Site, caplog: pytest.LogCaptureFixture, command: tuple[str, ...], told: str
) -> None:
    with serving() as server, closing(redis.Redis.from_url(server.url)) as client:
        outcome = disturbed({"FCA_FRONTIER": server.url}, small, lambda spider: client.execute_command(*command))
    assert outcome.reason == "store_failed"
    assert f"the crawl ends: Redis is {told}" in caplog.text
    assert "Traceback" not in caplog.text
    assert len(small.fetched) < 6


def test_a_replica_is_refused_at_once() -> None:
    at_once = ("--repl-diskless-sync-delay", "0")
    port = str(free_port())
    with serving("--port", port, *at_once), serving("--replicaof", "127.0.0.1", port) as replica:
        with closing(redis.Redis.from_url(replica.url)) as client:
            eventually(lambda: client.info("replication")["master_link_status"] == "up")
        with pytest.raises(BadStore, match="read-only"):
            worker(replica.url)


def test_a_crawl_whose_disk_is_full_ends_and_goes_on_when_there_is_room(
    small: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fills_the_disk(spider: SemRankSpider) -> None:
        db = focus_of(spider.crawler).parts.crawl.frontier._db  # type: ignore[attr-defined]
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages}")

    outcome = disturbed({"JOBDIR": str(tmp_path)}, small, fills_the_disk)
    assert outcome.reason == "store_failed"
    assert "crawl.sqlite: database or disk is full. Make room" in caplog.text
    assert "Traceback" not in caplog.text
    asked = len(small.fetched)
    disturbed({"JOBDIR": str(tmp_path)}, small, lambda spider: None)
    assert set(small.fetched) == {"/", *(f"/{n}" for n in range(1, 9))}
    assert len(small.fetched) - 9 <= asked
    assert len({json.loads(item)["url"] for item in Items(tmp_path)}) == 9
