"""``scrapy explain URL --job jobs/x``: why it was fetched, or still waits, or was left out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from threadpoolctl import threadpool_limits

from fcacrawler.app.explain import Job
from fcacrawler.app.how_far import HowFar
from fcacrawler.app.progress import clean
from fcacrawler.app.story import Story, of_items
from fcacrawler.commands import OurCommand, plainly
from fcacrawler.judge.parts import PARTS
from fcacrawler.judge.topic_judge import CENTRE, WIDTH
from fcacrawler.orders.meanings import meanings
from fcacrawler.page import canonical_url

SHOWN = 10  # lines of a kind
WIDE = 100  # characters of a stranger's text


class Command(OurCommand, ScrapyCommand):
    takes = "[options] URL --job JOBDIR | --items FILE.jsonl"
    does = "Why a URL was fetched, or waits, or was left out, with its path and score"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--job", metavar="JOBDIR", help="the crawl's -s JOBDIR=…; it may be running")
        parser.add_argument("--items", metavar="FILE", help="a crawl's output as JSON lines: knows fetched pages only")
        parser.add_argument("--json", action="store_true", help="one object, for machines")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1 or bool(opts.job) == bool(opts.items):
            raise UsageError(f"say which URL and of which crawl: {self.syntax()}")
        url = canonical_url(args[0] if "://" in args[0] else f"http://{args[0]}")
        if not url:
            raise UsageError(f"{args[0]!r} is no http or https URL")
        threadpool_limits(1)  # sums in the crawl's own order
        story = of_items(Path(opts.items), url) if opts.items else self._replayed(Path(opts.job), url)
        if opts.json:
            print(json.dumps(asdict(story), ensure_ascii=False))
        else:
            console = Console()
            if not console.is_terminal:
                console.width = 160
            console.print(shown(story), highlight=False, soft_wrap=True)
        self.exitcode = int(story.state == "unknown")

    def _replayed(self, folder: Path, url: str) -> Story:
        with closing(Job(folder, HowFar("what the crawl knew", "pages"))) as job:
            story = job.explain(url)
        if job.salvage.damaged:
            print(f"{job.salvage.damaged} damaged pages are left out", file=sys.stderr)
        return story


def shown(story: Story) -> RenderableType:
    """For people. Strangers' texts are made safe for a terminal."""
    parts: list[RenderableType] = [
        Text(_safe(story.url), style="bold"),
        Text(f"{story.state}: {_safe(story.why, 300)}", style="green" if story.state == "fetched" else ""),
    ]
    if story.path:
        steps = [f"{'  ' * n}{_safe(step['url'])}" + _said(step) for n, step in enumerate(story.path[-SHOWN:])]
        parts += [Text("path", style="dim"), Text("\n".join(steps))]
    if story.explanation:
        parts += [Text("score", style="dim"), _score(story.explanation)]
    tables = {
        "links": story.links,
        "nearest judged pages": story.nearest,
        "marks that matter most, and their part in said": story.marks,
        "left out": story.left_out,
    }
    for name, rows in tables.items():
        if rows:
            parts += [Text(name, style="dim"), _table(rows[:SHOWN])]
    if story.similar:
        parts += [Text("known are", style="dim"), Text("\n".join(map(_safe, story.similar)))]
    return Group(*parts)


def _score(e: dict[str, Any]) -> RenderableType:
    """The rank with all that it is made of: the shown parts give the shown numbers."""
    table = Table.grid(padding=(0, 2))
    table.add_row("rank", f"{e['rank']:.4f}", "by the judge, who has read it" if e.get("judge") else "")
    if judge := e.get("judge"):
        seen = " + ".join(name for name in ("text", "query", "seeds", "company") if name in judge)
        series = (" / part" if judge["part"] > 1 else "") + ("·language" if judge.get("language") == 0 else "")
        odds = f"(1 - taught)·(({seen}) / reach - {CENTRE}) / {WIDTH}"
        said = " + said" * ("said" in judge)
        table.add_row("  of what was read", "", f"σ({odds} + taught·learned{said} - doubt){series}")
        _add_parts(table, judge, PARTS)
    if e["w"]:
        both = e["w"] * e["ext"] + (1 - e["w"]) * e["int"]
        parts = f"{e['w']:.3f}·{e['ext']:.3f} + {1 - e['w']:.3f}·{e['int']:.3f}"
        table.add_row("  of links and words", f"{both:.4f}", f"score = w·Ext + (1-w)·Int = {parts}")
    if c := e.get("calibration"):
        when = ", when it came" if judge else ""
        chance = f"p = σ(slope·score + learned) = σ({c['slope']:.3f}·{both:.4f} {c['learned']:+.3f}){when}"
        table.add_row("  as a chance", f"{c['p']:.4f}", chance)
        if "news" in c:
            table.add_row("  times", f"{c['news']:.4f}", "chance of something new: others of its kind were copies")
        if "away" in c:
            table.add_row("  times", f"{c['away']:.4f}", "it says that it leads to another language")
        if "least" in c:
            table.add_row("  at least", f"{c['least']:.4f}", "hardly anything of its host has been fetched")
        if c.get("language", 1) < 1:
            table.add_row("  times", f"{c['language']:.4f}", "chance that the page is in a wanted language")
    _add_parts(table, dict(sorted(e["features"].items(), key=lambda kv: -kv[1])), meanings(e["features"]))
    for name in ("base_concept", "current_concept"):
        if e[name].get("intent"):
            extent, intent = (", ".join(e[name][part]) for part in ("extent", "intent"))
            table.add_row(name.replace("_", " "), "", Text(f"{_safe(intent)}  ⟵  {_safe(extent)}"))
    if e["matched"]:
        table.add_row("matched", "", Text(_safe(", ".join(f"{a} = {b}" if a != b else a for a, b, _ in e["matched"]))))
    return table


def _add_parts(table: Table, parts: Mapping[str, float], meanings: Mapping[str, str]) -> None:
    for name, value in parts.items():
        table.add_row(f"    {_safe(name)}", f"{value:.3f}", Text(meanings.get(name, ""), style="dim"))


def _table(rows: list[dict[str, Any]]) -> RenderableType:
    names = [name for name in rows[0] if name not in ("context", "position", "siblings")]
    table = Table(*names, box=None, padding=(0, 2, 0, 0), header_style="dim")
    for row in rows:
        table.add_row(*(Text(f"{v:.3f}" if isinstance(v, float) else _safe(str(v))) for v in map(row.get, names)))
    return table


def _said(step: dict[str, Any]) -> str:
    return f"  “{_safe(step['anchor'], 60)}”" if step["anchor"] else ""


def _safe(text: str, width: int = WIDE) -> str:
    return clean(text, width)
