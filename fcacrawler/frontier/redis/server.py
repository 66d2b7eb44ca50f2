"""A Redis and our scripts in it: what they answer, or why there is no answer."""

from __future__ import annotations

import logging
import os
import socket
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import redis
from redis import exceptions
from redis.backoff import NoBackoff
from redis.retry import Retry

from fcacrawler.values.errors import BadRecord, BadStore

logger = logging.getLogger(__name__)

Argument = bytes | str | int | float
Call = tuple[str, Sequence[Argument]]

VERSION = "10"  # of the keys and records
SECONDS = 3.0  # without an answer, Redis is away
FULL = "Redis is out of memory: raise its maxmemory or set a smaller FCA_FRONTIER_SIZE"
READ_ONLY = "Redis is read-only here: is it a replica, or has it run out of disk?"
GONE = "the crawl is no longer in Redis: it was cleared or cut anew, or Redis started again without its data"
SIGNS = {  # in what Redis says → what it means; Redis 7 leaves the first word out
    "OOM": FULL,
    "used memory > 'maxmemory'": FULL,
    "READONLY": READ_ONLY,
    "read only replica": READ_ONLY,
    "MISCONF": READ_ONLY,
    "GONE": GONE,
}


AWAY = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ClusterDownError,
    exceptions.RedisClusterException,  # no node answers
    exceptions.AskError,  # the slot is on its way to another node, or has just got there
    exceptions.TryAgainError,
)


class Away(Exception):
    """Redis does not answer now."""


