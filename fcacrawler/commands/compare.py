"""``scrapy compare WORLD``: which order finds most, at what cost, on a recorded web."""

from __future__ import annotations

import os
import shlex
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.config import read_config
from fcacrawler.commands import as_long_as_read
from fcacrawler.evaluation.clicks import ClickLog
from fcacrawler.evaluation.comparison import crawl_all, office, read_pages
from fcacrawler.evaluation.judgement import MEASURES, Row, judgements, tabled
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.output import write_curves, write_fetches, write_judgements, write_results
from fcacrawler.evaluation.plan import GOOD, HUB, Graph, Run, parse_budget, starts
from fcacrawler.evaluation.report import Story, write_report
from fcacrawler.evaluation.run import NAMES
from fcacrawler.evaluation.standings import Standing, record, sentence, standings
from fcacrawler.evaluation.web import Fetcher
from fcacrawler.values.errors import BadOptions, FcaError
from fcacrawler.values.names import nearest
from fcacrawler.worlds import find_topic, open_world

GAMMAS = tuple(k / 10 for k in range(1, 11))  # *Du & Hai 2013, §4*
SWEPT = ("semrank-2013", "semrank-2007", "formica")  # where γ decides what is expanded
BASELINE = "mean-parent"
SHORT = ("P", "R", "F1", "AP", "ROC", "ECE")  # the judge's measures
USUAL = tuple(name for name in NAMES if name != "ontology")  # that one works for topics of its ontology only


class Command(ScrapyCommand):
    requires_project = True
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012

    def syntax(self) -> str:
        return "WORLD [options]"

    def short_desc(self) -> str:
        return "Compare crawl orders on a recorded web: demo, or a folder with WARC files and labels"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--topics", default="all", help="topics of the world, with commas between (default all)")
        those = f"orders, with commas between, of {','.join(NAMES)} (default all but ontology)"
        parser.add_argument("--orders", default="all", help=those)
        parser.add_argument("--seeds-sets", type=int, default=3, help="sets of seeds a topic (default 3)")
        seeds = "good: pages of the topic; hub: pages off the topic that link to it, or the home page (default good)"
        parser.add_argument("--seeds", default=GOOD, choices=[GOOD, HUB], help=seeds)
        parser.add_argument("--judge", action="store_true", help="tell how good the judge was, by topic")
        parser.add_argument("--budget", default="4R", help="fetches a crawl: a number, or a multiple of R (default 4R)")
        parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="processes (default one a processor)")
        parser.add_argument("--out", default="", help="folder to write to (default out/compare-WORLD)")
        parser.add_argument("--seed", type=int, default=0, help="of what is drawn at random (default 0)")
        parser.add_argument("--baseline", default="", help=f"order to hold the others against (default {BASELINE})")
        parser.add_argument("--sweep", choices=["gamma"], help="crawl with each γ of 0.1 … 1.0")

    @as_long_as_read
    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 1:
            raise UsageError("give one world, as in: scrapy compare demo")
        try:
            self._compare(args[0], opts)
        except FcaError as error:
            raise UsageError(str(error), print_help=False) from error
        except KeyboardInterrupt:
            print("\nStopped. What has been crawled is kept: the same command goes on from there.", file=sys.stderr)
            self.exitcode = 130

    def _compare(self, name: str, opts: Namespace) -> None:
        config = read_config(self.settings or {})
        orders = chosen("--orders", opts.orders, SWEPT if opts.sweep and opts.orders == "all" else USUAL, NAMES)
        baseline = opts.baseline or (BASELINE if BASELINE in orders else orders[0])
        chosen("--baseline", baseline, orders, orders)
        parse_budget(opts.budget)
        if opts.seeds_sets < 1 or opts.jobs < 1:
            raise BadOptions(["--seeds-sets and --jobs must be at least 1"])
        world = open_world(name, Told("Indexing", "bytes"))
        topics = [find_topic(world, t).name for t in named(opts.topics, list(world.topics))]
        if not topics:
            raise BadOptions([f"the world {world.name!r} has no topics: give it labels.tsv (url, topic)"])
        for note in world.notes:
            print(f"note: {note}", file=sys.stderr)
        out = Path(opts.out or f"out/compare-{world.name.partition('?')[0]}")
        out.mkdir(parents=True, exist_ok=True)
        library = Library(library_path(name, config.page))
        with office(name, config, opts.jobs) as pool:
            read_pages(pool, library, list(world.urls()), Told("Reading", "pages"))
            graph = Graph(library, Fetcher(world, config.page))
            log = ClickLog(library.path)
            if not log.known:
                log.learn(world.clicks(), ((a, b) for a in graph.links for b in graph.onward(a)))
            plan = starts(world, graph, topics, opts.seeds_sets, opts.budget, opts.seed, opts.seeds)
            gammas = GAMMAS if opts.sweep else (config.crawl.gamma,)
            runs = [Run(start, order, gamma) for start in plan for order in orders for gamma in gammas]
            results = crawl_all(pool, runs, name, config, out, Told("Crawling", "crawls"))
        records = [record(world.name, done) for done in results]
        write_results(out, records)
        rows = judgements(results)
        write_judgements(out, rows)
        write_fetches(out, results)
        write_curves(out, results)
        if opts.sweep:
            records = [{**r, "order": f"{r['order']} γ={r['gamma']:g}"} for r in records]
            baseline = f"{baseline} γ={gammas[0]:g}"
        table = standings(records, baseline, opts.seed)
        said = sentence(world.name, table, baseline)
        command = shlex.join(["scrapy", "compare", *sys.argv[1:]])
        write_report(out, Story(world.name, said, command, baseline, table, results))
        print(shown(table, baseline))
        if opts.judge:
            print("".join(judged(rows, order) for order in orders))
        print(said)
        print(f"Written to {out}: report.html, results.json, judge.json, curves.csv, fetches, figures")


