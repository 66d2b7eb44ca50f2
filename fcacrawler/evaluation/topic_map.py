"""What a crawl has found, as a map: the iceberg lattice of its relevant pages' keywords, drawn as SVG.

A concept is a set of keywords with all pages that have them; the iceberg holds the concepts with the most pages
(*Stumme et al. 2002*). Each box names the keywords that are new in it, how many pages it holds, and their mean rank.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from fcacrawler.semrank.close_by_one import close_by_one

KEYWORDS = 8  # of a page, its best
WIDE, HIGH, BOX, PAD = 190, 110, 160, 20  # pixels: a place, its row, a box, the margin
ACROSS = 8  # boxes in a row
SHOWN = 12  # pages that a box names when it is pointed at


@dataclass(frozen=True, slots=True)
class Harvested:
    """One relevant page of a crawl."""

    url: str
    title: str
    rank: float
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """One concept of the map."""

    intent: frozenset[str]
    pages: tuple[Harvested, ...]  # the highest ranked first
    label: tuple[str, ...]  # keywords that no concept above has
    below: tuple[int, ...]  # indices of the boxes just beneath

    @property
    def rank(self) -> float:
        return sum(p.rank for p in self.pages) / len(self.pages)


def harvested(items: Iterable[dict[str, Any]]) -> list[Harvested]:
    """The relevant ones of a crawl's items."""
    return [
        Harvested(
            i["url"], i.get("title", ""), float(i.get("semrank", 0)), tuple(list(i.get("keywords", {}))[:KEYWORDS])
        )
        for i in items
        if i.get("relevant")
    ]


def iceberg(pages: Sequence[Harvested], most: int = 40) -> list[Box]:
    """The concepts with the most pages, ``most`` at the most, the top first; none for no pages.

    >>> a, b = (Harvested(u, u, 1.0, k) for u, k in (("a", ("race", "car")), ("b", ("race",))))
    >>> [(box.label, len(box.pages), box.below) for box in iceberg([a, b])]
    [(('race',), 2, (1,)), (('car',), 1, ())]
    """
    counts = Counter(k for p in pages for k in p.keywords)
    best: list[tuple[frozenset[str], tuple[Harvested, ...]]] = []
    for support in sorted(set(counts.values()), reverse=True):
        found = _concepts(pages, sorted(k for k, n in counts.items() if n >= support), support, most)
        if found is None:
            break
        best = found
    return _boxes(sorted(best, key=lambda c: (-len(c[1]), sorted(c[0]))))


def _concepts(
    pages: Sequence[Harvested], keywords: Sequence[str], support: int, most: int
) -> list[tuple[frozenset[str], tuple[Harvested, ...]]] | None:
    """Those of at least so many pages; None if there are too many to draw, or to list."""
    number = {k: i for i, k in enumerate(keywords)}
    rows = [sorted(number[k] for k in p.keywords if k in number) for p in pages]
    masks = close_by_one(rows, len(keywords), 20_000)
    if masks is None:
        return None
    found = []
    for extent, intent in masks:
        if extent.bit_count() >= max(1, support):
            held = [p for i, p in enumerate(pages) if extent >> i & 1]
            held.sort(key=lambda p: -p.rank)
            found.append((frozenset(k for k, i in number.items() if intent >> i & 1), tuple(held)))
    return found if len(found) <= most else None


def _boxes(concepts: Sequence[tuple[frozenset[str], tuple[Harvested, ...]]]) -> list[Box]:
    intents = [intent for intent, _ in concepts]
    boxes = []
    for intent, pages in concepts:
        under = [i for i, other in enumerate(intents) if intent < other]
        covers = tuple(i for i in under if not any(intents[j] < intents[i] for j in under))
        above = frozenset[str]().union(*(other for other in intents if other < intent))
        boxes.append(Box(intent, pages, tuple(sorted(intent - above)), covers))
    return boxes


def draw(boxes: Sequence[Box], topic: str) -> str:
    """The map as SVG: general above, special beneath; the redder a box, the higher its pages rank."""
    level = [0] * len(boxes)
    for i, box in enumerate(boxes):  # larger extents come first, so a box is placed before those beneath it
        for j in box.below:
            level[j] = max(level[j], level[i] + 1)
    levels: defaultdict[int, list[int]] = defaultdict(list)
    for i in range(len(boxes)):
        levels[level[i]].append(i)
    rows = [row[n : n + ACROSS] for _, row in sorted(levels.items()) for n in range(0, len(row), ACROSS)]
    width = 2 * PAD + WIDE * max((len(r) for r in rows), default=1)
    height = 2 * PAD + 30 + HIGH * max(1, len(rows))
    place = {
        i: ((width - WIDE * len(row)) / 2 + WIDE * (n + 0.5), PAD + 40 + HIGH * y)
        for y, row in enumerate(rows)
        for n, i in enumerate(row)
    }
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        'font-size="12" text-anchor="middle"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{width / 2}" y="{PAD + 8}" font-size="16">{escape(topic)}</text>',
    ]
    for i, box in enumerate(boxes):
        for j in box.below:
            (x, y), (u, v) = place[i], place[j]
            parts.append(f'<line x1="{x:.0f}" y1="{y + 50:.0f}" x2="{u:.0f}" y2="{v:.0f}" stroke="#999"/>')
    parts += [_box(box, *place[i]) for i, box in enumerate(boxes)]
    return "\n".join([*parts, "</svg>\n"])


def _box(box: Box, x: float, y: float) -> str:
    label = ", ".join(box.label) or ("all pages" if not box.intent else "…")
    shown = label if len(label) <= 24 else label[:23] + "…"
    titles = "\n".join(f"{p.rank:.2f} {p.title or p.url}" for p in box.pages[:SHOWN])
    hover = escape(f"{', '.join(sorted(box.intent)) or 'all pages'}\n{titles}")
    shade = 255 - round(110 * box.rank)
    return (
        f'<g><title>{hover}</title><rect x="{x - BOX / 2:.0f}" y="{y:.0f}" width="{BOX}" height="50" rx="6" '
        f'fill="rgb(255,{shade},{shade})" stroke="#555"/><text x="{x:.0f}" y="{y + 20:.0f}">{escape(shown)}</text>'
        f'<text x="{x:.0f}" y="{y + 38:.0f}" fill="#444">{len(box.pages)} pages · {box.rank:.2f}</text></g>'
    )
