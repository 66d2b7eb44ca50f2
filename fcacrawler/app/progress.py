"""How a crawl looks to the person who waits for it: a live view, a plain line, a summary. Pure: values in, text out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fcacrawler.crawl.completeness import Completeness
from fcacrawler.crawl.tunnel import EARNED
from fcacrawler.frontier import Sizes
from fcacrawler.values.extras import available

SPARKS = " ▁▂▃▄▅▆▇█"
WHY = {
    "budget": "budget used up",
    "exhausted": "frontier exhausted: no link is left",
    "no_seed": "no seed could be fetched: see the message above",
    "not_reached": "no link is left but on hosts that could not be reached: run it again to try them",
    "network_away": "the network was away too long: run it again when it is back",
    "nothing_above_gamma": "nothing above γ: what waits is not about the topic",
    "recall_reached": "so much is found, as far as can be told, as was asked for (-a recall)",
    "dried_up": "harvest dried up: no relevant page for a long while",
    "rounds": "its rounds are over, as many as FCA_READING asks for",
    "shutdown": "stopped by the user",
    "store_failed": "the crawl's store failed: see the message above",
    "mistake": "a mistake of fcacrawler's, told above: with a JOBDIR the same command goes on",
    "outputs_failed": "its pages cannot be written: see the message above",
}
REMEDY = (
    "it is a place to start, hardly a pattern; say more of what is sought with words, examples or avoid (topic.toml)"
)
SAY_MORE = "if they are right, mark some good, give examples, or put commas between words that may stand apart"


@dataclass(frozen=True, slots=True)
class Visit:
    """A page just fetched."""

    url: str
    title: str
    rank_before: float
    rank: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A crawl at one moment."""

    topic: str
    order: str
    gamma: float
    budget: int
    seconds: float
    pages: int  # of the whole crawl
    here: int  # of them, of this run and this worker
    relevant: int  # of them, as is thought now
    sizes: Sizes
    came_relevant: int = 0  # of them, as was thought when each came
    harvest: Sequence[float] = ()  # harvest rate of equal stretches of the crawl so far
    recent: float = 0.0  # harvest rate of the last pages
    visits: Sequence[Visit] = ()
    completeness: Completeness | None = None  # None: it cannot be told yet
    hosts: int = 0  # that have answered in this run
    pausing: int = 0  # hosts that are to be left alone
    below: int = 0  # pages fetched in this run though their links were not above γ
    below_relevant: int = 0  # of these
    tunnel: int = 0  # how many of them there may be, besides those that relevant pages have earned

    @property
    def rate(self) -> float:
        return self.here / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """What is told at the end."""

    snapshot: Snapshot
    reason: str
    cpu_ms: Mapping[str, float] = field(default_factory=dict)  # CPU milliseconds a page, by step
    concepts: Sequence[tuple[tuple[str, ...], int]] = ()  # shared keywords, how many pages share them
    first: Sequence[str] = ()  # URLs of relevant pages that between them show the most
    errors: Mapping[str, int] = field(default_factory=dict)  # by kind
    outputs: Sequence[str] = ()
    browser: str = ""  # what pages that JavaScript builds have cost
    engines: Sequence[str] = ()  # what each that was asked for seeds has said, and what came of it
    doubted: Mapping[str, str] = field(default_factory=dict)  # seeds that do not look like the topic, and why
    language: str = ""  # that the topic's words are read in
    translated: Mapping[str, str] = field(default_factory=dict)  # each of them in that language, if they are of another
    held_back: int = 0  # pages that would be relevant if more pages said the topic's words
    unread: Sequence[str] = ()  # the topic's examples that could not be had


def clean(text: str, width: int) -> str:
    """A stranger's text, safe for a terminal: no control characters, one line, no longer than width.

    >>> clean("a\\x1b[31mred\\nline", 20)
    'a[31mred line'
    """
    text = "".join(c if c.isprintable() else " " if c.isspace() else "" for c in text[: 4 * width])
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def spark(values: Iterable[float]) -> str:
    """
    >>> spark([0, 0.5, 1])
    ' ▄█'
    """
    return "".join(SPARKS[round(max(0.0, min(1.0, v)) * (len(SPARKS) - 1))] for v in values)


def share(part: int, whole: int) -> str:
    """
    >>> share(1, 3), share(0, 0)
    ('33.3 %', '–')
    """
    return f"{100 * part / whole:.1f} %" if whole else "–"


def of_all(c: Completeness | None) -> str:
    """How much has been found; "" if that cannot be told.

    >>> of_all(Completeness(0.7642, 0.3602, 0.9849)), of_all(None)
    ('about 76 % found (36 to 98 %)', '')
    """
    return f"about {100 * c.share:.0f} % found ({100 * c.low:.0f} to {100 * c.high:.0f} %)" if c is not None else ""


def here(s: Snapshot) -> str:
    """How many pages, and how fast those of this run came.

    >>> from fcacrawler.frontier import Sizes
    >>> none = Sizes(0, 0, 0, 0, 0)
    >>> here(Snapshot("tea", "bfs", 0.5, 0, seconds=10, pages=50, here=20, relevant=9, sizes=none, hosts=3))
    '50, 20 of them now in 10.0 s, 2.0 pages/s, 3 hosts'
    """
    if s.pages and not s.here:
        return f"{s.pages}, none of them now"
    now = f", {s.here} of them now" if s.here < s.pages else ""
    return f"{s.pages}{now} in {s.seconds:.1f} s, {s.rate:.1f} pages/s, {s.hosts} hosts"


