"""``scrapy compare WORLD``: which order finds most, at what cost, on a recorded web."""

from __future__ import annotations

import os
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.config import read_config
from fcacrawler.app.how_far import HowFar
from fcacrawler.commands import OurCommand, plainly
from fcacrawler.evaluation.clicks import NONE, OWN, PERMUTED, ClickLog
from fcacrawler.evaluation.comparison import crawl_all, office, read_pages
from fcacrawler.evaluation.judgement import MEASURES, Values, judgements, labels_of, summed_up, tabled
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.marked import tell_marks
from fcacrawler.evaluation.measures import HOST_PAGES
from fcacrawler.evaluation.output import write_curves, write_fetches, write_judgements, write_results
from fcacrawler.evaluation.plan import FETCH, GOOD, HUB, LABELS, LEAVE, OPINION, Graph, Run, parse_budget, starts
from fcacrawler.evaluation.run import NAMES
from fcacrawler.evaluation.standings import Standing, record, sentence, standings, unknown
from fcacrawler.evaluation.user import MARKING
from fcacrawler.evaluation.web import Fetcher
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.extras import need
from fcacrawler.values.names import nearest
from fcacrawler.worlds import favours, find_topic, open_world

GAMMAS = tuple(k / 10 for k in range(1, 11))  # *Du & Hai 2013, §4*
SWEPT = ("semrank-2013", "semrank-2007", "formica")  # where γ decides what is expanded
BASELINE = "mean-parent"
SHOWN = {
    "auc": "AUC",
    "harvest_at_r": "h@R",
    "harvest_at_4r": "h@4R",
    "recall_at_4r": "rec@4R",
    "best_f": "best F",
    "hosts_at_r": "hosts",
    "host_harvest": "h/host",
}
SHORT = ("P", "R", "F1", "AP", "ROC", "ECE")  # the judge's measures
USUAL = tuple(name for name in NAMES if name != "ontology")  # that one works for topics of its ontology only


