"""Figures drawn: SVG and PNG. The only place that knows matplotlib."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO, StringIO

import matplotlib as mpl
from matplotlib import colormaps
from matplotlib.figure import Figure as Canvas

from fcacrawler.evaluation.figures import Figure

BOUNDS = ("oracle", "random")  # ceiling and floor, drawn as such
OURS = "semrank"
_ID = re.compile(r'\bid="([^"]+)"')
_REFERENCE = re.compile(r'(url\(#|href="#)')


def svg(figure: Figure, orders: Sequence[str], legend: bool = True) -> str:
    """The figure as an SVG element. Each curve is a group of class ``order-NAME``; ids are the figure's own, so that
    several figures can stand in one page. The same figure gives the same bytes."""
    text = StringIO()
    with mpl.rc_context({"svg.hashsalt": figure.name, "svg.fonttype": "none"}):
        _drawn(figure, orders, legend).savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    body = text.getvalue()
    body = body[body.index("<svg") :]
    body = _ID.sub(lambda m: f'class="{m[1]}"' if m[1].startswith("order-") else f'id="{figure.name}-{m[1]}"', body)
    return _REFERENCE.sub(rf"\g<1>{figure.name}-", body)


def png(figure: Figure, orders: Sequence[str]) -> bytes:
    """The figure as a picture."""
    data = BytesIO()
    _drawn(figure, orders, True).savefig(data, format="png", dpi=150, metadata={"Software": None})
    return data.getvalue()


def colour(order: str, orders: Sequence[str]) -> str:
    """An order's colour, the same in all figures of a comparison."""
    if order in BOUNDS:
        return "#888888"
    if order == OURS:
        return "#c00000"
    others = [o for o in orders if o not in (*BOUNDS, OURS)]
    palette = colormaps["tab20"]
    spread = [c for c in range(20) if c not in (6, 7, 14, 15)]  # reds and greys are taken
    return mpl.colors.to_hex(palette(spread[others.index(order) % len(spread)]))


def _drawn(figure: Figure, orders: Sequence[str], legend: bool) -> Canvas:
    with mpl.rc_context({"font.size": 9, "font.family": "DejaVu Sans"}):
        canvas = Canvas(figsize=(7.2 if legend else 5.4, 3.9), layout="constrained")
        axes = canvas.add_subplot()
        for order in orders:
            points = figure.curves.get(order, ())
            (line,) = axes.plot(
                [x for x, _ in points],
                [y for _, y in points],
                color=colour(order, orders),
                linestyle={"oracle": "--", "random": ":"}.get(order, "-"),
                linewidth=2.4 if order == OURS else 1.3,
                zorder=3 if order == OURS else 2,
                label=order,
            )
            line.set_gid(f"order-{order}")
        axes.set(title=figure.title, xlabel=figure.x, ylabel=figure.y)
        axes.set_xlim(left=0)
        axes.set_ylim(0, 1.02 if figure.unit else None)
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        if legend:
            canvas.legend(loc="outside right upper", fontsize=8, frameon=False)
    return canvas
