"""How a crawl went, as pictures: SVG without styles of its own, so that the page's policy and colours hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fcacrawler.crawl.completeness import Completeness, completeness

POINTS = 80  # of a curve
WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 26


@dataclass(frozen=True, slots=True)
class Course:
    """A crawl's course, from the pages in the order in which they came, as they are judged now."""

    pages: tuple[int, ...]
    found: tuple[int, ...]  # relevant ones, up to there
    share: tuple[float, ...]  # of relevant ones among those since the point before
    recall: tuple[Completeness | None, ...]  # as it would have been told there


def course(relevant: NDArray[np.bool_]) -> Course:
    """Without a page: no point.

    >>> told = course(np.array([True, True, False, False]))
    >>> told.pages, told.found, told.share
    ((1, 2, 3, 4), (1, 2, 2, 2), (1.0, 1.0, 0.0, 0.0))
    """
    places = np.unique(np.linspace(1, len(relevant), min(POINTS, len(relevant))).round().astype(int))
    if not len(relevant):
        return Course((), (), (), ())
    found = np.cumsum(relevant)[places - 1]
    share = np.diff(found, prepend=0) / np.diff(places, prepend=0)
    recall = tuple(completeness(relevant[:n]) for n in places)
    return Course(tuple(places.tolist()), tuple(found.tolist()), tuple(share.tolist()), recall)


def harvest_curve(told: Course) -> str:
    """Relevant pages found over pages fetched; the broken line is what it were if all had been relevant at first."""
    most = max(told.found, default=0)
    axes = _axes(told.pages[-1] if told.pages else 0, _round_up(most), "", "pages", "relevant")
    if not told.pages:
        return _picture("Harvest: nothing has come yet", axes)
    line = _points((0, *told.pages), (0, *told.found), told.pages[-1], _round_up(most))
    area = f"{LEFT},{HEIGHT - BOTTOM} {line} {WIDTH - RIGHT},{HEIGHT - BOTTOM}"
    drawn = f'<polygon class="area" points="{area}"/><polyline class="line" points="{line}"/>'
    return _picture(f"Harvest: {most} relevant of {told.pages[-1]} pages", axes + drawn)


def recall_curve(told: Course) -> str:
    """The share of all relevant pages that was found, as it would have been estimated; the band holds it mostly."""
    known = [(n, c) for n, c in zip(told.pages, told.recall, strict=True) if c is not None]
    last = told.pages[-1] if told.pages else 0
    axes = _axes(last, 100, " %", "pages", "found, estimated")
    if not known:
        return _picture("Recall: it cannot be told yet", axes + _said("it cannot be told yet"))
    at = [n for n, _ in known]
    low, share, high = ([100 * getattr(c, name) for _, c in known] for name in ("low", "share", "high"))
    band = f"{_points(at, high, last, 100)} {_points(at[::-1], low[::-1], last, 100)}"
    drawn = f'<polygon class="band" points="{band}"/><polyline class="line" points="{_points(at, share, last, 100)}"/>'
    return _picture(f"Recall: {share[-1]:.0f} % found, between {low[-1]:.0f} and {high[-1]:.0f} %", axes + drawn)


def spark(told: Course) -> str:
    """The harvest in the size of a word."""
    if len(told.pages) < 2:
        return ""
    most = max(1, told.found[-1])
    points = " ".join(
        f"{1 + 118 * n / told.pages[-1]:.1f},{27 - 26 * found / most:.1f}"
        for n, found in zip((0, *told.pages), (0, *told.found), strict=True)
    )
    drawn = f'<polygon class="area" points="1,27 {points} 119,27"/><polyline class="line" points="{points}"/>'
    return f'<svg class="spark" viewBox="0 0 120 28" preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>'


def bar(parts: Sequence[tuple[str, str, int]]) -> str:
    """What a whole is made of: name, class and size of each part."""
    whole = max(1, sum(size for _, _, size in parts))
    drawn, at = [], 0.0
    for name, kind, size in parts:
        wide = 640 * size / whole
        drawn.append(
            f'<rect class="{kind}" x="{at:.1f}" y="0" width="{wide:.1f}" height="18"><title>{name}</title></rect>'
        )
        at += wide
    told = ", ".join(f"{name} {size}" for name, _, size in parts)
    head = f'<svg class="bar" viewBox="0 0 640 18" preserveAspectRatio="none" role="img" aria-label="{told}">'
    return f"{head}{''.join(drawn)}</svg>"


def _points(xs: Sequence[float], ys: Sequence[float], right: float, top: float) -> str:
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    return " ".join(
        f"{LEFT + wide * x / max(right, 1):.1f},{HEIGHT - BOTTOM - high * y / max(top, 1):.1f}"
        for x, y in zip(xs, ys, strict=True)
    )


def _axes(right: float, top: float, unit: str, below: str, beside: str) -> str:
    base, drawn = HEIGHT - BOTTOM, []
    for part in (0, 0.5, 1):
        y = base - (base - TOP) * part
        drawn.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{top * part:g}{unit}</text>')
    drawn.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">{right:g} {below}</text>')
    drawn.append(f'<text x="{LEFT}" y="{HEIGHT - 8}">{beside}</text>')
    return "".join(drawn)


def _said(text: str) -> str:
    return f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT / 2}" text-anchor="middle">{text}</text>'


def _picture(about: str, drawn: str) -> str:
    return f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{about}">{drawn}</svg>'


def _round_up(most: int) -> int:
    """
    >>> _round_up(37), _round_up(0), _round_up(812)
    (40, 2, 1000)
    """
    step = 10 ** max(0, len(str(most)) - 1)
    nice = next(n * step for n in (1, 2, 4, 6, 10) if n * step >= most) if most else 2
    return max(2, nice)
