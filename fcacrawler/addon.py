"""Focuses a spider, ours or somebody else's: ``ADDONS = {"fcacrawler.addon.FocusedCrawl": 500}``.

The add-on reads the configuration once, puts our scheduler, pipelines, middleware and extensions in their places, and
holds the one crawl that they share.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from scrapy import cmdline
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.extensions.feedexport import FeedExporter
from scrapy.settings import BaseSettings
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import load_object

from fcacrawler.app.assembly import Parts, assemble
from fcacrawler.app.beginning import begin
from fcacrawler.app.config import Config, read_config
from fcacrawler.app.contact import UNKNOWN, goes_abroad, remembered, user_agent
from fcacrawler.app.process import set_up
from fcacrawler.downloads.browser_parts import SLOTS
from fcacrawler.downloads.hosts import Hosts
from fcacrawler.downloads.network import Network
from fcacrawler.downloads.world import world_settings
from fcacrawler.engines import Said
from fcacrawler.exporters import EXPORTERS
from fcacrawler.frontier.sqlite.copies import Copies
from fcacrawler.frontier.sqlite.store import forgets_items
from fcacrawler.outputs import OURS, STORAGES, added_to, are_named, check_outputs
from fcacrawler.page.documents import PDF, PdfReader
from fcacrawler.reading import Reader
from fcacrawler.semrank.keyword_context import KeywordContext
from fcacrawler.values.errors import BadOptions, FcaError

logger = logging.getLogger(__name__)

SETTINGS: dict[str, Any] = {
    "SCHEDULER": "fcacrawler.scheduler.FocusedScheduler",
    "CONCURRENT_ITEMS": 4,
    "TELNETCONSOLE_ENABLED": False,  # code execution on a port that nobody asked for
    "REMOTE_CONTROL_ENABLED": False,  # likewise
}
COMPONENTS: dict[str, dict[str, int | None]] = {
    "SPIDER_MIDDLEWARES": {"fcacrawler.middlewares.visits.Visits": 950},
    "DOWNLOADER_MIDDLEWARES": {
        "fcacrawler.middlewares.failures.Failures": 10,
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "fcacrawler.middlewares.robots.Robots": 100,
        "fcacrawler.middlewares.outages.Outages": 555,  # nearer to the network than Scrapy's retries, as the next are
        "fcacrawler.middlewares.refusals.Refusals": 560,
        "fcacrawler.middlewares.guard.Guard": 570,
        "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
        "fcacrawler.middlewares.refreshes.Refreshes": 580,
        "fcacrawler.middlewares.documents.Documents": 587,
        "fcacrawler.middlewares.javascript.JavaScript": 585,  # unpacked, and not yet sent elsewhere by its meta refresh
        "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
        "fcacrawler.middlewares.unpacking.Unpacking": 590,
        "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
        "fcacrawler.middlewares.redirects.Redirects": 600,
    },
    "ITEM_PIPELINES": {
        "fcacrawler.pipelines.Keywords": 100,
        "fcacrawler.pipelines.Keeping": 900,
    },
    "EXTENSIONS": {
        "fcacrawler.extensions.ending.Ending": 100,
        "fcacrawler.extensions.sitemaps.Sitemaps": 150,
        "fcacrawler.extensions.opinions.Opinions": 180,
        "fcacrawler.extensions.clicks.Clicking": 190,
        "fcacrawler.extensions.lessons.Lessons": 195,
        "fcacrawler.extensions.report.Report": 200,
        "fcacrawler.extensions.recorder.Recorder": 300,
        "fcacrawler.extensions.control.Control": 400,
        "fcacrawler.extensions.searchable.Searchable": 500,
    },
}
FEED_EXPORTER = {"scrapy.extensions.feedexport.FeedExporter": None, "fcacrawler.extensions.feeds.Feeds": 0}
FAILURE = "fca/failure"  # statistic: why a crawl could not go on
AT_HOME: dict[str, Any] = {"DOWNLOAD_DELAY": 0, "AUTOTHROTTLE_ENABLED": False, "CONCURRENT_REQUESTS_PER_DOMAIN": 8}


class Errands:
    """What a crawl does besides fetching links, and what may find more of them: it is not over before they are."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __bool__(self) -> bool:
        """Is there one under way?"""
        return bool(self._tasks)

    def begin(self, errand: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(errand)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def cancel(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()


class FocusedCrawl:
    """What the parts of a focused crawl share: its configuration and, once it is needed, its one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.config = Config()
        self.folder: Path | None = None  # JOBDIR
        self.introduced = True  # hosts are told who crawls them
        self.context = KeywordContext()
        self.errands = Errands()
        self.said: Said | None = None  # what search engines named before it began
        self.failure = ""  # why the crawl cannot go on
        self.failed_as = ""  # the reason with which it ends then

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FocusedCrawl:
        return cls(crawler)

    def update_settings(self, settings: BaseSettings) -> None:
        """Read the configuration; raises BadOptions, before the first request, with all that is wrong."""
        arguments = getattr(self.crawler.spider, "arguments", {})
        if self._looks and not self._ours:
            raise NotConfigured
        with self.refusing():
            self.config = read_config(settings, arguments)
        self.folder = Path(jobdir) if (jobdir := settings.get("JOBDIR")) else None
        with self.refusing():
            if self.config.run.usage and not settings.getbool("ROBOTSTXT_OBEY"):
                raise BadOptions([f"-a usage={self.config.run.usage}: needs ROBOTSTXT_OBEY=1, for owners say it there"])
            if PDF in self.config.page.wanted and not PdfReader.installed():
                raise BadOptions(["-a read=pdf: pypdf is not installed: pip install 'fcacrawler[pdf]'"])
            self._output(settings)
        self._introduce(settings)
        if "FCA_JS" not in settings and not self._ours:  # its callbacks expect what comes over the wire
            self.config = replace(self.config, browser=replace(self.config.browser, js="never"))
        settings.set("DOWNLOAD_SLOTS", {**SLOTS, **settings.getdict("DOWNLOAD_SLOTS")}, priority="project")
        if self.config.run.world:
            for name, value in {**AT_HOME, **world_settings()}.items():
                settings.set(name, value, priority="project")
        for name, value in SETTINGS.items():
            settings.set(name, value, priority="project")
        settings.set("REFERRER_POLICY", "strict-origin-when-cross-origin", priority="addon")
        settings.set("RETRY_GIVE_UP_LOG_LEVEL", "INFO", priority="addon")  # failures and statuses are told by us
        for name, components in COMPONENTS.items():
            for path, order in components.items():
                settings.setdefault_in_component_priority_dict(name, load_object(path), order)

    def _output(self, settings: BaseSettings) -> None:
        """Items go where their user wants them, pages of our spiders into a file of their own where nobody says so."""
        for name, more in (("FEED_EXPORTERS", EXPORTERS), ("FEED_STORAGES", STORAGES)):
            settings.set(name, {**more, **settings.getdict(name)}, priority="cmdline")
        named = are_named(settings) or not self._ours
        feeds = settings.getdict("FEEDS") if named else dict(OURS)
        adds = "://" in self.config.frontier.frontier or forgets_items(self.job)
        check_outputs(settings, feeds, dir(self.crawler.spider), adds)
        settings.set("FEEDS", added_to(feeds) if adds else feeds, priority="cmdline")
        mine = settings.getdict("EXTENSIONS")
        if not any(load_object(path) is FeedExporter for path in mine):  # nobody else has taken its place
            settings.set("EXTENSIONS", {**mine, **FEED_EXPORTER}, settings.getpriority("EXTENSIONS") or 0)

    @property
    def job(self) -> Path | None:
        """The folder with the crawl's store, if it has one."""
        return self.folder if self.config.frontier.frontier in ("", "sqlite") else None

    def _introduce(self, settings: BaseSettings) -> None:
        """Every host is told who crawls it, unless the project has a User-Agent of its own."""
        contact = self.config.manners.contact or remembered()
        self.introduced = contact is not None or has_user_agent(settings)
        if not has_user_agent(settings):
            settings.set("USER_AGENT", user_agent(contact or ""), priority="project")

    @property
    def _ours(self) -> bool:
        """Is it a spider of ours, and not somebody else's?"""
        return bool(getattr(self.crawler.spider, "focused", False))

    @property
    def _looks(self) -> bool:
        """Is nothing crawled, but a URL looked at? ``scrapy shell`` makes no spider, and ``scrapy fetch``, ``view`` and
        ``parse`` put a start of their own into one."""
        spider = self.crawler.spider
        return spider is None or type(spider).start.__module__.startswith("scrapy.commands.")

    @cached_property
    def parts(self) -> Parts:
        """The crawl and what reads pages for it."""
        run = self.config.run
        set_up()
        with self.refusing():
            agent = self.crawler.settings["USER_AGENT"]
            topic, self.said = begin(self.config, self.folder, agent, needs_seeds=self._ours and not self._looks)
            if not (self.introduced or run.world) and goes_abroad((*topic.seeds, *topic.examples)):
                logger.warning(UNKNOWN)
            return assemble(self.config, topic, self.folder)

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Scrapy's own commands show an error of an add-on as a traceback; who calls from a program gets the error."""
        try:
            yield
        except FcaError as error:
            if not any(frame.frame.f_code is cmdline.execute.__code__ for frame in inspect.stack(0)):
                raise
            refuse(error, self.crawler.settings)
            raise SystemExit(2) from None

    @contextmanager
    def using_frontier(self) -> Iterator[None]:
        """A frontier that fails in here ends the crawl."""
        try:
            yield
        except Exception as error:  # whatever it is: a crawl whose frontier does not answer would idle, or spin
            self.fail(error)

    def fail(self, error: Exception, reason: str = "store_failed") -> None:
        """The crawl ends, with this one message; ``scrapy crawl`` with an exit code that is not 0."""
        if not self.failure:
            self.tell_failure(error, reason)
            deferred_from_coro(self.crawler.engine.close_spider_async(reason=reason))

    def tell_failure(self, error: Exception, reason: str) -> None:
        """Of a crawl that is being opened, and ends as soon as it is idle, or is being closed."""
        if self.failure:
            return
        self.failed_as = reason
        self.failure = str(error) if isinstance(error, FcaError) else f"{type(error).__name__}: {error}"
        logger.error("the crawl ends: %s", self.failure)
        logger.debug("it ended here", exc_info=error)
        self.crawler.stats.set_value(FAILURE, self.failure)

    @cached_property
    def copies(self) -> Copies | None:
        """Of the pages of a crawl with a store; opened by whoever needs it first, closed by the scheduler."""
        return Copies(self.folder) if self.folder and self.parts.crawl.store else None

    @cached_property
    def hosts(self) -> Hosts:
        manners = self.config.manners
        return Hosts(self.crawler, replace(manners, crawl_delay=0.0) if self.config.run.world else manners)

    @cached_property
    def network(self) -> Network:
        return Network(self.crawler, self.config.manners, self.fail)

    @cached_property
    def reader(self) -> Reader:
        return Reader(self.config, self.parts)


def refuse(error: FcaError, settings: BaseSettings) -> None:
    """Tell why a crawl is not started: where its user looks, and in the log's file if there is one."""
    sys.stderr.write(f"The crawl was not started.\n{error}\n")
    if settings.get("LOG_FILE"):
        logger.error("The crawl was not started.\n%s", error)


def agent_of(settings: BaseSettings) -> str:
    """What others are told of who asks, before a crawl has settings of its own."""
    known: str = settings["USER_AGENT"]
    return known if has_user_agent(settings) else user_agent(settings.get("FCA_CONTACT") or remembered() or "")


def has_user_agent(settings: BaseSettings) -> bool:
    """Whether somebody has set a User-Agent."""
    return bool(settings.getpriority("USER_AGENT"))


def focus_of(crawler: Crawler) -> FocusedCrawl:
    """The add-on of a crawl; a component of ours without it is a mistake of the project's settings."""
    focus = crawler.get_addon(FocusedCrawl)
    if focus is None:
        raise RuntimeError('add ADDONS = {"fcacrawler.addon.FocusedCrawl": 500} to the project\'s settings')
    return focus
