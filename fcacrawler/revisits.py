"""``-a refresh=DAYS``: pages of an earlier run are asked for again, on condition that they have changed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http import Response

from fcacrawler.crawl.traps import GONE
from fcacrawler.frontier import Entry
from fcacrawler.frontier.sqlite.copies import Copy
from fcacrawler.items import PageItem

if TYPE_CHECKING:
    from fcacrawler.addon import FocusedCrawl

COPY = "fca_copy"  # request meta: what is known of the page that is asked for again
UNCHANGED = 304


def begin(focus: FocusedCrawl) -> int:
    """Those due wait again, above γ; how many they are. The budget is from now on that of this run."""
    crawl, days = focus.parts.crawl, focus.config.run.refresh
    if not days or focus.copies is None:
        return 0
    gamma = crawl.options.gamma
    due = focus.copies.due(time(), days)
    if crawl.options.pages:
        crawl.retune(pages=crawl.options.pages + crawl.fetched)
    return crawl.again([(key, gamma + (1 - gamma) * worth) for key, worth in due])


def make_conditional(focus: FocusedCrawl, request: Request, key: bytes) -> None:
    """If the link is one that is asked for again."""
    if focus.copies is None or not focus.parts.crawl.revisits(key):
        return
    copy = focus.copies.get(key)
    if copy is None:
        return
    focus.copies.looked(key, time())
    request.meta[COPY] = copy
    request.meta["handle_httpstatus_list"] = [UNCHANGED, *GONE]
    for name, value in (("If-None-Match", copy.etag), ("If-Modified-Since", copy.modified)):
        if value:
            request.headers[name] = value


def as_before(focus: FocusedCrawl, response: Response, entry: Entry) -> PageItem | None:
    """The item of a page that its server says is as it was, or is gone: what was read of it, marked with the time. The
    store keeps the mark, and whether it is taken away."""
    key = entry.candidate.key
    item = focus.copies.item(key) if focus.copies is not None else None
    if item is None:
        return None
    now, was = datetime.now(UTC).isoformat(timespec="seconds"), json.loads(item)
    since = was.get("gone")
    gone = (since or now) if response.status in GONE else None
    told = {**was, "status": response.status, "fetched_at": now, "changed": bool(gone) != bool(since), "gone": gone}
    if told["changed"] and (store := focus.parts.crawl.store):
        store.keep(key, json.dumps(told, ensure_ascii=False))
    return PageItem(**told)


def has_changed(response: Response, content_hash: str) -> bool | None:
    """None for a page that was not asked for again."""
    copy: Copy | None = response.meta.get(COPY)
    return None if copy is None else copy.content_hash != content_hash


def copy_of(response: Response, content_hash: str, rank: float) -> Copy:
    """What is to be known of a page that has been visited."""
    etag, modified = ((response.headers.get(h) or b"").decode("latin-1")[:1000] for h in ("ETag", "Last-Modified"))
    return Copy(etag, modified, content_hash, rank, time(), time())
