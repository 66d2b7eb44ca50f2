"""``scrapy frontier status|top|dead|split|clear CRAWL``: a look into a crawl that workers share in Redis, or a cut."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.how_far import HowFar
from fcacrawler.commands import OurCommand, plainly, say

if TYPE_CHECKING:
    from fcacrawler.frontier.redis.admin import Admin, Status

ACTIONS = ("status", "top", "dead", "split", "clear")
MOST = 1024  # parts
HERE = 60  # seconds of silence after which a worker counts as gone


class Command(OurCommand, ScrapyCommand):
    takes = f"[options] {'|'.join(ACTIONS)} CRAWL"
    does = "Look into a crawl in Redis, cut it into more parts or fewer, or clear it away"
    more = ". The Redis is that of -s FCA_FRONTIER=URL; CRAWL is FCA_CRAWL or the topic's name."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-n", type=int, default=20, help="how many of the best top shows (default: 20)")
        parser.add_argument("--parts", type=int, metavar="N", help="into how many parts split cuts the crawl")
        parser.add_argument("--force", action="store_true", help="clear or split although workers are at it: they end")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from fcacrawler.frontier.redis.admin import Admin

        assert self.settings is not None
        if len(args) != 2 or args[0] not in ACTIONS:
            raise UsageError(f"say what and of which crawl: {self.syntax()}")
        if (args[0] == "split") != (opts.parts is not None) or (opts.parts is not None and not 1 <= opts.parts <= MOST):
            raise UsageError(f"split, and nothing else, takes --parts N: into how many parts, 1 to {MOST}")
        url = self.settings.get("FCA_FRONTIER") or ""
        if "://" not in url:
            raise UsageError("say in which Redis: -s FCA_FRONTIER=redis://HOST:6379/0")
        with closing(Admin(url, args[1])) as admin:
            self._act(args[0], admin, opts)

    def _act(self, action: str, admin: Admin, opts: argparse.Namespace) -> None:
        if action == "status":
            say("\n".join(told(admin.status())))
        elif action == "split":
            self._split(admin, opts)
        elif action == "clear":
            active = [w.name for w in admin.status().workers if w.silent < HERE]
            if active and not opts.force:
                print(f"workers are at it: {', '.join(active)}; --force clears nevertheless", file=sys.stderr)
                self.exitcode = 1
                return
            say(f"{admin.clear()} keys of {admin.name} are gone")
        else:
            for entry in admin.top(max(0, opts.n)) if action == "top" else admin.dead():
                say(f"{entry.rank:.4f}  {entry.candidate.url}  ({entry.attempts} attempts)")

    def _split(self, admin: Admin, opts: argparse.Namespace) -> None:
        from fcacrawler.frontier.redis.cutting import cut
        from fcacrawler.page import key_of

        was, parts = len(admin.parts), opts.parts
        done = cut(admin, parts, opts.force, lambda url: key_of(url).host, HowFar("cutting", "links"))
        if was == parts:
            say(f"{admin.name} is cut into {was} already")
        else:
            say(f"{admin.name} was cut into {was}, is cut into {parts}: {done.links} links, {done.pages} pages")
            say(f"its workers go on with FCA_PARTS={parts}")


def told(status: Status) -> list[str]:
    counts = status.counts
    lines = [f"{name.removeprefix('crawl.')}: {value}" for name, value in sorted(status.about.items())]
    above = counts.get("above", 0)
    lines.append(
        f"wait: {counts.get('waiting', 0)} ({above} above γ), on {status.hosts} hosts, {status.parked} not now"
    )
    lines.append(f"under way: {status.leased}")
    rest = ", ".join(f"{counts.get(name, 0)} {name}" for name in ("fetched", "done", "dead", "evicted"))
    found = sum(counts.get(name, 0) for name in ("waiting", "leased", "done", "dead", "evicted"))
    lines.append(f"so far: {found} found, {rest}")
    lines += [f"not reached: {host}: {why}" for host, why in sorted(status.unreached.items())]
    lines += [f"worker {w.name}: here {w.silent:.0f} s ago, learned {w.learned} pages" for w in status.workers]
    return lines
