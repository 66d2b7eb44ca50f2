"""Scrapy's scheduler over one ``Crawl``: a link leaves only when its host may be fetched now, so that all that waits
can still be ranked anew (late binding), and a lease ends only when nothing of its fetch is under way any more.

Why so: decision 001.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.asyncio import create_looping_call

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.app.process import OFTEN, give_back
from fcacrawler.crawl.flights import NOTHING_LEFT
from fcacrawler.crawl.traps import GONE
from fcacrawler.downloads.hosts import Alarm, wake
from fcacrawler.frontier import Entry
from fcacrawler.outputs import undone
from fcacrawler.page import canonical_url
from fcacrawler.requests import ENTRY, PUT_BACK, UNCOUNTED, Requests, Unwritable
from fcacrawler.revisits import begin, make_conditional
from fcacrawler.values.errors import BadRecord

logger = logging.getLogger(__name__)

T = TypeVar("T")

LONG = 30.0  # seconds: for a host that pauses for longer nothing below γ has to wait
STEPS = ("redirect_times", "retry_times", PUT_BACK)  # request meta: counts that rise with what becomes of a request


class FocusedScheduler(BaseScheduler):
    """``enqueue_request`` takes seeds, a foreign spider's requests, and retries and redirects of what is in flight;
    the links of our own pages reach the frontier as plain data, and become Requests only here, when they leave."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus
        self.hosts = focus.hosts
        self.crawl = focus.parts.crawl
        self._flights: dict[bytes, Request | None] = {}  # leased; None while its retry or redirect waits for its host
        self._responded: set[bytes] = set()
        self._undone: set[bytes] = set()  # those whose pages are not visited, or whose items not written
        self._onward: deque[Request] = deque()  # retries and redirects of what is in flight
        self._alarm = Alarm(crawler)
        self._unreadable: Exception | None = None  # why what was learned before is not known
        self._most_flights = crawler.settings.getint("CONCURRENT_REQUESTS") or 16

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FocusedScheduler:
        return cls(crawler, focus_of(crawler))

    def open(self, spider: Spider) -> None:
        self.requests = Requests(self.crawler, self.crawl.frontier, spider)
        self.crawler.signals.connect(self._response_received, signals.response_received)
        self.crawler.signals.connect(self._not_done, undone)
        if self.crawl.shared:
            self.crawl.shared.polite(self.hosts.pause, self.hosts.at_once())
        self._pulse = create_looping_call(self._beat)
        self._pulse.start(1.0, now=False)
        self._tidying = create_looping_call(give_back)
        self._tidying.start(OFTEN, now=False)
        try:
            self._go_on_from_before()
        except (
            Exception
        ) as error:  # whatever it is, told when a link is to leave: what is being opened cannot be closed
            self._unreadable = error

    def _go_on_from_before(self) -> None:
        """What earlier runs and other workers have learned is known."""
        self.focus.copies  # noqa: B018  # opened now, not when the first page has come
        recalled = self.crawl.recall(lambda page, verdict: self.focus.context.add(page.url, dict(page.keywords)))
        if recalled:
            logger.warning("the crawl goes on: %d pages of before are known", recalled)
        if marks := self.focus.parts.marks:
            self.crawl.mark(marks)
            logger.warning("%d marks are known", len(self.crawl.judge.marks))
        if again := begin(self.focus):
            logger.warning("%d of them are asked for again", again)

    def close(self, reason: str) -> None:
        for loop in (self._pulse, self._tidying):
            if loop.running:
                loop.stop()
        self._alarm.cancel()
        self.focus.network.close()
        with self.focus.using_frontier():
            self._land()
            for key in self._flights:
                self.crawl.released(key)
        with self.focus.using_frontier():
            self.crawl.close()
        with self.focus.using_frontier():
            if self.focus.copies is not None:
                self.focus.copies.close()

    def _beat(self) -> None:
        """Once a second: what happened is made durable and shared, whether or not links leave."""
        self._ask(self._sync, None)
        if self.crawl.shared:
            wake(self.crawler)

    def _sync(self) -> None:
        self._land()
        self.crawl.sync()

    # -- in

    def enqueue_request(self, request: Request) -> bool:
        return self._ask(lambda: self._enqueue(request), False)

    def _enqueue(self, request: Request) -> bool:
        try:
            if self._goes_on(request):
                return self._go_on(request, request.meta[ENTRY])
            candidate = self.requests.candidate(request)
        except Unwritable as error:
            self.crawler.stats.inc_value("fca/requests_refused")
            logger.error("%s is left out, workers cannot share it: %s", request, error)
            return False
        if self.crawl.frontier.knows(candidate.key) and not candidate.evidence:
            self.crawl.at_home_on([candidate.host])
            return False
        (self.crawl.add if candidate.evidence else self.crawl.seed)([candidate])
        return True

    def _goes_on(self, request: Request) -> bool:
        """Is it a retry or redirect of something in flight? (A spider that copies a response's meta makes none.)"""
        entry = request.meta.get(ENTRY)
        if not isinstance(entry, Entry):
            return False
        current = self._flights.get(entry.candidate.key)
        return current is not None and any(request.meta.get(count, 0) > current.meta.get(count, 0) for count in STEPS)

    def _go_on(self, request: Request, entry: Entry) -> bool:
        came_from = request.meta.get("redirect_urls", [""])[-1]
        if request.meta.get("download_slot") == urlsplit(came_from).hostname:  # where Scrapy leaves a redirect
            request.meta.pop("download_slot", None)
        host, known = self.hosts.of(request), entry.candidate
        away, cooling = host != known.host, self.hosts.left(host)
        if not known.depth:
            self.crawl.at_home_on([host])
        if self._led_astray(request, entry):
            return False
        if away and (cooling or self.crawl.shared):
            self._hand_over(request, entry)
        elif cooling or PUT_BACK in request.meta:
            del self._flights[known.key]
            self.crawl.released(known.key, counted=UNCOUNTED not in request.meta)
        else:
            self._flights[known.key] = None
            self._onward.append(request)
        return True

    def _led_astray(self, request: Request, entry: Entry) -> bool:
        """Is it a redirect to where no link would have been followed?"""
        url = canonical_url(request.url) or request.url
        return url != entry.candidate.url and not self.crawl.sieve.passes(
            url, self.hosts.of(request), entry.candidate.depth
        )

    def _hand_over(self, request: Request, entry: Entry) -> None:
        """A redirect to another host waits for its turn there: among all workers, or until the host's pause is over."""
        meta = {k: v for k, v in request.meta.items() if k not in (ENTRY, PUT_BACK, UNCOUNTED)}
        target, known = self.requests.candidate(request.replace(meta=meta)), entry.candidate
        target = target._replace(depth=known.depth, evidence=known.evidence)
        (self.crawl.add if target.evidence else self.crawl.seed)([target])

    # -- out

    def next_request(self) -> Request | None:
        return None if self.focus.failure else self._ask(self._next, None)

    def _next(self) -> Request | None:
        if self._unreadable is not None:
            raise self._unreadable
        self._land()
        if self.focus.network.away:
            return None
        free = self.hosts.free()
        for request in tuple(self._onward):
            if free(self.hosts.of(request)):
                self._onward.remove(request)
                self._flights[request.meta[ENTRY].candidate.key] = request
                return request
        if len(self._flights) >= self._most_flights:  # those that wait to be read count too: they may change the ranks
            return None
        while entry := self.crawl.next(free, self._awake):
            try:
                request = self.requests.of(entry)
                make_conditional(self.focus, request, entry.candidate.key)
            except BadRecord as error:
                logger.error("%s is left out: %s", entry.candidate.url, error)
                self.crawl.finished(entry.candidate.key, responded=False)
            else:
                self._flights[entry.candidate.key] = request
                return request
        self._alarm.set(min(self.hosts.wait(), self.crawl.shared.wait() if self.crawl.shared else math.inf))
        return None

    def _awake(self, host: str) -> bool:
        """Whether the host will be asked before long."""
        return self.hosts.left(host) <= LONG

    def has_pending_requests(self) -> bool:
        return not self.focus.failure and self._ask(self._has_more, False)

    def _has_more(self) -> bool:
        self._land()
        over = self.crawl.over()
        return bool(self._onward) or over is None or (over in NOTHING_LEFT and bool(self.focus.errands))

    def _ask(self, frontier: Callable[[], T], failed: T) -> T:
        """What is answered with the help of the frontier; ``failed``, and the crawl ends, if it does not answer."""
        try:
            return frontier()
        except Exception as error:  # whatever it is: a crawl whose frontier does not answer would idle, or spin
            self.focus.fail(error)
            return failed

    # -- what is in flight

    def _response_received(self, response: Response, request: Request) -> None:
        entry = request.meta.get(ENTRY)
        if entry is not None:
            self._responded.add(entry.candidate.key)
            if response.status in GONE and not self.crawl.revisits(entry.candidate.key):
                self.crawl.missing(entry.candidate.url)

    def _not_done(self, response: Response | None) -> None:
        entry = response.meta.get(ENTRY) if response is not None else None
        if entry is not None:
            self._undone.add(entry.candidate.key)

    def _land(self) -> None:
        """Finish the leases of which nothing is under way: neither download nor callback nor pipelines."""
        engine = self.crawler.engine
        scraping = engine.scraper.slot.active if engine.scraper.slot is not None else set()
        active = engine.downloader.active
        landed = [k for k, r in self._flights.items() if r is not None and r not in active and r not in scraping]
        while self.hosts.given_up:
            self.crawl.shut(*self.hosts.given_up.popitem())
        for key in landed:
            del self._flights[key]
            if key in self._undone:
                self._undone.discard(key)
                self.crawl.released(key)
            else:
                self.requests.forget(key)
                self.crawl.finished(key, key in self._responded)
            self._responded.discard(key)
