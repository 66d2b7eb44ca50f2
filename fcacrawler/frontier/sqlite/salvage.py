"""What can still be read of the pages in a crawl's file, also of one that is damaged; what cannot is left out and
counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from fcacrawler.frontier.records import are, load_page, read, unpack
from fcacrawler.frontier.sqlite.mark_log import marks_in
from fcacrawler.frontier.sqlite.store import Store, read_store
from fcacrawler.values.errors import BadRecord, BadStore
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage


class Salvage:
    """The pages and items of a crawl, in the order in which the pages were observed."""

    def __init__(self, db: Store) -> None:
        self._db = db
        self._damaged: set[int] = set()

    @property
    def damaged(self) -> int:
        """How many have been left out so far."""
        return len(self._damaged)

    def pages(self) -> Iterator[tuple[int, SeenPage]]:
        """By number."""
        for number, _ in self._rows():
            if (page := self.page_at(number)) is not None:
                yield number, page

    def page_at(self, number: int) -> SeenPage | None:
        """The page with this number, if it can be read."""
        try:
            return load_page(self._record(number, "seen"))
        except (BadRecord, BadStore):
            self._damaged.add(number)
            return None

    def items(self) -> Iterator[str]:
        """As JSON; of a page that was fetched again the last that can be read."""
        again = self._read("SELECT arrival FROM pages {} GROUP BY arrival HAVING count(*) > 1")
        fetched_again = {arrival for (arrival,) in again}
        for number, arrival in self._rows():
            item = self.item_at(number)
            if item and not (arrival in fetched_again and any(map(self.item_at, self._later(number, arrival)))):
                yield item

    def item(self, arrival: int) -> str:
        """That of a URL; "" if there is none."""
        numbers = sorted(self._later(-1, arrival), reverse=True)
        return next(filter(None, map(self.item_at, numbers)), "")

    def _rows(self) -> Iterator[tuple[int, int]]:
        return self._read("SELECT number, arrival FROM pages {} ORDER BY number")

    def _later(self, number: int, arrival: int) -> list[int]:
        later = "SELECT number FROM pages {} WHERE arrival = ? AND number > ?"
        return [n for (n,) in self._read(later, arrival, number)]

    def _read(self, query: str, *values: int) -> Iterator[Any]:
        """Numbers and arrivals stand in the table and in an index. If one of them is damaged, they are read in the
        other: who sorts has read all before the first answer."""
        try:
            yield from self._db.execute(query.format("INDEXED BY page_of"), values)
        except BadStore:
            yield from self._db.execute(query.format("NOT INDEXED"), values)

    def item_at(self, number: int) -> str:
        """That of the page with this number; "" if there is none."""
        try:
            record = self._record(number, "item")
            if not record:
                return ""
            item, _ = unpack(record)
            read(item, checked)
            return item.decode("utf-8", "surrogatepass")
        except (BadRecord, BadStore):
            self._damaged.add(number)
            return ""

    def _record(self, number: int, column: str) -> bytes:
        (record,) = self._db.execute(f"SELECT {column} FROM pages WHERE number = ?", (number,)).fetchone() or (None,)
        if not isinstance(record, bytes):
            raise BadRecord(f"not a record of ours: {record!r:.80}")
        return record


def checked(item: Any) -> None:
    """What every item has; KeyError or TypeError if this one has not."""
    are(dict, item, item["keywords"])
    are(str, *(item[name] for name in ("url", "final_url", "title", "language", "fetched_at", "anchor", "topic")))
    are(list, item["path"])
    are(int, item["status"], item["depth"])
    are(float, item["semrank"])
    are((str, type(None)), item["parent"])


def _marked(item: str, marks: Mapping[str, Mark]) -> str:
    fields = json.loads(item)
    mark = marks.get(fields["url"]) or marks.get(fields.get("duplicate_of") or "")
    if mark is None:
        return item
    word = mark.word if mark.good is not None else None
    return json.dumps({**fields, "mark": word}, ensure_ascii=False)


class Items:
    """The items of the crawl in a folder, as they are at this moment, with the marks of now."""

    def __init__(self, folder: Path) -> None:
        self.damaged = 0  # so many were left out when they were last read
        self._folder = folder

    def __iter__(self) -> Iterator[str]:
        marks = {mark.url: mark for mark in marks_in(self._folder)}
        with closing(read_store(self._folder)) as db:
            salvage = Salvage(db)
            for item in salvage.items():
                yield _marked(item, marks) if marks else item
            self.damaged = salvage.damaged

    @property
    def told(self) -> str:
        """What whoever reads them is to be told."""
        return f"{self.damaged} damaged items are left out" if self.damaged else ""
