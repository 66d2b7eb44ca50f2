"""Boxes and lines as an SVG document."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, GAP, ROW, LINE, MARGIN = 170, 18, 52, 14, 24
LONGEST = 25  # characters of a label
MOST = 4  # labels of a kind in one box

STYLE = """
text{font:12px system-ui,sans-serif;fill:#1b2733}.title{font-size:17px;font-weight:600}.note{fill:#51606e}
.box rect{fill:#fff;stroke:#8696a5;rx:5}.box .intent{font-weight:600;fill:#0b4f8a}
.box .extent{fill:#51606e;font-size:11px}.box .inherited{fill:#7d8fa0;font-style:italic}
.way rect{fill:#fff3d6;stroke:#c98a00}.winner rect{fill:#ffe1a8;stroke:#a86200;stroke-width:2.5}
line{stroke:#b3bfca}.path{stroke:#c98a00;stroke-width:3}.isa{stroke:#3c8a5a;stroke-dasharray:5 4;stroke-opacity:.5}
"""


@dataclass(frozen=True, slots=True)
class Box:
    """A box: what is written in it, what it tells the pointer, and what it is marked as."""

    intent: Sequence[str]
    extent: Sequence[str]
    title: str
    mark: str = ""
    inherited: str = ""  # what it has of the boxes above it, in one line
    shade: float = 0.0  # how red it is, in [0, 1]


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two boxes."""

    upper: Hashable
    lower: Hashable
    mark: str = ""
    title: str = ""


def picture(
    title: str,
    notes: Sequence[str],
    rows: Sequence[Sequence[Hashable]],
    boxes: Mapping[Hashable, Box],
    lines: Iterable[Line],
) -> str:
    """The whole picture, as wide and high as it needs to be."""
    labels = {n: _labels(box) for n, box in boxes.items()}
    width = max([max(len(row) for row in rows) * (WIDTH + GAP), *(int(len(text) * 6.6) for text in (title, *notes))])
    place: dict[Hashable, tuple[float, float]] = {}
    y = MARGIN + 30 + LINE * len(notes) + 24.0
    for row in rows:
        left = MARGIN + (width - len(row) * (WIDTH + GAP) + GAP) / 2
        for k, n in enumerate(row):
            place[n] = (left + k * (WIDTH + GAP), y)
        y += max(_height(labels[n]) for n in row) + ROW
    size = f'width="{width + 2 * MARGIN}" height="{y - ROW + MARGIN:.0f}"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><style>{STYLE}</style>',
        '<rect width="100%" height="100%" fill="#f7f9fb"/>',
        f'<text class="title" x="{MARGIN}" y="{MARGIN + 14}">{_text(title)}</text>',
    ]
    for k, note in enumerate(notes):
        out.append(f'<text class="note" x="{MARGIN}" y="{MARGIN + 36 + LINE * k}">{_text(note)}</text>')
    out += [_line(line, place, labels) for line in sorted(lines, key=lambda line: line.mark)]
    out += [_box(box, place[n], labels[n]) for n, box in boxes.items()]
    return "\n".join([*out, "</svg>", ""])


def _labels(box: Box) -> list[tuple[str, str]]:
    out = []
    for kind, names in (("intent", box.intent), ("extent", box.extent)):
        out += [(kind, name) for name in names[: MOST if len(names) <= MOST else MOST - 1]]
        if len(names) > MOST:
            out.append((kind, f"and {len(names) - MOST + 1} more"))
    return [("inherited", box.inherited), *out] if box.inherited and not box.intent else out


def _height(labels: Sequence[tuple[str, str]]) -> int:
    return LINE * len(labels) + 10


def _box(box: Box, at: tuple[float, float], labels: Sequence[tuple[str, str]]) -> str:
    x, y = at
    texts = "".join(
        f'<text class="{kind}" x="{x + WIDTH / 2:.0f}" y="{y + LINE * (k + 1) + 2:.0f}" text-anchor="middle">'
        f"{_short(name)}</text>"
        for k, (kind, name) in enumerate(labels)
    )
    pale = 255 - round(130 * box.shade)
    red = f' style="fill:rgb(255,{pale},{pale})"' if box.shade else ""
    rect = f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{_height(labels)}"{red}/>'
    return f'<g class="box {box.mark}"><title>{_text(box.title)}</title>{rect}{texts}</g>'


def _line(
    line: Line, place: Mapping[Hashable, tuple[float, float]], labels: Mapping[Hashable, Sequence[tuple[str, str]]]
) -> str:
    (x1, y1), (x2, y2) = place[line.upper], place[line.lower]
    same = line.mark == "isa"
    y1 += _height(labels[line.upper]) / 2 if same else _height(labels[line.upper])
    y2 += _height(labels[line.lower]) / 2 if same else 0
    ends = f'x1="{x1 + WIDTH / 2:.0f}" y1="{y1:.0f}" x2="{x2 + WIDTH / 2:.0f}" y2="{y2:.0f}"'
    return f'<line class="{line.mark}" {ends}><title>{_text(line.title)}</title></line>'


def _short(name: str) -> str:
    """The end of a URL tells more than its beginning."""
    name = name.replace("\n", "␣")
    if len(name) <= LONGEST:
        return _text(name)
    return _text(("…" + name[-(LONGEST - 1) :]) if "://" in name else name[: LONGEST - 1] + "…")


NO_TEXT = re.compile("[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")  # what XML cannot hold, and tabs


def _text(text: str) -> str:
    """Text as XML may hold it; what it may not is made visible."""
    return escape(NO_TEXT.sub("␣", text))
