"""Pictures as SVG: a concept lattice, and the hierarchy ∂. Strings from values; nothing is read or written here."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fcacrawler.semrank.context import Table
from fcacrawler.semrank.hierarchy import TOP, Hierarchy
from fcacrawler.semrank.kernels.concepts import concepts_of
from fcacrawler.semrank.layout import rows_of
from fcacrawler.semrank.masks import Masks, bits
from fcacrawler.semrank.similarity import concept_similarity
from fcacrawler.semrank.svg import Box, Line, picture

ENUMERATED = 200_000  # concepts looked at before a picture is cut from them


@dataclass(frozen=True, slots=True)
class Why:
    """The path by which a URL came to its rank: to be marked in a lattice."""

    url: str
    current_intent: frozenset[str] = frozenset()  # of the current concept that made the rank
    said: tuple[str, ...] = ()  # lines beneath the picture


def iceberg(t: Table, most: int) -> tuple[list[Masks], int, int]:
    """The concepts of great enough extents for no more than ``most`` to be left, how many there are, and that extent.

    Where there are more than ``ENUMERATED``, of each URL's and each keyword's own. Stumme, G. et al. (2002): Computing
    iceberg concept lattices with Titanic.

    >>> from fcacrawler.semrank.context import table
    >>> found, whole, least = iceberg(table({"U1": ["a", "b"], "U2": ["b"], "U3": ["b"]}), 2)
    >>> len(found), whole, least
    (2, 2, 0)
    """
    found = concepts_of(t, ENUMERATED)
    pairs = [
        Masks(sum(1 << u for u in x.tolist()), sum(1 << k for k in y.tolist()))
        for x, y in zip(found.extents, found.intents, strict=True)
    ]
    pairs.sort(key=lambda c: (-c.extent.bit_count(), c.intent.bit_count(), c.intent))
    if len(pairs) <= most:
        return pairs, len(pairs), 0
    least = pairs[most].extent.bit_count() + 1
    kept = [c for c in pairs if c.extent.bit_count() >= least] or pairs[:1]
    return kept, len(pairs), least


def covers(found: Sequence[Masks]) -> list[tuple[int, int]]:
    """Who is right above whom, by place: nothing is between the two.

    >>> covers([Masks(0b111, 0), Masks(0b11, 1), Masks(0b1, 0b11)])
    [(0, 1), (1, 2)]
    """
    out = []
    for j, (x, _) in enumerate(found):
        over = [i for i, (w, _) in enumerate(found) if w != x and w & x == x]
        out += [(i, j) for i in over if not any(k != i and found[k].extent & ~found[i].extent == 0 for k in over)]
    return out


def layers(found: Sequence[Masks], edges: Sequence[tuple[int, int]]) -> dict[Hashable, int]:
    """How far beneath the top each concept is, by the longest way.

    >>> layers([Masks(0b111, 0), Masks(0b11, 1), Masks(0b1, 0b11)], [(0, 1), (0, 2), (1, 2)])
    {0: 0, 1: 1, 2: 2}
    """
    layer: dict[Hashable, int] = dict.fromkeys(range(len(found)), 0)
    for i, j in sorted(edges, key=lambda e: -found[e[0]].extent.bit_count()):
        layer[j] = max(layer[j], layer[i] + 1)
    return layer


def draw_lattice(t: Table, title: str, most: int = 60, why: Why | None = None) -> str:
    """The lattice of a context as SVG: the general above, the particular below.

    A keyword is written where it comes in: whatever is below has it too. A URL is written where it belongs as
    narrowly as the picture shows: whatever is above holds it too. Above ``most`` concepts the iceberg is drawn. Each
    box tells its whole extent and intent to the pointer.
    """
    if not t.urls:
        raise ValueError("there is no URL in the context: nothing to draw")
    if why is not None and why.url not in t.urls:
        raise ValueError(f"{why.url!r} is not in the context")
    found, whole, least = iceberg(t, most)
    edges = covers(found)
    boxes: dict[Hashable, Box] = {}
    marked = _marked(t, found, why)
    for j, (x, y) in enumerate(found):
        inherited = _union(found[i].intent for i, k in edges if k == j)
        within = _union(found[k].extent for i, k in edges if i == j)
        boxes[j] = Box(
            [t.keywords[k] for k in bits(y & ~inherited)],
            [t.urls[u] for u in bits(x & ~within)] or [f"{x.bit_count()} URLs below" if x else "no URL"],
            f"{len(bits(x))} URLs: {', '.join(t.urls[u] for u in bits(x)) or 'none'}\n"
            f"{len(bits(y))} keywords: {', '.join(t.keywords[k] for k in bits(y)) or 'none'}",
            marked.get(j, ""),
            ", ".join(t.keywords[k] for k in bits(y & inherited)),
        )
    lines = [Line(i, j, "path" if i in marked and j in marked else "") for i, j in edges]
    note = f"{len(found)} concepts of {len(t.urls)} URLs and {len(t.keywords)} keywords"
    if least:
        note = f"{len(found)} of {whole} concepts: those of {least} URLs or more (of {len(t.urls)})"
    return picture(title, [note, *(why.said if why else ())], rows_of(layers(found, edges), edges), boxes, lines)


def _union(masks: Iterable[int]) -> int:
    out = 0
    for mask in masks:
        out |= mask
    return out


def _marked(t: Table, found: Sequence[Masks], why: Why | None) -> dict[int, str]:
    """The concepts on the way from the URL's own up to the one that made its rank; that one is the ``winner``."""
    if why is None:
        return {}
    url = 1 << t.urls.index(why.url)
    wanted = sum(1 << k for k, name in enumerate(t.keywords) if name in why.current_intent)
    holds = [j for j, (x, _) in enumerate(found) if x & url]
    on_way = {j: "way" for j in holds if found[j].intent & wanted == wanted}
    if wanted and on_way:
        on_way[max(on_way, key=lambda j: found[j].extent.bit_count())] = "winner"
    return on_way or dict.fromkeys(holds, "way")


