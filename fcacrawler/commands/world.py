"""``scrapy world info|serve WORLD``: what an offline web holds, and serving it over HTTP on loopback."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.config import read_config
from fcacrawler.app.how_far import HowFar
from fcacrawler.commands import OurCommand, plainly, say
from fcacrawler.evaluation.closed import Closed, closed, sample
from fcacrawler.evaluation.marked import tell_marks
from fcacrawler.evaluation.web import Fetcher
from fcacrawler.worlds import World, favours, open_world


class Command(OurCommand, ScrapyCommand):
    requires_project = False
    requires_crawler_process = False
    takes = "info|serve WORLD"
    does = "Show or serve an offline web: the demo web, or a folder with WARC files"
    more = (
        ". WORLD is demo, demo?pages=100000, a folder with WARC files (and labels.tsv, topics.toml, clicks.tsv.gz "
        "beside them), or one WARC file. 'info' shows what it holds. 'serve', or a WORLD alone, answers on "
        "127.0.0.1 as an HTTP proxy and by the Host header: http_proxy=http://127.0.0.1:8080 curl "
        "http://www.sportsdesk.test/"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--port", type=int, default=8080, help="port to serve on; 0: a free one (default: 8080)")
        parser.add_argument(
            "--unreliable", type=float, default=0.0, metavar="P", help="part of requests answered with 429 or 503"
        )

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        action, *names = args if args[:1] in (["info"], ["serve"]) else ["serve", *args]
        if len(names) != 1:
            raise UsageError("name one world: scrapy world info|serve demo, or a folder with WARC files")
        if not 0 <= opts.port < 65536 or not 0 <= opts.unreliable <= 1:
            raise UsageError("--port lies between 0 and 65535, --unreliable between 0 and 1")
        world = open_world(names[0], HowFar("indexing", "bytes"))
        if action == "info":
            tell_marks(world, Path(names[0]))
        with contextlib.closing(world):
            for note in world.notes:
                print(f"note: {note}", file=sys.stderr)
            if action == "info":
                self._show(world)
            else:
                self._serve(world, opts)

    def _serve(self, world: World, opts: argparse.Namespace) -> None:
        from fcacrawler.worlds.server import Server

        def ready(port: int) -> None:
            say(f"The world {world.name} answers on http://127.0.0.1:{port} (Ctrl-C ends it). For example:")
            print(f"  http_proxy=http://127.0.0.1:{port} curl {next(world.urls())}", flush=True)

        try:
            with contextlib.suppress(KeyboardInterrupt):
                asyncio.run(Server(world, opts.unreliable).run(opts.port, ready))
        except BrokenPipeError:
            raise
        except OSError as error:
            print(f"port {opts.port}: {error.strerror}; choose another one with --port", file=sys.stderr)
            self.exitcode = 2

    def _show(self, world: World) -> None:
        urls = list(world.urls())
        hosts = Counter(urlsplit(url).netloc for url in urls)
        labels = Counter(label for _, label in world.labels())
        say(f"world   {world.name}")
        say(f"pages   {len(urls):,} on {len(hosts):,} hosts")
        clicks = sum(1 for _ in world.clicks())
        say(f"clicks  {max(0, clicks - 1):,} lines" if clicks else "clicks  none")
        links = None if world.whole else self._closed(world, urls)
        say("\nhosts with most pages")
        for host, count in hosts.most_common(8):
            say(f"  {count:7,}  {host}{f', {_percent(links.of(host))} of its links' if links else ''}")
        if links and links.out:
            say("\nlinks to what is not recorded, by host")
            for host, count in links.out.most_common(8):
                say(f"  {count:7,}  {host}")
        say("\nlabels" if labels else "\nlabels: none")
        for label, count in labels.items():
            say(f"  {count:7,}  {label}")
        say("\ntopics" if world.topics else "\ntopics: none")
        for name, topic in world.topics.items():
            say(f"  {len(world.relevant(name)):7,}  {name}: -a topic={topic.words!r}, {len(topic.seeds)} seeds")

    def _closed(self, world: World, urls: list[str]) -> Closed:
        """What the links of a recorded web lead to; as it is told."""
        say(f"orders  {favours(world.orders) or 'its files do not tell which order has found these pages'}")
        looked_at = sample(urls)
        links = closed(Fetcher(world, read_config(self.settings or {}).page), looked_at, HowFar("Reading", "pages"))
        say(
            f"links   {_percent(links.share)} of {links.links.total():,} lead to what is recorded: "
            f"{_percent(links.share_within)} of those that stay on their host, {_percent(links.share_between)} of the "
            f"others ({len(looked_at):,} pages looked at)"
        )
        return links


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
