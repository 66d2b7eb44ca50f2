"""What a crawl has found, as a map: the iceberg lattice of its relevant pages' keywords, drawn as SVG."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fcacrawler.semrank.context import table
from fcacrawler.semrank.draw import covers, iceberg, layers
from fcacrawler.semrank.layout import rows_of
from fcacrawler.semrank.masks import bits
from fcacrawler.semrank.svg import Box, Line, picture

KEYWORDS = 8  # of a page, its best
TOLD = 12  # pages that a box names when it is pointed at


@dataclass(frozen=True, slots=True)
class Harvested:
    """One relevant page of a crawl."""

    url: str
    title: str
    rank: float
    keywords: tuple[str, ...]


def harvested(items: Iterable[dict[str, Any]]) -> list[Harvested]:
    """The relevant ones of a crawl's items."""
    return [
        Harvested(
            i["url"], i.get("title", ""), float(i.get("semrank", 0)), tuple(list(i.get("keywords", {}))[:KEYWORDS])
        )
        for i in items
        if i.get("relevant")
    ]


def draw_topic(pages: Sequence[Harvested], topic: str, most: int = 40) -> str:
    """The concepts with the most pages: the redder a box, the higher its pages rank on the mean."""
    by_url = {p.url: p for p in pages}
    t = table({p.url: p.keywords for p in pages}, KEYWORDS)
    drawn, whole, least = iceberg(t, most)
    found = [concept for concept in drawn if concept[0]]  # the bottom may hold no page
    edges = covers(found)
    boxes: dict[Hashable, Box] = {}
    for j, (extent, intent) in enumerate(found):
        above = [found[i][1] for i, k in edges if k == j]
        inherited = [t.keywords[k] for k in bits(intent) if any(mask >> k & 1 for mask in above)]
        own = [t.keywords[k] for k in bits(intent) if not any(mask >> k & 1 for mask in above)]
        held = sorted((by_url[t.urls[u]] for u in bits(extent)), key=lambda p: (-p.rank, p.url))
        mean = sum(p.rank for p in held) / len(held)
        best = "\n".join(f"{p.rank:.2f} {p.title or p.url}" for p in held[:TOLD])
        boxes[j] = Box(
            own or ([] if inherited else ["all pages"]),
            [f"{len(held)} pages · rank {mean:.2f}"],
            f"{', '.join(inherited + own) or 'all pages'}\n{best}",
            inherited=", ".join(inherited),
            shade=mean,
        )
    note = f"{len(pages)} relevant pages; {len(found)} of {whole} concepts"
    note += f", those of {least} pages or more" if least else ""
    return picture(topic, [note], rows_of(layers(found, edges), edges), boxes, [Line(i, j) for i, j in edges])