class Server:
    """Runs scripts on the keys of one crawl; each call of ``run`` is one round trip."""

    def __init__(self, url: str, prefix: str) -> None:
        self.prefix = prefix
        self.trips = 0
        self.moved = False  # its keys are on another node than before, or in a Redis that has started again
        self._cluster: redis.RedisCluster | None = None
        self._node = self._run = ""
        self._replicas = 0
        self._anew = False  # the connection is another than before
        self._lost = False  # which node has them is to be asked again
        self._digests = {name: sha1(text.encode()).hexdigest() for name, text in scripts().items()}
        limits: dict[str, Any] = {"socket_timeout": SECONDS, "socket_connect_timeout": SECONDS}
        try:
            parts = urlsplit(url)
            if "cluster" in (asked := dict(parse_qsl(parts.query))):
                del asked["cluster"]
                door = parts._replace(query=urlencode(asked)).geturl()
                self._cluster = redis.RedisCluster.from_url(door, **limits)
                self._find_node()
            else:
                limits["redis_connect_func"] = self._connected
                self.redis = redis.Redis.from_url(url, retry=Retry(NoBackoff(), 0), **limits)
        except ValueError as e:
            raise BadStore(f"FCA_FRONTIER={url}: {e}") from None
        except (exceptions.RedisError, exceptions.RedisClusterException) as e:
            raise BadStore(f"{where(url)}: {e}") from None

    def _connected(self, connection: Any) -> None:
        connection.on_connect()
        self._anew = True

    def claim(self, name: str, crawl: Mapping[str, str], told: str = "") -> Mapping[str, str]:
        """The keys are this crawl's from now on, if they are nobody's; BadStore if they are another's. ``told``:
        what it says of itself. What Redis says of it."""
        ours = {"program": "fcacrawler", "version": VERSION, **{f"crawl.{k}": v for k, v in crawl.items()}}
        try:
            (answer,) = self.run([("open", [told, *(x for pair in ours.items() for x in pair)])])
        except Away as e:
            raise BadStore(f"Redis does not answer: {e}") from None
        self.look_again()
        texts = [x.decode("utf-8", "replace") for x in answer]  # the floor is none
        about = dict(zip(texts[::2], texts[1::2], strict=True))
        for what in dict.fromkeys((*ours, *(name for name in about if name.startswith("crawl.")))):
            if about.get(what) != ours.get(what):
                told = f"its {what.removeprefix('crawl.')} is {about.get(what)!r}, not {ours.get(what)!r}"
                if what == "crawl.parts":
                    now = about.get(what, "1")
                    anew = f"or cut it anew: scrapy frontier split {name} --parts {ours.get(what, '1')}"
                    told = f"is cut into {now} parts: go on with FCA_PARTS={now}, {anew}"
                    raise BadStore(f"the crawl {name!r} in Redis {told}")
                raise BadStore(f"the crawl {name!r} in Redis is another: {told}. Choose another name: FCA_CRAWL")
        if to := about.get("cutting"):
            again = f"if that was killed, again: scrapy frontier split {name} --parts {to}"
            raise BadStore(f"the crawl {name!r} in Redis is being cut into {to} parts: wait until it is; {again}")
        return about

    def look_again(self) -> None:
        """Whether it has started since this was last asked, and may have forgotten the latest."""
        with suppress(exceptions.RedisError):
            told: Any = self.redis.info("server")
            self.moved, self._run = self.moved or self._run not in ("", told["run_id"]), told["run_id"]

    def members(self, name: str) -> frozenset[str]:
        """Of a set of texts."""
        with self._told():
            found: Any = self.redis.smembers(f"{self.prefix}{name}")
        return frozenset(member.decode("utf-8", "replace") for member in found)

    def run(self, calls: Sequence[Call], kept: bool = False) -> list[Any]:
        """Each script's answer. ``kept``: when a replica has heard of it too, if there are any; a second at most."""
        with self._told():
            try:
                if self._lost:
                    self._find_node()
                answers = self._ask(calls, kept)
            except exceptions.MovedError:
                if self._cluster is None:
                    raise
                self._find_node()
                answers = self._ask(calls, kept)
            if self._anew:
                self._anew = False
                self.look_again()
            return answers

    def _ask(self, calls: Sequence[Call], kept: bool) -> list[Any]:
        """All answers are read before an error among them is raised."""
        self.trips += 1
        answers = self._answers(calls, kept)
        if any(isinstance(answer, exceptions.NoScriptError) for answer in answers):  # all are there or none
            for text in scripts().values():
                self.redis.script_load(text)
            answers = self._answers(calls, kept)
        for answer in answers:
            if isinstance(answer, exceptions.RedisError):
                raise answer
        return answers

    def _answers(self, calls: Sequence[Call], kept: bool) -> list[Any]:
        with self.redis.pipeline(transaction=False) as pipeline:
            for name, arguments in calls:
                pipeline.evalsha(self._digests[name], 1, self.prefix, *arguments)
            if kept and self._replicas:
                pipeline.execute_command("WAIT", 1, 1000)  # type: ignore[no-untyped-call]
            return pipeline.execute(raise_on_error=False)[: len(calls)]

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What goes wrong, in our words."""
        try:
            yield
        except exceptions.AuthenticationError as e:
            raise BadStore(f"Redis refuses us: {e}") from None
        except AWAY as e:
            if self._cluster is None and isinstance(e, exceptions.AskError):
                raise BadStore(f"this Redis is one of a cluster: end FCA_FRONTIER with ?cluster=1 ({e})") from None
            self._lost = self._cluster is not None
            raise Away(str(e)) from None
        except exceptions.RedisError as e:
            raise self._meaning(str(e)) from None

    def _find_node(self) -> None:
        assert self._cluster is not None
        self._cluster.nodes_manager.initialize()
        node = self._cluster.get_node_from_key(self.prefix)  # type: ignore[no-untyped-call]
        if node is None:
            raise exceptions.ClusterDownError(f"no node has the slot of {self.prefix}")
        self.redis = self._cluster.get_redis_connection(node)
        self.moved, self._node = self.moved or self._node not in ("", node.name), node.name
        slot = self._cluster.keyslot(self.prefix)  # type: ignore[no-untyped-call]
        self._replicas = len(self._cluster.nodes_manager.slots_cache[slot]) - 1
        self._lost = False

    def _meaning(self, message: str) -> Exception:
        """What an error of a script means for its user."""
        if "CORRUPT" in message or "WRONGTYPE" in message or "Bad data" in message:
            what = message.partition("CORRUPT ")[2] or message
            return BadRecord(f"under {self.prefix} there is something that fcacrawler did not write: {what}")
        for sign, meaning in SIGNS.items():
            if sign in message:
                return BadStore(meaning)
        return BadStore(f"Redis: {message}")

    def close(self) -> None:
        self.redis.close()
        if self._cluster is not None:
            self._cluster.close()


@contextmanager
def closed_if_bad(server: Server) -> Iterator[None]:
    """A server that cannot be used is not left open."""
    try:
        yield
    except (BadStore, BadRecord):
        server.close()
        raise


def worker_name() -> str:
    """One that no other process has."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


@cache
def scripts() -> dict[str, str]:
    """By name; all but two, of what is common to all parts, begin with what they share."""
    folder = files(__package__) / "lua"
    texts = {f.name.removesuffix(".lua"): f.read_text("utf-8") for f in folder.iterdir()}
    shared = texts.pop("keys")
    return {name: text if name in ("open", "grant") else shared + text for name, text in texts.items()}


def where(url: str) -> str:
    """The URL without its password.

    >>> where("redis://:secret@host:6379/0")
    'redis://host:6379/0'
    """
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