def named(text: str, known: list[str]) -> list[str]:
    """The names that an option gives: all of them, or those between its commas, each once."""
    return known if text == "all" else list(dict.fromkeys(n.strip() for n in text.split(",") if n.strip()))


def chosen(option: str, text: str, all_: tuple[str, ...] | list[str], known: tuple[str, ...] | list[str]) -> list[str]:
    """The orders that an option names."""
    names = named(text, list(all_))
    problems = []
    for name in names:
        if name not in known:
            problems.append(f"{option}: order {name!r} is unknown{nearest(name, known)}")
    if problems or not names:
        raise BadOptions(problems or [f"{option}: no order is given; known: {', '.join(known)}"])
    return names


def shown(table: list[Standing], baseline: str) -> str:
    """The standings as a table."""
    head = f"{'order':16s} {'AUC':>6s} {'h@R':>6s} {'h@4R':>6s} {'rec@4R':>6s} {'best F':>6s} {'ms/page':>7s}"
    lines = [f"{head}  AUC against {baseline} (95 % interval), topics won"]
    for s in table:
        values = [s.means[name] for name in ("auc", "harvest_at_r", "harvest_at_4r", "recall_at_4r", "best_f")]
        row = f"{s.order:16s} " + " ".join("     –" if v is None else f"{v:6.3f}" for v in values)
        row += "       –" if s.cpu is None else f" {s.cpu:7.2f}"
        if (d := s.difference) is not None:
            row += f"  {d.mean:+.3f} ({d}), {s.won} of {len(s.by_topic)}"
        lines.append(row)
    return "\n".join(lines)


def judged(rows: list[Row], order: str) -> str:
    """How good the judge was on the pages of an order, as a table."""
    lines = [f"The judge, pages of {order}", f"{'topic':24s} {'judged':6s} " + " ".join(f"{n:>6s}" for n in SHORT)]
    for topic, moment, values in tabled(rows, order):
        cells = " ".join("     –" if (v := values[name]) is None else f"{v:6.3f}" for name in MEASURES)
        lines.append(f"{topic[:24]:24s} {moment:6s} {cells}")
    return "\n".join(lines) + "\n"


class Told:
    """Progress on standard error: one line that is written over on a terminal, else a line every ten seconds."""

    def __init__(self, what: str, unit: str) -> None:
        self._what, self._unit = what, unit
        self._began = self._told = time.monotonic()
        self._first: int | None = None

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first, self._began = done, now
        live = sys.stderr.isatty()
        if now - self._told < (0.2 if live else 10) and done < of:
            return
        self._told = now
        fresh = done - self._first
        left = (now - self._began) / fresh * (of - done) if fresh else None
        estimate = "" if left is None or done == of else f", about {self._clock(left)} left"
        text = f"{self._what}: {done:,} of {of:,} {self._unit}{estimate}"
        print(
            f"\r\033[K{text}" if live else text, end="\n" if not live or done == of else "", file=sys.stderr, flush=True
        )

    @staticmethod
    def _clock(seconds: float) -> str:
        return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
