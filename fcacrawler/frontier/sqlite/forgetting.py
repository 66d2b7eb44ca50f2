"""Pages that a crawl in a folder forgets: out of its tables, out of what other pages say of them, out of the file.

What was deleted is written over (``secure_delete``), and the file is made anew (VACUUM), so that no byte of it is left.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from fcacrawler.frontier.forgetting import Removed, without_page
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.records import dump_candidate, dump_page, load_candidate, load_page, unpack
from fcacrawler.frontier.sqlite.log import COLD, DEAD, DONE, EVICTED, GONE
from fcacrawler.frontier.sqlite.mark_log import HEARD
from fcacrawler.frontier.sqlite.mark_log import NAME as MARKS
from fcacrawler.frontier.sqlite.salvage import Salvage
from fcacrawler.frontier.sqlite.store import SHUT, Store, connect, damage_told, fact, lock, open_store, read_store
from fcacrawler.frontier.sqlite.urls import PLACE, Urls
from fcacrawler.values.forgetting import Forgotten, Gone, without

FORGOTTEN = "forgotten"  # the fact: digests of what is not to be fetched again
DERIVED = ("search.sqlite", "search.sqlite-wal", "search.sqlite-shm", "search.vectors", "verdicts.npz")  # made anew
NO_LIMIT = 1 << 30
ENDS = {DONE: "done", GONE: "done", DEAD: "dead", EVICTED: "evicted"}
Progress = Callable[[int, int], None]


def fetched_before(folder: Path, moment: str) -> frozenset[str]:
    """URLs of the pages that were last fetched before then (ISO 8601)."""
    with closing(read_store(folder)) as db:
        items = map(json.loads, Salvage(db).items())
        return frozenset(item["url"] for item in items if item["fetched_at"] < moment)


def forgotten_in(db: Store) -> Forgotten:
    return Forgotten(frozenset(map(str, fact(db, FORGOTTEN, list))))


def forget(folder: Path, gone: Gone, again: bool, told: Progress = lambda done, of: None) -> Removed:
    """No crawl may run there. ``again``: they may be found and fetched again."""
    read_store(folder).close()
    with closing(lock(folder)):
        with closing(open_store(folder, {})) as db, damage_told(db):
            keys, removed = _forget(db, gone, again, told)
            _forget_marks(db, folder / MARKS, gone)
            db.execute("COMMIT")
            _shrink(db)
        for name in DERIVED:
            (folder / name).unlink(missing_ok=True)
        _forget_copies(folder / "copies.sqlite", keys)
        browser = folder / "browser.json"  # what was learned of pages' scripts, by host
        if gone.host and browser.is_file() and gone.host in browser.read_text("utf-8", "replace"):
            browser.unlink()
    return removed


def _forget(db: Store, gone: Gone, again: bool, told: Progress) -> tuple[list[bytes], Removed]:
    """The keys of what went, too."""
    db.execute("PRAGMA secure_delete = ON")
    db.execute("BEGIN IMMEDIATE")
    urls = Urls(db)
    urls.recover(NO_LIMIT, FrontierOptions().evidence)
    urls.settle_all()
    (before,) = db.execute("SELECT count(*) FROM pages").fetchone()
    keys, mended = _known(db, gone)
    counts = Counter({name: int(n) for name, n in fact(db, "counts", dict).items()})
    for key in keys:
        if (name := ENDS.get(urls.forget(key) or 0)) is not None:
            counts[name] -= 1
    (left,) = db.execute("SELECT count(*) FROM pages").fetchone()
    mended += sum(_mended_pages(db, gone, left, told))
    digests = sorted({*forgotten_in(db).digests, *(() if again else gone.digests)} - (gone.digests if again else set()))
    hosts = {host: why for host, why in fact(db, SHUT, dict).items() if not gone(f"http://{host}/")}
    homes = [host for host in fact(db, "homes", list) if not gone(f"http://{host}/")]
    facts: dict[str, Any] = {"counts": counts, FORGOTTEN: digests, SHUT: hosts, "homes": homes}
    if row := db.execute("SELECT value FROM facts WHERE name = 'told' AND value != ''").fetchone():
        facts["told"] = without(json.loads(row[0]), gone)
    db.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", [(n, json.dumps(v)) for n, v in facts.items()])
    return keys, Removed(before - left, len(keys), mended)


def _known(db: Store, gone: Gone) -> tuple[list[bytes], int]:
    """Keys of URLs that go: those that were named, and those that wait and only they have led to. How many of the
    others' records were mended."""
    keys, mended = [], []
    for arrival, key, queue, record in db.execute("SELECT arrival, key, queue, record FROM urls"):
        known = load_candidate(key, record)
        evidence = tuple(e for e in known.evidence if not gone(e.parent))
        if gone(known.url):
            keys.append(key)
        elif len(evidence) < len(known.evidence):
            place = db.execute(PLACE, (queue, arrival)).fetchone()
            if known.depth and not evidence and place and place[0] == COLD:
                keys.append(key)
            else:
                mended.append((dump_candidate(known._replace(evidence=evidence)), arrival))
    db.executemany("UPDATE urls SET record = ? WHERE arrival = ?", mended)
    return keys, len(mended)


