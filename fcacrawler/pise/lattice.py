"""A concept between its neighbours, as a picture whose boxes are links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from fcacrawler.semrank.neighbours import Place, View

WIDE, HIGH, GAP, MIDDLE = 150, 46, 14, 64
ABOVE, BELOW = 5, 15  # boxes at most
ROW = 5  # boxes of a row
LONGEST = 20  # characters of a line


def drawn(seen: View, leads: Callable[[tuple[str, ...]], str]) -> str:
    """More general above, narrower below."""
    above, below = seen.above[:ABOVE], seen.below[:BELOW]
    rows = [below[n : n + ROW] for n in range(0, len(below), ROW)]
    width = ROW * (WIDE + GAP) + GAP
    top = (HIGH + MIDDLE) if above else 0
    height = top + HIGH + (MIDDLE + len(rows) * (HIGH + GAP) if rows else 0) + 2 * GAP
    middle = (width / 2, GAP + top)
    lines, boxes = [], []
    for (x, y), place in zip(_spread(len(above), width, GAP), above, strict=True):
        lines.append(_line((x, y + HIGH), middle))
        lost = [k for k in seen.here.intent if k not in place.intent]
        boxes.append(
            _box((x, y), place, list(place.intent) or ["all relevant pages"], leads, f"without {', '.join(lost)}")
        )
    for n, row in enumerate(rows):
        y = middle[1] + HIGH + MIDDLE + n * (HIGH + GAP)
        for (x, _), place in zip(_spread(len(row), width, y), row, strict=True):
            if n == 0:
                lines.append(_line((middle[0], middle[1] + HIGH), (x, y)))
            new = [k for k in place.intent if k not in seen.here.intent]
            boxes.append(_box((x, y), place, new, leads, f"with {', '.join(new)}"))
    here = _rect(middle, "here", list(seen.here.intent) or ["all relevant pages"], len(seen.here.extent))
    said = f"{len(seen.above)} concepts above, {len(seen.below)} below"
    head = f'<svg class="lattice" viewBox="0 0 {width} {height:.0f}" role="group" aria-label="{said}">'
    return f"{head}{''.join(lines)}{here}{''.join(boxes)}</svg>"


def _spread(count: int, width: int, y: float) -> list[tuple[float, float]]:
    first = (width - (count - 1) * (WIDE + GAP)) / 2
    return [(first + n * (WIDE + GAP), y) for n in range(count)]


def _box(
    at: tuple[float, float], place: Place, words: Sequence[str], leads: Callable[[tuple[str, ...]], str], title: str
) -> str:
    inside = f"<title>{escape(title)}</title>{_rect(at, 'box', words, len(place.extent))}"
    return f'<a href="{escape(leads(place.intent))}">{inside}</a>'


def _rect(at: tuple[float, float], kind: str, words: Sequence[str], pages: int) -> str:
    x, y = at
    told = ", ".join(words)
    told = told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…"
    rect = f'<rect x="{x - WIDE / 2:.0f}" y="{y:.0f}" width="{WIDE}" height="{HIGH}" rx="6"/>'
    texts = f'<text x="{x:.0f}" y="{y + 19:.0f}" text-anchor="middle">{escape(told)}</text>'
    held = f"{pages} {'page' if pages == 1 else 'pages'}"
    count = f'<text class="count" x="{x:.0f}" y="{y + 36:.0f}" text-anchor="middle">{held}</text>'
    return f'<g class="{kind}">{rect}{texts}{count}</g>'


def _line(one: tuple[float, float], other: tuple[float, float]) -> str:
    return f'<line x1="{one[0]:.0f}" y1="{one[1]:.0f}" x2="{other[0]:.0f}" y2="{other[1]:.0f}"/>'
