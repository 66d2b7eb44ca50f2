"""One self-contained page that shows a comparison: tables, figures, and a plain sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from fcacrawler.evaluation.comparison import Done, file_name
from fcacrawler.evaluation.figures import Figure, figures, sweep
from fcacrawler.evaluation.judgement import Row, Values, labels_of, summed_up, tabled
from fcacrawler.evaluation.measures import HOST_PAGES, area, best_f, harvest
from fcacrawler.evaluation.pictures import BOUNDS, OURS, colour, png, svg
from fcacrawler.evaluation.standings import Standing

COLUMNS = {
    "auc": "AUC",
    "harvest_at_r": "harvest at R",
    "harvest_at_2r": "at 2R",
    "harvest_at_4r": "at 4R",
    "recall_at_r": "recall at R",
    "recall_at_4r": "at 4R",
    "best_f": "best F",
    "hosts_at_r": "hosts at R",
    "hosts_at_4r": "at 4R",
    "host_harvest": "harvest by host",
}
JUDGE = {
    "precision": "P",
    "recall": "R",
    "f1": "F1",
    "average_precision": "AP",
    "roc": "ROC",
    "ece": "ECE",
}


@dataclass(frozen=True, slots=True)
class Story:
    """What a report tells."""

    world: str
    sentence: str
    command: str
    baseline: str
    table: Sequence[Standing]
    results: Sequence[Done]
    judged: Sequence[Row]
    notes: Sequence[str] = ()
    host_pages: int = HOST_PAGES


def write_report(out: Path, story: Story) -> None:
    """report.html, and its figures as SVG and PNG."""
    drawn = _swept(story) if _is_sweep(story) else _curves(story)
    orders = _orders(story)
    pictures = out / "figures"
    pictures.mkdir(exist_ok=True)
    _, figures = drawn[0]
    for figure in figures:
        (pictures / f"{figure.name}.svg").write_text(svg(figure, orders), "utf-8")
        (pictures / f"{figure.name}.png").write_bytes(png(figure, orders))
    page = Template((files(__package__) / "report.html").read_text("utf-8")).substitute(
        title=escape(f"Crawl orders on {story.world}"),
        sentence=escape(story.sentence),
        facts=escape(_facts(story)),
        notes="".join(f'<p class="facts">{escape(note)}.</p>' for note in story.notes),
        host_pages=str(story.host_pages),
        standings=_standings(story),
        legend=f"AUC against {escape(story.baseline)}: mean difference, 95 % interval, topics won.",
        figures="".join(_section(n, title, drawn_, orders) for n, (title, drawn_) in enumerate(drawn))
        + _topics(story)
        + _judge("The judge at the end, all topics", "order", summed_up(story.judged), True)
        + "".join(
            _judge(f"The judge, pages of {label}", "topic", tabled(story.judged, label), label == OURS)
            for label in labels_of(story.judged)
        ),
        command=escape(story.command),
    )
    (out / "report.html").write_text(page, "utf-8")


def _is_sweep(story: Story) -> bool:
    return len({done.run.gamma for done in story.results}) > 1


def _orders(story: Story) -> list[str]:
    return list(dict.fromkeys(done.run.order for done in story.results))


def _curves(story: Story) -> list[tuple[str, list[Figure]]]:
    """The figures of the mean over all topics, then of each topic."""
    drawn = [("Mean of all topics", figures(story.results))]
    for topic in dict.fromkeys(done.run.start.topic for done in story.results):
        own = figures([d for d in story.results if d.run.start.topic == topic])
        drawn.append((topic, [replace(f, name=f"{f.name}-{file_name(topic)}") for f in own]))
    return drawn


def _swept(story: Story) -> list[tuple[str, list[Figure]]]:
    measures = [
        sweep(story.results, area, "sweep-auc", "Area under recall over γ", "AUC"),
        sweep(story.results, lambda t: harvest(t, t.relevant), "sweep-harvest", "Harvest rate at R over γ", "harvest"),
        sweep(story.results, best_f, "sweep-f", "Best F over γ", "F"),
    ]
    return [("γ sweep", measures)]


def _facts(story: Story) -> str:
    starts = {(d.run.start.topic, d.run.start.seed_set): d.run.start for d in story.results}
    own = [s for s in starts.values() if s.seed_set == 0]
    sizes = ", ".join(f"{s.topic} {len(s.relevant)}" for s in own)
    sets = 1 + max(s.seed_set for s in starts.values())
    fetches = sum(len(d.trace.hits) for d in story.results)
    gammas = ", ".join(f"{g:g}" for g in sorted({d.run.gamma for d in story.results}))
    return (
        f"Topics: {len(own)} (R: {sizes}). Sets of seeds: {sets}. Crawls: {len(story.results):,}. "
        f"Fetches: {fetches:,}. γ: {gammas}."
    )


def _standings(story: Story) -> str:
    head = "".join(f"<th>{name}</th>" for name in ("order", *COLUMNS.values(), "CPU ms / page"))
    rows = []
    for s in story.table:
        kind = "ours" if s.order == OURS else "bound" if s.order in BOUNDS else ""
        cells = "".join(f"<td>{_number(s.means[name])}</td>" for name in COLUMNS)
        rows.append(
            f'<tr class="{kind}"><td>{escape(s.order)}</td>{cells}<td>{_number(s.cpu, 2)}</td>{_difference(s)}</tr>'
        )
    head += f'<th colspan="2">AUC against {escape(story.baseline)}</th><th>won</th>'
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _difference(s: Standing) -> str:
    if s.difference is None:
        return "<td></td><td></td><td></td>"
    d = s.difference
    kind = "" if d.values < 2 else "sure" if d.low > 0 else "less" if d.high < 0 else ""
    return f'<td class="{kind}">{d.mean:+.3f}</td><td>{d}</td><td>{s.won} of {len(s.by_topic)}</td>'


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _section(n: int, title: str, drawn: Sequence[Figure], orders: Sequence[str]) -> str:
    """Figures side by side; those of single topics can be unfolded."""
    pictures = "".join(f"<figure>{svg(f, orders, legend=False)}</figure>" for f in drawn)
    grid = f'<div class="grid">{pictures}</div>'
    if n:
        return f"<details><summary>{escape(title)}</summary>{grid}</details>"
    return f"<h2>{escape(title)}</h2>{_chips(orders)}{grid}"


def _chips(orders: Sequence[str]) -> str:
    chips = (
        f'<button data-order="{escape(o)}" aria-pressed="true" style="--c: {colour(o, orders)}">{escape(o)}</button>'
        for o in orders
    )
    return f'<div class="chips">{"".join(chips)}</div>'


def _topics(story: Story) -> str:
    """AUC by order and topic."""
    topics = list(dict.fromkeys(done.run.start.topic for done in story.results))
    head = "".join(f"<th>{escape(t)}</th>" for t in topics)
    rows = "".join(
        f"<tr><td>{escape(s.order)}</td>{''.join(_shaded(s.by_topic.get(t)) for t in topics)}</tr>" for s in story.table
    )
    table = f"<table><thead><tr><th>order</th>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<h2>AUC by topic</h2><div class="scroll">{table}</div>'


def _judge(title: str, of: str, rows: Sequence[tuple[str, str, Values]], unfolded: bool) -> str:
    """How good the judge was."""
    head = "".join(f"<th>{name}</th>" for name in (of, "judged", *JUDGE.values()))
    body = "".join(
        f"<tr><td>{escape(name)}</td><td>{moment}</td>"
        + "".join(f"<td>{_number(values[measure])}</td>" for measure in JUDGE)
        + "</tr>"
        for name, moment, values in rows
    )
    table = f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    return f"<details{' open' * unfolded}><summary>{escape(title)}</summary>{table}</details>"


def _shaded(value: float | None) -> str:
    shade = f' style="background: rgba(0, 110, 60, {0.6 * value:.2f})"' if value is not None else ""
    return f"<td{shade}>{_number(value)}</td>"