def _mended_pages(db: Store, gone: Gone, of: int, told: Progress) -> Iterator[bool]:
    """Whether each of the pages that stay has said something of what goes."""
    names = [gone.host] if gone.host else [*gone.urls]
    needles = [name.encode() for name in names] if len(names) <= 50 else [b""]
    numbers = [number for (number,) in db.execute("SELECT number FROM pages ORDER BY number")]
    for done, number in enumerate(numbers, 1):
        told(done, of)
        seen, item = db.execute("SELECT seen, item FROM pages WHERE number = ?", (number,)).fetchone()
        written = unpack(item)[0] if item else b""
        text = unpack(seen)[0] + written
        if not any(needle in text for needle in needles):
            continue
        page = load_page(seen)
        mended = without_page(page, gone)
        now = _item(json.loads(written.decode("utf-8", "surrogatepass")), gone) if item else None
        packed = zlib.compress(json.dumps(now, ensure_ascii=False).encode("utf-8", "surrogatepass"), 1) if now else b""
        db.execute("UPDATE pages SET seen = ?, item = ? WHERE number = ?", (dump_page(mended), packed, number))
        yield mended != page


def _item(item: dict[str, Any], gone: Gone) -> dict[str, Any]:
    """An anchor is what the forgotten page has said. What stays is a page of ours: it has its URL."""
    kept: dict[str, Any] = without(item, gone)
    return kept | {
        "anchor": "" if gone(item.get("parent") or "") else item.get("anchor", ""),
        "final_url": kept.get("final_url") or item["url"],
    }


def _forget_marks(db: Store, path: Path, gone: Gone) -> None:
    """Which lines were heard when is told by their number."""
    if not path.is_file():
        return
    heard, at, kept = fact(db, HEARD, list), 0, []
    *lines, torn = path.read_bytes().split(b"\n")
    stays = [not any(map(gone, _strings(line))) for line in lines]
    for place in heard:
        at, (number, count) = at + place[1], place
        kept.append([number, sum(stays[at - count : at])])
    db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (HEARD, json.dumps(kept)))
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(b"".join(line + b"\n" for line, stay in zip(lines, stays, strict=True) if stay) + torn)
    part.replace(path)


def _strings(line: bytes) -> list[str]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return []
    return [value for value in found.values() if isinstance(value, str)] if isinstance(found, dict) else []


def _forget_copies(path: Path, keys: Sequence[bytes]) -> None:
    """What is known of how pages change."""
    if not path.is_file():
        return
    with closing(connect(path, str(path.resolve()))) as db:
        db.execute("PRAGMA secure_delete = ON")
        db.executemany("DELETE FROM copies WHERE key = ?", [(key,) for key in keys])
        _shrink(db)


def _shrink(db: Store) -> None:
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
