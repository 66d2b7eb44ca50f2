"""Real clusters on loopback: three masters with a replica each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

from fcacrawler.frontier.redis.cut import SLOTS
from tests.redis_server import RedisServer, certificate, free_port

OPTIONS = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--repl-diskless-sync-delay", "0")
TLS = ("--port", "0", "--tls-cluster", "yes", "--tls-replication", "yes", "--requirepass", "pw", "--masterauth", "pw")


@dataclass
class Node:
    server: RedisServer
    port: int
    url: str
    client: redis.Redis

    def ask(self, *command: str | int) -> str:
        answer = self.client.execute_command(*command)
        return answer.decode() if isinstance(answer, bytes) else str(answer)


@contextmanager
def cluster(tls: Path | None = None) -> Iterator[list[Node]]:
    """Masters that have a third of all slots each, then their replicas. ``tls``: a folder for its certificate."""
    cert, files = certificate(tls) if tls else (None, ())
    with ExitStack() as stack:
        made = []
        for _ in range(6):
            port = free_port()
            if cert:
                server = RedisServer(*OPTIONS, *TLS, "--tls-port", str(port), *files)
                client = redis.Redis(port=port, password="pw", ssl=True, ssl_ca_certs=str(cert))
                url = f"rediss://:pw@127.0.0.1:{port}/0?cluster=1&ssl_ca_certs={cert}"
            else:
                server, client = RedisServer(*OPTIONS, "--port", str(port)), redis.Redis(port=port)
                url = f"redis://127.0.0.1:{port}/0?cluster=1"
            stack.callback(server.clear)
            server.start()
            made.append(Node(server, port, url, stack.enter_context(closing(client))))
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