def line(s: Snapshot) -> str:
    """One plain line, for logs and pipes."""
    of = f"/{s.budget}" if s.budget else ""
    return (
        f"[{s.seconds:5.0f} s] {s.pages}{of} pages, {s.relevant} relevant ({share(s.relevant, s.pages)}, "
        f"lately {100 * s.recent:.0f} %), {s.rate:.1f} pages/s; running {s.sizes.running}, waiting {s.sizes.waiting}"
        + (f"; {of_all(s.completeness)}" if s.completeness is not None else "")
        + (f"; {s.pausing} hosts pause" if s.pausing else "")
    )


def view(s: Snapshot, width: int) -> RenderableType:
    """The live view."""
    numbers = Table.grid(padding=(0, 3))
    numbers.add_row(
        Text(f"{s.pages}" + (f" of {s.budget}" if s.budget else "") + " pages", style="bold"),
        Text(f"{s.relevant} relevant", style="bold green"),
        f"{s.rate:.1f} pages/s",
        f"{s.hosts} hosts" + (f", {s.pausing} pause" if s.pausing else ""),
        f"{s.seconds:.0f} s",
    )
    queues = Table.grid(padding=(0, 3))
    queues.add_row(
        f"harvest {share(s.relevant, s.pages)}, lately {100 * s.recent:.0f} %",
        of_all(s.completeness),
        Text(spark(s.harvest), style="green"),
        f"running {s.sizes.running}",
        f"waiting {s.sizes.waiting}",
        f"in flight {s.sizes.leased}",
    )
    pages = Table(box=None, padding=(0, 1), expand=True, show_edge=False)
    for name, kind in (("before", "right"), ("rank", "right"), ("", "left"), ("page", "left")):
        pages.add_column(name, justify="right" if kind == "right" else "left", no_wrap=True)
    for v in s.visits:
        mark = Text("●", style="green") if v.relevant else Text("○", style="dim")
        title = clean(v.title or v.url, max(20, width - 24))
        pages.add_row(f"{v.rank_before:.2f}", f"{v.rank:.2f}", mark, Text(title))
    title = f"{clean(s.topic, 40)} · {s.order} · γ {s.gamma:g}"
    return Panel(Group(numbers, queues, Text(), pages), title=Text(title), border_style="dim")


def summary(s: Summary) -> RenderableType:
    """What is left on the screen when a crawl has ended."""
    title = Text(f"{clean(s.snapshot.topic, 40)} · {s.snapshot.order}")
    return Panel(ended(s), title=title, border_style="dim", expand=False)


def ended(s: Summary) -> RenderableType:
    """How a crawl has ended, a line a fact."""
    at = s.snapshot
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", justify="right")
    table.add_column(overflow="fold")
    table.add_row("ended", WHY.get(s.reason, s.reason))
    table.add_row("pages", here(at))
    found = f"{at.relevant} (harvest rate {share(at.relevant, at.pages)}), judged by all that is known now"
    table.add_row("relevant", Text(f"{found}; {at.came_relevant} were when they came", style="green"))
    if at.completeness is not None:
        sure = "an estimate from how finds have thinned out, the interval holds some three of four crawls"
        table.add_row("recall", f"{of_all(at.completeness)}: {sure}")
    table.add_row("harvest", Text(spark(at.harvest)))
    if at.below:
        most = f"at most {at.tunnel} and {EARNED} a relevant page (FCA_TUNNEL)"
        table.add_row("below γ", f"{at.below} of them by links not above γ, {at.below_relevant} relevant; {most}")
    sizes = at.sizes
    table.add_row(
        "links",
        f"{sizes.running} above γ and {sizes.waiting} below it left unfetched"
        + (f", {sizes.dead} given up" if sizes.dead else "")
        + (f", {sizes.evicted} evicted" if sizes.evicted else ""),
    )
    if s.cpu_ms and at.here:
        parts = ", ".join(f"{name} {ms:.2f}" for name, ms in s.cpu_ms.items())
        table.add_row("CPU", f"{sum(s.cpu_ms.values()):.2f} ms a page: {parts}")
    if s.browser:
        table.add_row("browser", s.browser)
    if s.translated:
        said = ", ".join(f"{word}: {other}" for word, other in s.translated.items())
        table.add_row("topic", f"its words in {s.language}, as pages are sought: {clean(said, 150)} (FCA_TRANSLATE)")
    elif s.language:
        table.add_row("topic", f"its words are read in {s.language}")
    if s.language == "zh" and not available("pypinyin"):
        table.add_row("", Text("URLs in pinyin are not read: pip install 'fcacrawler[pinyin]'"))
    for n, (intent, support) in enumerate(s.concepts):
        table.add_row("concepts" if n == 0 else "", Text(f"{clean(', '.join(intent), 70)} ({support} pages)"))
    for n, url in enumerate(s.first):
        table.add_row("look first at" if n == 0 else "", Text(clean(url, 100)))
    for n, (kind, count) in enumerate(s.errors.items()):
        table.add_row("left out" if n == 0 else "", f"{clean(kind, 60)}: {count}")
    for n, said in enumerate(s.engines):
        table.add_row("engines" if n == 0 else "", Text(clean(said, 150)))
    for n, (url, why) in enumerate(s.doubted.items()):
        table.add_row("doubted" if n == 0 else "", f"{clean(url, 100)}, a seed: {why}")
    if s.doubted:
        table.add_row("", REMEDY)
    if s.held_back:
        table.add_row("held back", f"{s.held_back} pages, for hardly a page says the topic's words: {SAY_MORE}")
    for n, url in enumerate(s.unread):
        table.add_row("not read" if n == 0 else "", f"{clean(url, 100)}, an example of the topic")
    for n, path in enumerate(s.outputs):
        table.add_row("output" if n == 0 else "", Text(path, style="bold"))
    return table
