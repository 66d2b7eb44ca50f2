"""``scrapy crawl``, with everything wrong with arguments and settings told in one message before the first request."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy import Spider
from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.crawler import Crawler

from fcacrawler.addon import FAILURE, agent_of, has_user_agent, refuse
from fcacrawler.app.assembly import check, check_order, check_store, world_of
from fcacrawler.app.beginning import abroad, begin_before, engines_of
from fcacrawler.app.config import Config, as_meant, declared
from fcacrawler.app.contact import ask, goes_abroad, remember, remembered
from fcacrawler.app.topics import read_topic
from fcacrawler.engines import Engine
from fcacrawler.extensions.control import check_path
from fcacrawler.spiders.focused import FocusedSpider
from fcacrawler.values.errors import BadOptions, FcaError, collected
from fcacrawler.values.names import nearest, nearest_of
from fcacrawler.values.topics import Topic
from fcacrawler.worlds.record import check_place


class Command(CrawlCommand):
    def long_desc(self) -> str:
        rows = [f"  -a {s.argument}=…  {s.meaning} (default {s.default!r})" for s in declared() if s.argument]
        names = ", ".join(s.name for s in declared() if not s.argument)
        return (
            "Run a spider of the project. A focused crawl: scrapy crawl WORDS --seeds URL,URL; or, as Scrapy has it, "
            "scrapy crawl semrank -a topic=WORDS -a seeds=URL,URL. "
            f"Arguments: {' '.join(' '.join(rows).split())}. Settings (-s NAME=VALUE): {names}; docs/use/settings.md."
        )

    def syntax(self) -> str:
        return "[options] SPIDER | TOPIC"

    def short_desc(self) -> str:
        return "Crawl for a topic (words, or a TOML file), or run a spider"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--seeds", metavar="URL,URL", help="where to start, or a file with a URL a line: -a seeds=")
        parser.add_argument("--pages", metavar="N", help="responses after which the crawl ends: -a pages=")
        parser.add_argument("--job", metavar="FOLDER", help="keep the crawl there, and go on with it: -s JOBDIR=")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        assert self.settings is not None
        opts.spargs |= {name: value for name in ("seeds", "pages") if (value := getattr(opts, name)) is not None}
        if opts.job:
            self.settings.set("JOBDIR", opts.job, priority="cmdline")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            args = self._spider_of(args, opts)
            self._preflight(args, opts)
        except FcaError as error:
            assert self.settings is not None
            refuse(error, self.settings)
            self.exitcode = 2
            return
        except KeyboardInterrupt:
            self.exitcode = 130
            return
        super().run(args, opts)
        if self._crawler.stats and self._crawler.stats.get_value(FAILURE):
            self.exitcode = 3

    def _spider_of(self, args: list[str], opts: argparse.Namespace) -> list[str]:
        """A topic is crawled for by the default spider. One word may also be a spider's name, written wrongly."""
        assert self.crawler_process
        names = self.crawler_process.spider_loader.list()
        if len(args) != 1 or args[0] in names:
            return args
        (said,) = args
        meant = " " in said or said.endswith(".toml") or opts.seeds or nearest_of(said, names) is None
        if not meant or "topic" in opts.spargs:
            raise BadOptions([f"spider {said!r} is unknown{nearest(said, names)} If it is a topic: --seeds"])
        opts.spargs["topic"] = said
        return ["semrank"]

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        self._crawler = super()._create_crawler(spidercls)
        return self._crawler

    def _preflight(self, args: list[str], opts: argparse.Namespace) -> None:
        """What the add-on will read, read now, where a mistake can still be answered without a traceback."""
        assert self.crawler_process
        loader = self.crawler_process.spider_loader
        if len(args) != 1:
            return  # Scrapy's own messages
        spider = loader.load(args[0])
        if not issubclass(spider, FocusedSpider):
            return
        problems: list[str] = []
        config = as_meant(self.crawler_process.settings, {**spider.defaults, **opts.spargs}, problems)
        topic = Topic("")
        with collected(problems):
            check(config)
        engines: tuple[Engine, ...] = ()
        with collected(problems):
            engines = engines_of(config)
        with collected(problems):
            topic = read_topic(config.run, world_of(config.run.world), needs_seeds=not engines)
        with collected(problems):
            if config.run.record:
                check_place(Path(config.run.record))
        with collected(problems):
            if config.run.control:
                check_path(Path(config.run.control))
        with collected(problems):
            spider.check(config)
        if problems:
            raise BadOptions(problems)
        check_order(config, topic)
        jobdir = self.crawler_process.settings.get("JOBDIR")
        check_store(config, topic, Path(jobdir) if jobdir else None)
        asked = () if topic.seeds or topic.examples else abroad(engines)
        if not config.run.world and goes_abroad((*topic.seeds, *topic.examples, *asked)):
            self._introduce(config)
        if asked:
            begin_before(config, Path(jobdir) if jobdir else None, agent_of(self.crawler_process.settings))

    def _introduce(self, config: Config) -> None:
        """Ask who runs the crawl, once, where there is somebody who can answer."""
        assert self.crawler_process
        settings = self.crawler_process.settings
        known = config.manners.contact or has_user_agent(settings) or remembered() is not None
        if known or not (sys.stdin.isatty() and sys.stderr.isatty()):
            return
        contact = ask(_answer, lambda text: print(text, file=sys.stderr))
        settings.set("FCA_CONTACT", contact, priority="cmdline")
        if problem := remember(contact):
            print(f"The answer is not remembered: {problem}", file=sys.stderr)


def _answer(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline()
