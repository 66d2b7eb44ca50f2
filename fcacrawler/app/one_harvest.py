"""A crawl in Redis and the files of its workers as one folder, that is read as a crawl's JOBDIR is; again and again.

    log of pages ─┐
    feeds ────────┼─► each URL once, the latest of page and item ─► crawl.sqlite ─► replayed: what is thought now
    links, marks ─┘

Why so: decision 365.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from itertools import islice
from math import inf
from pathlib import Path
from typing import NamedTuple

from fcacrawler.app.explain import Job
from fcacrawler.app.opinion import keep, opinion_of
from fcacrawler.frontier import anywhere, finite
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.records import LARGEST, are, load_page, read
from fcacrawler.frontier.redis.admin import Admin
from fcacrawler.frontier.sqlite.forgetting import DERIVED
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.frontier.sqlite.salvage import Salvage, checked
from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.items import PageItem, as_json
from fcacrawler.page import canonical_url, key_of, seen_page, simhash
from fcacrawler.values.errors import BadRecord, BadStore
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.pages import Page, SeenPage

FIELDS = frozenset(f.name for f in fields(PageItem))
TOGETHER = 1000  # links that are added at once
Progress = Callable[[int, int], None]  # pages, of how many


class Place(NamedTuple):
    """Where an item stands."""

    fetched: str
    file: Path
    offset: int


class Feeds:
    """The items in the files of workers, each URL once: as it was fetched last. Where they stand is known by heart."""

    def __init__(self, files: Sequence[Path], topic: str) -> None:
        """``topic``: files with items of another are refused."""
        self.places: dict[bytes, Place] = {}
        self.broken: Counter[Path] = Counter()
        self._first: dict[Path, int] = {}  # broken line
        for path in files:
            if not path.is_file():
                raise BadStore(f"{path} is no file: name the files that the workers write (-o FILE.jsonl)")
            self._read(path, topic)

    def _read(self, path: Path, topic: str) -> None:
        with path.open("rb") as file:
            offset = 0
            for n, line in enumerate(iter(lambda: file.readline(LARGEST), b""), 1):
                if line.strip():
                    try:
                        item = _item(line)
                    except BadRecord:
                        self.broken[path] += 1
                        self._first.setdefault(path, n)
                    else:
                        if item.topic != topic:
                            raise BadStore(
                                f"{path}: line {n} is of a crawl for {item.topic!r}, not {topic!r}: name the files of "
                                "this crawl's workers"
                            )
                        place, key = Place(item.fetched_at, path, offset), key_of(item.url).key
                        if place.fetched >= self.places.get(key, place).fetched:
                            self.places[key] = place
                offset += len(line)

    def item(self, key: bytes) -> PageItem | None:
        if (place := self.places.get(key)) is None:
            return None
        with place.file.open("rb") as file:
            file.seek(place.offset)
            return _item(file.readline(LARGEST))

    @property
    def told(self) -> list[str]:
        return [
            f"{path}: {n} lines are no items and are left out, the first is line {self._first[path]}. If its "
            "worker is still at work, gather again; else mend or delete them"
            for path, n in self.broken.items()
        ]


@dataclass(slots=True)
class Brought:
    """What gathering has changed in the folder, and what is there now."""

    new: int = 0
    changed: int = 0
    pages: int = 0
    without_item: int = 0
    without_page: int = 0  # of which only the items are known

    @property
    def told(self) -> list[str]:
        lines = []
        if self.without_item:
            lines.append(
                f"{self.without_item} pages have no item: name all workers' files; if one is at work, gather again"
            )
        if self.without_page:
            lines.append(
                f"{self.without_page} pages are not in Redis's log (any more: FCA_SHARED_PAGES); their items are here, "
                "their links are not. Gather more often, or let Redis keep more"
            )
        return lines


def gather(admin: Admin, folder: Path, feeds: Feeds, tell: Progress = lambda n, of: None) -> Brought:
    """What is there already stays, unless it is told otherwise now."""
    if not admin.told:
        raise BadStore(f"the crawl {admin.name!r} does not say how it was configured: let a worker join it once more")
    about = {name: admin.about[f"crawl.{name}"] for name in ("topic", "order")}
    crawl = {**about, "name in Redis": admin.name}
    with closing(SqliteFrontier(folder, FrontierOptions(), crawl, admin.told)) as frontier:
        with closing(Folder(frontier, folder)) as there:
            for entry in list(frontier):  # what waits is told anew
                frontier.forget(entry.candidate.key)
            brought = there.take(_logged(admin.pages()), feeds, admin, tell)
        links = admin.links()
        while some := list(islice(links, TOGETHER)):
            new = [entry for entry in some if not frontier.knows(entry.candidate.key)]
            frontier.add([entry.candidate for entry in new])
            frontier.update([(entry.candidate.key, entry.rank) for entry in new], 0)
        frontier.homes(admin.homes())
        for host, why in admin.status().unreached.items():
            frontier.shut(host, why)
        frontier.mark(admin.marks())
    return brought


def judge(folder: Path, tell: Progress = lambda n, of: None) -> None:
    """What is thought now of all that is there is kept beside it."""
    with closing(Job(folder, tell)) as job:
        keep(opinion_of(job.replayed(), job.topic.words), folder)


def _logged(records: Iterable[bytes]) -> dict[bytes, bytes]:
    """By the key of its URL the last record of each, in their order. The log is bounded."""
    found: dict[bytes, bytes] = {}
    for record in records:
        try:
            key = key_of(load_page(record).url).key
        except (BadRecord, ValueError):  # which workers tell of
            continue
        found.pop(key, None)
        found[key] = record
    return found


class Folder:
    """What is gathered, being added to."""

    def __init__(self, frontier: SqliteFrontier, folder: Path) -> None:
        self._frontier, self._folder = frontier, folder
        self._db = read_store(folder)
        self._salvage = Salvage(self._db)

    def close(self) -> None:
        self._db.close()

    def take(self, logged: dict[bytes, bytes], feeds: Feeds, admin: Admin, tell: Progress) -> Brought:
        """Pages that are told by their items only come first: what the log has dropped is older than what is in it."""
        brought, forgotten = Brought(), (admin.forgotten(), self._frontier.forgotten)
        alone = sorted(feeds.places.keys() - logged.keys(), key=feeds.places.__getitem__)
        for n, key in enumerate((*alone, *logged), 1):
            item, before = feeds.item(key), self._item(key)
            if item is None or (before is not None and before.fetched_at > item.fetched_at):
                item = before
            stored = self._frontier.page(key)
            page = load_page(logged[key]) if key in logged else stored or (_page_of(item) if item else None)
            if page is None or any((page.url, key_of(page.url).host) in some for some in forgotten):
                continue
            brought.without_page += item is not None and not page.links and item.out_links > 0
            if page != stored or item != before:
                self._put(key, page, item)
                brought.new, brought.changed = brought.new + (stored is None), brought.changed + (stored is not None)
            tell(n, len(alone) + len(logged))
        self._frontier.commit()
        for name in DERIVED if brought.changed else ():  # they know pages by their rows
            (self._folder / name).unlink(missing_ok=True)
        rows = self._db.execute("SELECT count(*), count(*) FILTER (WHERE item = x'') FROM pages").fetchone()
        brought.pages, brought.without_item = rows
        return brought

    def _item(self, key: bytes) -> PageItem | None:
        row = self._db.execute("SELECT arrival FROM urls WHERE key = ?", (key,)).fetchone()
        text = self._salvage.item(*row) if row else ""
        return _item(text.encode("utf-8", "surrogatepass")) if text else None

    def _put(self, key: bytes, page: SeenPage, item: PageItem | None) -> None:
        """As a crawl does it to which nothing else is known: so it has one row, at the end."""
        frontier = self._frontier
        if frontier.knows(key):
            frontier.forget(key)
        frontier.add([Candidate(key, page.url, key_of(page.url).host, page.depth, page.evidence)])
        frontier.update([(key, finite(item.rank_before_fetch) if item else 0.0)], 0)
        frontier.lease(anywhere, -inf)
        frontier.record(key, page)
        if item:
            frontier.keep(key, as_json(item))
        frontier.done(key)


def _page_of(item: PageItem) -> SeenPage:
    """What an item tells of its page: all but its links."""
    found = (Evidence(item.parent, item.anchor, "", 0, 0),) if item.parent else ()
    page = Page(
        item.url,
        item.final_url,
        item.title,
        item.language,
        item.text,
        (),
        description=item.description,
        canonical=item.canonical,
        content_hash=item.content_hash,
        simhash=simhash(item.text),
    )
    return seen_page(page, list(item.keywords.items()), item.depth, found)


def _item(line: bytes) -> PageItem:
    """As it was when its page came, though it stands in a file that was judged again since."""

    def made(told: dict[str, object]) -> PageItem:
        checked(told)
        now = {name: told[f"{name}_before"] for name in ("semrank", "relevant") if f"{name}_before" in told}
        item = PageItem(**{name: value for name, value in (told | now).items() if name in FIELDS})  # type: ignore[arg-type]
        if canonical_url(item.url) != item.url:
            raise ValueError(f"{item.url!r} is no canonical URL")
        are(str, item.text, item.description, item.canonical, item.content_hash)
        are(int, item.out_links)
        are(float, item.rank_before_fetch)
        are(dict, item.explanation)
        item.keywords = {word: float(weight) for word, weight in item.keywords.items()}
        return item

    return read(line.strip(), made)