class Command(OurCommand, ScrapyCommand):
    takes = "WORLD [options]"
    does = "Compare crawl orders on a recorded web: demo, or a folder with WARC files and labels"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--topics", default="all", help="topics of the world, with commas between (default all)")
        those = f"orders, with commas between, of {','.join(NAMES)} (default all but ontology)"
        parser.add_argument("--orders", default="all", help=those)
        parser.add_argument("--seeds-sets", type=int, default=3, help="sets of seeds a topic (default 3)")
        seeds = "good: pages of the topic; hub: pages off the topic that link to it, or the home page (default good)"
        parser.add_argument("--seeds", default=GOOD, choices=[GOOD, HUB], help=seeds)
        links = f"to what is not recorded: {LEAVE} (offered to no order; default) or {FETCH} (fetched in vain)"
        parser.add_argument("--unknown", default=LEAVE, choices=[LEAVE, FETCH], help=links)
        most = f"relevant pages of a host that count at most in harvest by host (default {HOST_PAGES})"
        parser.add_argument("--host-pages", type=int, default=HOST_PAGES, help=most)
        by = f"who judges pages: our judge ({OPINION}, default), or the {LABELS}, to see what right verdicts would find"
        parser.add_argument("--judge-by", default=OPINION, choices=[OPINION, LABELS], help=by)
        parser.add_argument("--judge", action="store_true", help="tell how good the judge was, by topic")
        told = (
            "what orders are told of the world's log of clicks; permuted: with its URLs dealt out anew (default none)"
        )
        parser.add_argument("--log", default=NONE, choices=[NONE, OWN, PERMUTED], help=told)
        marks = "how many pages a simulated user marks by the labels, with commas between (default 0)"
        parser.add_argument("--marks", default="0", metavar="K,K…", help=marks)
        which = "those that the judge is least sure of (uncertain, default), those that it thinks best (top), or any"
        parser.add_argument("--marking", default="uncertain", choices=[*MARKING], help=which)
        parser.add_argument("--budget", default="4R", help="fetches a crawl: a number, or a multiple of R (default 4R)")
        parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="processes (default one a processor)")
        parser.add_argument("--out", default="", help="folder to write to (default out/compare-WORLD)")
        parser.add_argument("--seed", type=int, default=0, help="of what is drawn at random (default 0)")
        parser.add_argument("--baseline", default="", help=f"order to hold the others against (default {BASELINE})")
        parser.add_argument("--sweep", choices=["gamma"], help="crawl with each γ of 0.1 … 1.0")

    @plainly
    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 1:
            raise UsageError("give one world, as in: scrapy compare demo")
        try:
            need("compare")  # before anything is crawled
            self._compare(args[0], opts)
        except KeyboardInterrupt:
            print("\nStopped. What has been crawled is kept: the same command goes on from there.", file=sys.stderr)
            self.exitcode = 130

    def _compare(self, name: str, opts: Namespace) -> None:
        config = read_config(self.settings or {})
        orders = chosen("--orders", opts.orders, SWEPT if opts.sweep and opts.orders == "all" else USUAL, NAMES)
        baseline = opts.baseline or (BASELINE if BASELINE in orders else orders[0])
        chosen("--baseline", baseline, orders, orders)
        parse_budget(opts.budget)
        marks = counts("--marks", opts.marks)
        if min(opts.seeds_sets, opts.jobs, opts.host_pages) < 1:
            raise BadOptions(["--seeds-sets, --jobs and --host-pages must be at least 1"])
        world = open_world(name, HowFar("Indexing", "bytes"))
        tell_marks(world, Path(name))
        topics = [find_topic(world, t).name for t in named(opts.topics, list(world.topics))]
        if not topics:
            remedy = "give it labels.tsv (url, topic), or mark pages if it is a JOBDIR: scrapy mark JOBDIR URL… good"
            raise BadOptions([f"the world {world.name!r} has no topics: {remedy}"])
        for note in world.notes:
            print(f"note: {note}", file=sys.stderr)
        out = Path(opts.out or f"out/compare-{world.name.partition('?')[0]}")
        out.mkdir(parents=True, exist_ok=True)
        library = Library(library_path(name, config.page))
        with office(name, config, opts.jobs) as pool:
            read_pages(pool, library, list(world.urls()), HowFar("Reading", "pages"))
            graph = Graph(library, Fetcher(world, config.page))
            if opts.log != NONE and not ClickLog(library.path).learn(world.clicks(), graph.pairs()):
                raise BadOptions([f"--log {opts.log}: the world {world.name!r} has no log of clicks"])
            plan = starts(world, graph, topics, opts.seeds_sets, opts.budget, opts.seed, opts.seeds)
            gammas = GAMMAS if opts.sweep else (config.crawl.gamma,)
            tasks = [(start, k, order, gamma) for start in plan for k in marks for order in orders for gamma in gammas]
            runs = [
                Run(start, order, gamma, opts.unknown, opts.log, k, opts.marking if k else "", opts.judge_by)
                for start, k, order, gamma in tasks
            ]
            results = crawl_all(pool, runs, name, config, out, HowFar("Crawling", "crawls"))
        records = [record(world.name, done, opts.host_pages, world.orders) for done in results]
        write_results(out, records)
        rows = judgements(results)
        write_judgements(out, rows)
        write_fetches(out, results)
        drawn = [done for done in results if done.run.marks == marks[0]]
        write_curves(out, drawn)
        if opts.sweep or len(marks) > 1:
            records = [{**r, "order": called(done.run, opts)} for r, done in zip(records, results, strict=True)]
            baseline = called(runs[orders.index(baseline) * len(gammas)], opts)
        from fcacrawler.evaluation.report import Story, write_report

        table = standings(records, baseline, opts.seed)
        said = sentence(world.name, table, baseline)
        notes = [*filter(None, [unknown(records), favours(world.orders)])]
        command = shlex.join(["scrapy", "compare", *sys.argv[1:]])
        told = [*world.notes, *notes]
        write_report(out, Story(world.name, said, command, baseline, table, drawn, rows, told, opts.host_pages))
        print(shown(table, baseline))
        if opts.judge:
            tables = [("pages of " + label, tabled(rows, label)) for label in labels_of(rows)]
            tables.append(("at the end, all topics", summed_up(rows)))
            print("".join(judged(*table) for table in tables))
        print(said, *notes, sep="\n")
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
    head = f"{'order':16s} " + " ".join(f"{name:>6s}" for name in (*SHOWN.values(), "ms/page"))
    lines = [f"{head}  AUC against {baseline} (95 % interval), topics won"]
    for s in table:
        values = [s.means[name] for name in SHOWN]
        row = f"{s.order:16s} " + " ".join("     –" if v is None else f"{v:6.3f}" for v in values)
        row += "       –" if s.cpu is None else f" {s.cpu:7.2f}"
        if (d := s.difference) is not None:
            row += f"  {d.mean:+.3f} ({d}), {s.won} of {len(s.by_topic)}"
        lines.append(row)
    return "\n".join(lines)


def called(run: Run, opts: Namespace) -> str:
    """What a row of the standings is called where there are several of an order."""
    return f"{run.label} γ={run.gamma:g}" if opts.sweep else run.label


def counts(option: str, text: str) -> list[int]:
    """
    >>> counts("--marks", "0, 5,10")
    [0, 5, 10]
    """
    try:
        found = [int(count) for count in text.split(",")]
    except ValueError:
        found = []
    if not found or min(found) < 0 or len(set(found)) < len(found):
        raise BadOptions([f"{option} {text!r}: must be numbers with commas between, each once, such as 0,5,10,20,50"])
    return found


def judged(of: str, rows: Sequence[tuple[str, str, Values]]) -> str:
    """How good the judge was, as a table."""
    lines = [f"The judge, {of}", f"{'':32s} {'judged':6s} " + " ".join(f"{n:>6s}" for n in SHORT)]
    for name, moment, values in rows:
        cells = " ".join("     –" if (v := values[measure]) is None else f"{v:6.3f}" for measure in MEASURES)
        lines.append(f"{name[:32]:32s} {moment:6s} {cells}")
    return "\n".join(lines) + "\n"
