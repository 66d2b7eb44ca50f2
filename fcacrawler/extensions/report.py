"""Shows how the crawl goes: on a terminal, in lines, and in a summary."""

from __future__ import annotations

import logging
from collections import deque
from time import monotonic, process_time
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.httpobj import urlparse_cached

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.app.beginning import told as told_of_engines
from fcacrawler.app.log_lines import log_json
from fcacrawler.app.progress import REMEDY, Snapshot, Summary, Visit, clean, ended, line, summary, view
from fcacrawler.app.screen import LiveView, Screen, as_text
from fcacrawler.browser import told
from fcacrawler.extensions.feeds import Feeds
from fcacrawler.extensions.left_out import left_out
from fcacrawler.extensions.lessons import fetched
from fcacrawler.extensions.opinions import Opinions
from fcacrawler.items import PageItem
from fcacrawler.requests import ENTRY
from fcacrawler.semrank.cover import cover

logger = logging.getLogger(__name__)

PACES = {"live": 0.5, "lines": 5.0, "log": 60.0, "off": 60.0}  # seconds between two looks at the crawl
FIRST = 5  # pages that the summary names


class Report:
    """Live view on a terminal, else a line now and then, there or in the log's file; a summary at the end; the same
    figures in the stats."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus
        self.screen = Screen()
        self.log_file = bool(crawler.settings.get("LOG_FILE"))
        self.shown = focus.config.run.progress
        if self.shown == "auto":
            self.shown = "live" if self.screen.is_terminal else "log" if self.log_file else "lines"
        self.live: LiveView | None = None
        self.started = monotonic()
        self.cpu_at_start = process_time()
        self.visits: deque[Visit] = deque(maxlen=8)
        self.hosts: set[str] = set()  # that have answered
        self.before = self.answers = 0  # pages of earlier runs and other workers; responses of this one
        self.unread: set[str] = set()  # examples
        self.doubted: set[str] = set()  # seeds of which the user has been told

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Report:
        report = cls(crawler, focus_of(crawler))
        crawler.signals.connect(report.spider_opened, signals.spider_opened)
        crawler.signals.connect(report.response_received, signals.response_received)
        crawler.signals.connect(report.item_scraped, signals.item_scraped)
        crawler.signals.connect(report.spider_closed, signals.spider_closed)
        return report

    def spider_opened(self, spider: Spider) -> None:
        if self.focus.config.run.log_lines == "json":
            log_json()  # before, Scrapy makes its handler more than once
        self.started, self.cpu_at_start = monotonic(), process_time()
        self.before = self.focus.parts.crawl.fetched
        self.unread.update(self.focus.parts.topic.examples)
        if self.shown == "live":
            self.live = LiveView(self.screen)
        self.ticks = create_looping_call(self._tick)
        self.ticks.start(PACES[self.shown], now=False)

    def response_received(self, response: Response, request: Request) -> None:
        if ENTRY in request.meta:
            self.answers += 1
            self.hosts.add(urlparse_cached(request).hostname or "")

    def item_scraped(self, item: Any, spider: Spider) -> None:
        if isinstance(item, PageItem):
            self.unread.discard(item.url)
            self.visits.appendleft(Visit(item.url, item.title, item.rank_before_fetch, item.semrank, item.relevant))

    def _tick(self) -> None:
        with self.focus.using_frontier():
            if self.shown != "off":
                self._show(self.snapshot())
            self._doubt()

    def _doubt(self) -> None:
        """Tell of seeds that do not look like the topic, each once."""
        for url, why in self.focus.parts.crawl.judge.doubted.items():
            if url not in self.doubted:
                self.doubted.add(url)
                logger.warning("the seed %s does not look like the topic (%s): %s", clean(url, 200), why, REMEDY)

    def _show(self, now: Snapshot) -> None:
        if self.live is not None:
            self.live.show(view(now, self.screen.width))
        elif self.shown == "lines":
            self.screen.show(line(now))
        else:
            logger.warning("%s", line(now))

    def snapshot(self) -> Snapshot:
        crawl, config = self.focus.parts.crawl, self.focus.config
        return Snapshot(
            topic=self.focus.parts.topic.words,
            order=config.run.order,
            gamma=crawl.options.gamma,
            budget=crawl.options.pages,
            seconds=monotonic() - self.started,
            pages=crawl.fetched,
            here=self.answers if crawl.frontier.shared else crawl.fetched - self.before,
            relevant=crawl.thought().finds,
            came_relevant=crawl.harvest.relevant,
            sizes=crawl.sizes(),
            harvest=crawl.harvest.rates(),
            recent=crawl.harvest.lately(),
            completeness=crawl.verdicts.completeness,
            visits=tuple(self.visits),
            hosts=len(self.hosts),
            pausing=self.focus.hosts.pausing(),
            below=crawl.flights.tunnel.pages,
            below_relevant=crawl.flights.tunnel.relevant,
            tunnel=config.crawl.tunnel,
        )

    async def spider_closed(self, spider: Spider, reason: str) -> None:
        if (opinions := self.crawler.get_extension(Opinions)) is not None:
            await opinions.closed.wait()  # what comes of feeds is told too
        if self.ticks.running:
            self.ticks.stop()
        if self.live is not None:
            self.live.stop()
        self._doubt()
        told = self.summary(reason)
        self._keep(told)
        if self.shown in ("live", "lines"):
            self.screen.show(summary(told))
        if self.shown != "off" and self.log_file:
            logger.warning("the crawl has ended\n%s", as_text(ended(told)))

    def summary(self, reason: str) -> Summary:
        at, crawl = self.snapshot(), self.focus.parts.crawl
        pages = max(1, at.here)
        cpu = self.focus.reader.cpu
        fetching = process_time() - self.cpu_at_start - sum(cpu.values())
        steps = {"fetching": fetching, "parsing": cpu["parsing"], "ranking": cpu["ranking"]}
        return Summary(
            snapshot=at,
            reason=reason,
            cpu_ms={name: 1000 * seconds / pages for name, seconds in steps.items()},
            concepts=self.focus.context.top_concepts(self._relevant),
            first=self._first(),
            errors=left_out(self.crawler, self.focus),
            outputs=self._outputs(),
            browser=told(self.crawler.stats.get_stats()),
            engines=self._engines(),
            doubted=crawl.judge.doubted,
            language=crawl.judge.profile.language,
            translated=crawl.judge.profile.translated,
            held_back=self._held_back(),
            unread=sorted(url for url in self.unread if crawl.judge.relevance(url) is None),
        )

    def _held_back(self) -> int:
        judge, gamma = self.focus.parts.crawl.judge, self.focus.config.crawl.gamma
        return int(((judge.guesses() > gamma) & (judge.relevances() <= gamma)).sum())

    def _outputs(self) -> list[str]:
        """Where items went, and where they are judged once more."""
        feeds, opinions = self.crawler.get_extension(Feeds), self.crawler.get_extension(Opinions)
        judged = opinions.judged if opinions is not None else {}
        told = [f"{path} (the same pages as they are judged now; {said})" for path, said in judged.items()]
        return [*(feeds.outputs() if feeds is not None else ()), *told]

    def _engines(self) -> list[str]:
        said = self.focus.said
        return told_of_engines(said, fetched(self.focus)) if said is not None else []

    def _first(self) -> list[str]:
        """Pages to look at first, of the latest that the context holds."""
        intents, rank = self.focus.context.intents, self.focus.parts.crawl.judge.relevance
        pages = list(filter(self._relevant, intents))
        ranks, keywords = [rank(url) or 0.0 for url in pages], [sorted(intents[url]) for url in pages]
        return [pages[i] for i in cover(ranks, keywords, FIRST)]

    def _relevant(self, url: str) -> bool:
        return (self.focus.parts.crawl.judge.relevance(url) or 0.0) > self.focus.parts.crawl.options.gamma

    def _keep(self, told: Summary) -> None:
        stats, at = self.crawler.stats, told.snapshot
        stats.set_value("fca/pages", at.pages)
        stats.set_value("fca/relevant", at.relevant)
        stats.set_value("fca/below_gamma", at.below)
        stats.set_value("fca/reason", told.reason)
        if at.completeness is not None:
            stats.set_value("fca/recall", at.completeness.share)
        for rule, links in self.focus.parts.crawl.sieve.dropped.items():
            stats.set_value(f"fca/dropped/{rule}", links)
        for name, ms in told.cpu_ms.items():
            stats.set_value(f"fca/cpu_ms_per_page/{name}", round(ms, 3))
