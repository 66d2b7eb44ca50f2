"""The frontiers that the contract is held against."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import redis

from fcacrawler.frontier import Frontier
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from tests.redis_server import RedisServer

SHARED_MEMORY = Path("/dev/shm")  # where it exists no disk has to be waited for


class Backend(Protocol):
    """Makes new frontiers, and opens one again as another process would after a kill."""

    def make(self, options: FrontierOptions) -> Frontier: ...

    def killed(self, frontier: Frontier, options: FrontierOptions) -> Frontier | None: ...

    def clear(self) -> None: ...


class Memory:
    def make(self, options: FrontierOptions) -> Frontier:
        return MemoryFrontier(options)

    def killed(self, frontier: Frontier, options: FrontierOptions) -> Frontier | None:
        return None

    def clear(self) -> None: ...


class Sqlite:
    """With room for two entries in memory, so that most are on disk."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None))
        self.made = 0

    def make(self, options: FrontierOptions) -> Frontier:
        self.made += 1
        return SqliteFrontier(self.folder / str(self.made), options, {"topic": "test"}, hot=2)

    def killed(self, frontier: Frontier, options: FrontierOptions) -> Frontier | None:
        assert isinstance(frontier, SqliteFrontier)
        frontier.commit()
        frontier.close()  # gives no lease back
        return SqliteFrontier(self.folder / str(self.made), options, {"topic": "test"}, hot=2)

    def clear(self) -> None:
        shutil.rmtree(self.folder)


class Redis:
    """One worker that asks for one lease at a time."""

    def __init__(self) -> None:
        self.server = RedisServer()
        self.server.start()
        self.made = 0

    def open(self, options: FrontierOptions) -> Frontier:
        return RedisFrontier(self.server.url, f"test{self.made}", options, {"topic": "test"}, Joining(ahead=1))

    def make(self, options: FrontierOptions) -> Frontier:
        self.made += 1
        return self.open(options)

    def killed(self, frontier: Frontier, options: FrontierOptions) -> Frontier | None:
        assert isinstance(frontier, RedisFrontier)
        frontier.close()  # gives no lease back
        client = redis.Redis.from_url(self.server.url)
        client.zunionstore(key := f"fcacrawler:{{test{self.made}}}:deadlines", {key: 0})  # all are long past
        client.close()
        return self.open(options)

    def clear(self) -> None:
        self.server.clear()


BACKENDS: dict[str, Callable[[], Backend]] = {"memory": Memory, "sqlite": Sqlite, "redis": Redis}
