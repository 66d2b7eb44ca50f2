"""Pages that a crawl in Redis forgets: their links and records, what other links and pages say of them, marks.

Of what is done Redis knows digests only, and they stay: they keep a page from being fetched again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from redis.exceptions import RedisError, ResponseError

from fcacrawler.frontier.forgetting import Removed, without_page
from fcacrawler.frontier.records import dump_page, load_page
from fcacrawler.frontier.redis.log import line_of, load_line
from fcacrawler.frontier.redis.records import dump_link, load_link
from fcacrawler.frontier.redis.server import Away, Server
from fcacrawler.values.errors import BadStore
from fcacrawler.values.forgetting import Gone

TOGETHER = 500  # keys that one script takes
BY_HOST = (
    "homes",
    "unreached",
    "sites",
    "busy",
    "pauses",
    "out",
    "used",
    "taken",
)  # sets and hashes with hosts in them
REMOVE = {b"set": "srem", b"zset": "zrem", b"hash": "hdel"}
LIST = {b"set": "sscan_iter", b"zset": "zscan_iter", b"hash": "hscan_iter"}


class _Found(NamedTuple):
    """What stands in Redis of what goes."""

    keys: list[bytes]
    mended: dict[bytes, tuple[bytes, bytes]]  # key → record, further links


def forget(server: Server, gone: Gone, again: bool, key_of: Callable[[str], bytes]) -> Removed:
    """No worker may be at it. ``again``: they may be fetched again; ``key_of`` canonical URLs is asked then."""
    try:
        found = _links(server, gone)
        urls, mended = _forget_pages(server, gone)
        _forget_marks(server, gone)
        _forget_hosts(server, gone)
        if again:
            found.keys.extend(set(map(key_of, {*urls, *gone.urls})) - set(found.keys))
        for i in range(0, len(found.keys), TOGETHER):
            server.run([("forget", found.keys[i : i + TOGETHER])])
        for key, (record, more) in found.mended.items():
            server.redis.hset(f"{server.prefix}records", key, record)
            server.redis.hset(f"{server.prefix}more", key, more) if more else server.redis.hdel(
                f"{server.prefix}more", key
            )
        if gone.digests:
            (server.redis.srem if again else server.redis.sadd)(f"{server.prefix}forgotten", *gone.digests)
        _write_anew(server)
    except (RedisError, Away) as error:
        raise BadStore(f"Redis does not answer, some may not be forgotten yet: {error}. Do it again") from None
    return Removed(len(urls), len(found.keys), mended + len(found.mended))


def _links(server: Server, gone: Gone) -> _Found:
    found = _Found([], {})
    outbox: Any = server.redis.xrange(f"{server.prefix}outbox")
    for number, letter in outbox:
        posted = load_link(letter[b"k"], bytes(16) + letter[b"d"]).entry.candidate
        if gone(posted.url) or any(gone(e.parent) for e in posted.evidence):
            server.redis.xdel(f"{server.prefix}outbox", number)
    for key, record in server.redis.hscan_iter(f"{server.prefix}records", count=1000):
        more: Any = server.redis.hget(f"{server.prefix}more", key) or b""
        known = load_link(key, record, more).entry.candidate
        evidence = [e for e in known.evidence if not gone(e.parent)]
        if gone(known.url) or (known.depth and known.evidence and not evidence):
            found.keys.append(key)
        elif len(evidence) < len(known.evidence):
            first = dump_link(known, 0, 0, evidence[:1]).partition(b"\n")[2]
            rest = dump_link(known, 0, 0, evidence[1:]).split(b"\n")[2:]
            kept = record[16:].partition(b"\n")[0]  # epoch, attempts, depth, generation
            found.mended[key] = (
                record[:16] + kept + b"\n" + first,
                b"\n" + b"\n".join(rest) + b"\n" if rest else b"",
            )
    return found


def _forget_pages(server: Server, gone: Gone) -> tuple[list[str], int]:
    """Out of the log that workers learn from, which is written anew: their URLs, and how many others were mended."""
    r, name = server.redis, f"{server.prefix}log"
    entries: Any = r.xrange(name)
    kept, urls, mended = [], [], 0
    for number, fields in entries:
        page = load_page(fields[b"p"])
        if gone(page.url):
            urls.append(page.url)
            continue
        now = without_page(page, gone)
        mended += now != page
        kept.append((number, fields if now == page else {**fields, b"p": dump_page(now)}))
    if urls or mended:
        with r.pipeline(transaction=True) as together:
            together.delete(name)
            for number, fields in kept:
                together.xadd(name, {b"w": fields[b"w"], b"p": fields[b"p"]}, id=number)
            together.execute()
    return urls, mended


def _forget_marks(server: Server, gone: Gone) -> None:
    lines: Any = server.redis.lrange(f"{server.prefix}marks", 0, -1)
    for line in lines:
        mark = load_line(line_of(line))
        if mark is not None and gone(mark.url):
            server.redis.lrem(f"{server.prefix}marks", 0, line)
            server.redis.srem(f"{server.prefix}marked", line_of(line))


def _forget_hosts(server: Server, gone: Gone) -> None:
    for name in BY_HOST if gone.host else ():
        key = f"{server.prefix}{name}"
        kind: Any = server.redis.type(key)
        if kind in LIST:
            members = (m[0] if isinstance(m, tuple) else m for m in getattr(server.redis, LIST[kind])(key))
            those = [m for m in members if gone(f"http://{m.decode('utf-8', 'replace').rpartition(' ')[2]}/")]
            if those:
                getattr(server.redis, REMOVE[kind])(key, *those)


def _write_anew(server: Server) -> None:
    """The files of Redis, where it has any and lets us: what is deleted stands in them until then."""
    for command in ("BGREWRITEAOF", "BGSAVE SCHEDULE"):
        with suppress(ResponseError):
            server.redis.execute_command(command)  # type: ignore[no-untyped-call]