def draw_hierarchy(h: Hierarchy, title: str, most: int = 60) -> str:
    """∂ as SVG: the root on top, a row a layer, Part-Of as lines, ISA as broken ones.

    Above ``most`` keywords those are drawn that are nearest to the most probable ones beneath the root, by Part-Of and
    ISA; of each, the Part-Of relations with the deepest wholes.
    """
    nodes = h.graph.nodes
    if not nodes:
        raise ValueError("the hierarchy has no keyword: nothing to draw")
    layer: dict[Hashable, int] = {n: int(nodes[n]["layer"]) for n in sorted(_nearest(h, most))}
    wholes = {n: [w for w in h.graph.pred[n] if w in layer] for n in layer}
    deepest = {n: max((layer[w] for w in above), default=0) for n, above in wholes.items()}
    part_of = [(w, n) for n, above in wholes.items() for w in above if layer[w] == deepest[n]]
    boxes: dict[Hashable, Box] = {
        n: Box(
            ["Top" if n == TOP else str(n)],
            [f"p = {nodes[n]['p']:.3g}"],
            f"layer {layer[n]}\npart of: {', '.join(sorted(h.graph.pred[n])) or '-'}",
            "winner" if n == h.root else "",
        )
        for n in layer
    }
    lines = [Line(a, b, "", f"Part-Of, W = {h.graph.edges[a, b]['weight']:.3g}") for a, b in part_of]
    lines += [Line(a, b, "isa", "ISA") for a, b in h.isa if a in layer and b in layer]
    left = f"{len(h.outside)} not beneath the root, {len(h.dropped)} Part-Of left out"
    note = f"{len(layer)} of {len(nodes)} keywords; {left}"
    return picture(title, [note], rows_of(layer, part_of), boxes, lines)


def _nearest(h: Hierarchy, most: int) -> list[str]:
    """The root, some right beneath it, and in rings around these what is related to them, the most probable first."""

    def by_p(names: Iterable[str]) -> list[str]:
        return sorted(names, key=lambda n: (-h.graph.nodes[n]["p"], n))

    related: dict[str, set[str]] = {n: {*h.graph.pred[n], *h.graph.succ[n]} - {h.root} for n in h.graph}
    for a, b in h.isa:
        if a in related and b in related:
            related[a].add(b)
            related[b].add(a)
    ring = by_p(h.graph.succ[h.root])[: max(1, most // 6)] if len(h.graph) > most else by_p(set(h.graph) - {h.root})
    chosen = dict.fromkeys([h.root, *ring])
    while ring and len(chosen) < most:
        ring = by_p({m for n in ring for m in related[n]} - chosen.keys())
        chosen.update(dict.fromkeys(ring))
    return list(chosen)[:most]


def why_of(url: str, explanation: Mapping[str, Any]) -> Why:
    """What an item of a crawl says of its rank, as ``Why``."""
    current, base = explanation.get("current_concept") or {}, explanation.get("base_concept") or {}
    said = [f"{url}: rank {float(explanation.get('rank') or 0.0):.3f}"]
    if base:
        ext, int_, w = (float(explanation.get(k) or 0.0) for k in ("ext", "int", "w"))
        parts = f"{w:.2f} · {ext:.3f} (links, clicks) + {1 - w:.2f} · {int_:.3f} (keywords)"
        intent, extent = (", ".join(base.get(k, ())) for k in ("intent", "extent"))
        said.append(f"SemRank {concept_similarity(ext, int_, w):.3f} = {parts}")
        said.append(f"by the base concept {{{intent}}} of {extent}")
        said += [", ".join(f"{a} – {b} {s:.2f}" for a, b, s in explanation.get("matched", ()))]
    return Why(url, frozenset(current.get("intent", ())), tuple(said))
