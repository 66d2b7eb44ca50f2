"""What a crawl has found, as a map: the iceberg lattice of its relevant pages' keywords, drawn as SVG.

Why so: decision 207.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fcacrawler.evaluation.merged import merged
from fcacrawler.page.text.plain import plain
from fcacrawler.semrank.context import Table, table
from fcacrawler.semrank.draw import covers, iceberg, layers
from fcacrawler.semrank.kernels.arrays import ragged
from fcacrawler.semrank.kernels.concepts import iceberg as kept_concepts
from fcacrawler.semrank.layout import rows_of
from fcacrawler.semrank.masks import Masks, bits
from fcacrawler.semrank.svg import Box, Line, picture
from fcacrawler.values.omega import Pair

KEYWORDS = 12  # of a page, its best
SUPPORT = 3  # pages that a box has at the least, where not all can be drawn
TOLD = 12  # pages that a box names when it is pointed at


@dataclass(frozen=True, slots=True)
class Harvested:
    """One relevant page of a crawl."""

    url: str
    title: str
    rank: float
    keywords: tuple[str, ...]


def harvested(items: Iterable[dict[str, Any]], isa: Sequence[Pair] = ()) -> list[Harvested]:
    """The relevant ones of a crawl's items. Of their keywords those that are no names, as far as that can be told: see
    ``plain``; those in ``isa`` as one: see ``merged``."""
    relevant = [i for i in items if i.get("relevant")]
    known = plain([(str(i.get("language") or ""), list(i.get("keywords") or ())) for i in relevant])
    kept = merged([keywords[:KEYWORDS] for keywords in known], isa)
    return [
        Harvested(i["url"], i.get("title", ""), float(i.get("semrank", 0)), keywords)
        for i, keywords in zip(relevant, kept, strict=True)
    ]


def drawn_concepts(t: Table, most: int) -> tuple[list[Masks], str]:
    """At most so many concepts, and what they are: all, or those of so many of the most borne keywords as make no more
    of them. Cut by their extents instead they would be single keywords all, a star. A table of keywords that no
    ``SUPPORT`` pages share is cut by extents."""
    cut, whole, least = iceberg(t, most)
    if not least:
        return cut, f"{sum(1 for extent, _ in cut if extent)} of {whole} concepts"
    times = Counter(k for row in t.rows for k in row)
    borne = sorted((k for k in times if times[k] >= SUPPORT), key=lambda k: (-times[k], k))
    found: list[Masks] = []
    for m in range(1, len(borne) + 1):
        mine = {k: i for i, k in enumerate(sorted(borne[:m]))}
        back = list(mine)
        rows = ragged([sorted(mine[k] for k in row if k in mine) for row in t.rows])
        concepts = kept_concepts(rows, m, SUPPORT, most)
        if len(concepts) > most:
            break
        masks = zip(concepts.extents, concepts.intents, strict=True)
        found = [Masks(sum(1 << u for u in x.tolist()), sum(1 << back[k] for k in y.tolist())) for x, y in masks]
    if not found:
        return cut, f"{len(cut)} of {whole} concepts, those of {least} pages or more"
    found.sort(key=lambda c: (-c.extent.bit_count(), c.intent.bit_count(), c.intent))
    return found, f"{len(found)} of {whole} concepts, those of {SUPPORT} pages or more and the commonest keywords"


def draw_topic(pages: Sequence[Harvested], topic: str, most: int = 40) -> str:
    """The concepts of the commonest keywords: the redder a box, the higher its pages rank on the mean."""
    by_url = {p.url: p for p in pages}
    t = table({p.url: p.keywords for p in pages}, KEYWORDS)
    drawn, which = drawn_concepts(t, most)
    found = [concept for concept in drawn if concept.extent]  # the bottom may hold no page
    edges = covers(found)
    boxes: dict[Hashable, Box] = {}
    for j, (extent, intent) in enumerate(found):
        above = [found[i].intent for i, k in edges if k == j]
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
    note = f"{len(pages)} relevant pages; {which}"
    return picture(topic, [note], rows_of(layers(found, edges), edges), boxes, [Line(i, j) for i, j in edges])
