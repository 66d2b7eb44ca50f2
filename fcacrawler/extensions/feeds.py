"""Scrapy's feeds, of which nothing is lost: a crawl that goes on begins them with what its store holds, a page is done
only when its items are written, and what cannot be written ends the crawl.

Why so: decision 165.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from dataclasses import fields
from typing import Any
from urllib.parse import urlsplit

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.extensions.feedexport import FeedExporter, FeedSlot, StdoutFeedStorage
from scrapy.http import Response
from scrapy.utils.defer import ensure_awaitable

from fcacrawler.addon import focus_of
from fcacrawler.exporters import LINES
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.frontier.sqlite.store import holds_crawl
from fcacrawler.items import PageItem
from fcacrawler.outputs import undone
from fcacrawler.storages import Files, Harvest
from fcacrawler.values.errors import BadOutput, FcaError

FAILED = "outputs_failed"  # the reason for which a crawl ends then
logger = logging.getLogger(__name__)

_FIELDS = frozenset(f.name for f in fields(PageItem))


class Feeds(FeedExporter):
    """Takes the place of Scrapy's extension; what it is told has been read by ``outputs``."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.focus = focus_of(crawler)
        self.problem = ""  # why not everything has been written
        self.closed = asyncio.Event()
        self._anew = False  # feeds are being begun with what the store holds
        self._added_to: set[str] = set()  # feeds that may lack what the store holds
        self.lines: list[Files] = []  # of JSON lines, whole
        self._told: dict[str, str] = {}  # where items went → what is to be said of it

    def outputs(self) -> list[str]:
        """Where items went, as a user is told."""
        return [f"{place} ({more})" if more else place for place, more in self._told.items()]

    # -- at the beginning

    def open_spider(self, spider: Spider) -> None:
        super().open_spider(spider)
        if self.focus.job is None or not holds_crawl(self.focus.job):
            return
        growing = [slot for slot in self.slots if _grows(slot)]
        self.slots = [slot for slot in self.slots if slot not in growing]
        try:
            if self._begin_anew(Items(self.focus.job), spider):
                self._added_to = {slot.uri_template for slot in growing}
        except (OSError, FcaError) as error:
            places = ", ".join(map(_place, self.slots))
            for slot in self.slots:
                _give_up(slot)
            self.slots = growing = []
            self.focus.tell_failure(error if isinstance(error, FcaError) else self._failed(places, error), FAILED)
        finally:
            self.slots += growing

    def _begin_anew(self, items: Items, spider: Spider) -> int:
        """What the store holds comes first, so many items; a file takes its place when they stand in it."""
        self._anew, n = True, 0
        for slot in self.slots:
            _mark(slot)
        for n, item in enumerate(items, 1):  # noqa: B007
            known = {name: value for name, value in json.loads(item).items() if name in _FIELDS}
            super().item_scraped(PageItem(**known), spider)
        kept = []
        for slot in self.slots:
            _flush(slot)
            if isinstance(slot.storage, Files):
                kept += slot.storage.take_place(keeps=items.damaged > 0)
        if items.damaged:
            logger.warning("%s", f"{items.told}; what feeds have held is in {', '.join(kept)}" if kept else items.told)
        self._anew = False
        return n

    def _start_new_batch(self, *arguments: Any, **named: Any) -> FeedSlot:
        slot = super()._start_new_batch(*arguments, **named)
        if self._anew:
            _mark(slot)
        return slot

    # -- items

    def item_scraped(self, item: Any, spider: Spider, response: Response | None = None) -> None:
        """What is written has left the process; a page whose item is not stays undone."""
        if not self.problem:
            self._write(item, spider)
        if self.problem:
            self.crawler.signals.send_catch_log(undone, response=response)

    def _write(self, item: Any, spider: Spider) -> None:
        try:
            super().item_scraped(item, spider)
            for slot in self.slots:
                _flush(slot)
                if isinstance(slot.storage, Harvest):
                    slot.storage.point()
        except OSError as error:
            stuck = [slot for slot in self.slots if not _flushes(slot)] or self.slots
            self.focus.fail(self._failed(", ".join(map(_place, stuck)), error), FAILED)

    def _failed(self, place: str, error: Exception) -> BadOutput:
        """What is wrong, and what helps."""
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        goes_on = self.focus.job or self.focus.parts.crawl.shared
        remedy = "run the same command again: it goes on" if goes_on else "begin again, best with -s JOBDIR=jobs/NAME"
        self.problem = f"{place}: {why}. Make room or name another place, then {remedy}"
        return BadOutput(self.problem)

    # -- at the end

    async def close_spider(self, spider: Spider) -> None:
        try:
            await super().close_spider(spider)
        finally:
            self.closed.set()

    def _schedule_slot_close(self, slot: FeedSlot, spider: Spider) -> Any:
        """Files are closed at once; what goes elsewhere is on its way."""
        if slot.itemcount or (slot.store_empty and slot.batch_id == 1 and not self.problem):
            try:
                slot.start_exporting()
                self._finish(slot)
            except OSError as error:
                self.focus.tell_failure(self._failed(_place(slot), error), FAILED)
                _give_up(slot)
            self._told[_place(slot)] = self._said_of(slot)
            if slot.format in LINES and isinstance(slot.storage, Files) and "postprocessing" not in slot.feed_options:
                self.lines += [slot.storage] * (not self.problem)
        return super()._schedule_slot_close(slot, spider)

    def _said_of(self, slot: FeedSlot) -> str:
        if self.problem:
            return "not whole: see the message above"
        added_to = slot.uri_template in self._added_to and not isinstance(slot.storage, StdoutFeedStorage)
        return f"added to; all pages: scrapy export {self.focus.job}" if added_to else ""

    def _finish(self, slot: FeedSlot) -> None:
        slot.finish_exporting()
        slot.file = self._get_file(slot)
        slot.file.flush()
        if isinstance(slot.storage, Files):
            slot.storage.store(slot.file)

    async def _close_slot(self, slot: FeedSlot, spider: Spider) -> None:
        if slot.file is None:
            return
        kind = type(slot.storage).__name__
        try:
            await ensure_awaitable(slot.storage.store(slot.file))
        except Exception as error:  # whatever the library of a service raises
            self.focus.tell_failure(self._failed(_place(slot), error), FAILED)
            self._told[_place(slot)] = "not stored: see the message above"
        told = "failed" if self.problem else "success"
        self.crawler.stats.inc_value(f"feedexport/{told}_count/{kind}")
        await self.crawler.signals.send_catch_log_async(signals.feed_slot_closed, slot=slot)


def _grows(slot: FeedSlot) -> bool:
    """Whether it is added to what is there, which may be of other crawls too."""
    storage = slot.storage
    if isinstance(storage, Harvest | StdoutFeedStorage):
        return isinstance(storage, StdoutFeedStorage)
    return storage.grows if isinstance(storage, Files) else slot.feed_options.get("overwrite") is False


def _mark(slot: FeedSlot) -> None:
    if isinstance(slot.storage, Files):
        slot.storage.anew = True


def _flush(slot: FeedSlot) -> None:
    if slot.file is not None:
        slot.file.flush()


def _flushes(slot: FeedSlot) -> bool:
    try:
        _flush(slot)
    except OSError:
        return False
    return True


def _give_up(slot: FeedSlot) -> None:
    """What cannot be written is not tried again."""
    if slot.file is not None and isinstance(slot.storage, Files):
        with suppress(OSError):
            slot.file.close()
        slot.storage.give_up()
    slot.file = None


def _place(slot: FeedSlot) -> str:
    """Without passwords."""
    if isinstance(slot.storage, Files):
        return str(slot.storage.path)
    parts = urlsplit(slot.uri)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
