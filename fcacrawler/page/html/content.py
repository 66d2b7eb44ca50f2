"""Which blocks of a page are its main content.

Every block votes with its characters: those outside links speak for content, those in links and the mere number of
blocks against it. The main content is the run of blocks with the largest sum (*Pasternack & Roth 2009* do so with
tokens), less what is boilerplate inside that run. One pass, linear.

Why so: decision 011.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from fcacrawler.page.html.shapes import Block, Shape

_COST = 18.0  # characters outside links that a block must have to speak for content
_SMALL_COST = 4.0  # … where short blocks are to be expected: cells, items of lists, lines of verse
_SMALL = frozenset(("td", "th", "li", "dt", "dd", "br", "tr", "figcaption", "caption", "summary", "option"))
_LINKED = 1.5  # how much a character in a link speaks against it
_LIST = 0.8  # of a block's characters stand in links: then it is a list of links
_MAIN = 200  # characters outside links that <main> must hold to be believed
_PART = 0.15  # of the text outside links may not be less than this, or what sounds like boilerplate is none


def main_blocks(blocks: Sequence[Block]) -> Sequence[Block]:
    """The blocks of the main content, in order; of a list of links what is no boilerplate, in <main> if it has one."""
    listed = free = [b for b in blocks if b.main and not b.zone]
    if _said(free) < _MAIN:
        free = [b for b in blocks if not b.zone]
        listed = listed or free
        for zone in sorted({b.zone for b in blocks} - {0}):
            more = [b for b in blocks if b.zone <= zone]
            if _said(free) < _PART * _said(more):
                free = more
    return _without_rests(_best_run(free)) or listed or blocks


def declared_main(blocks: Sequence[Block]) -> Sequence[Block]:
    """What a page itself calls its main part, if that can be believed: short lines at its ends too, for its readers."""
    main = [b for b in blocks if b.main and not b.zone]
    return _without_rests(main, links=True) if _said(main) >= _MAIN else ()


def _said(blocks: Iterable[Block]) -> int:
    """Characters outside links."""
    return sum([b.size - b.linked for b in blocks if not b.heading])


def _best_run(blocks: Sequence[Block]) -> Sequence[Block]:
    """The run with the largest sum of votes (Kadane's algorithm), with the headings that lead to it."""
    best = total = 0.0
    start = begin = end = 0
    for i, b in enumerate(blocks):
        if total <= 0:
            total, start = 0.0, i
        if not b.heading:
            small = b.tag in _SMALL or (b.shape is not None and b.shape.code is not None)
            total += b.size - (1 + _LINKED) * b.linked - (_SMALL_COST if small else _COST)
        if total > best:
            best, begin, end = total, start, i + 1
    while begin and blocks[begin - 1].heading:
        begin -= 1
    return blocks[begin:end]


def _without_rests(blocks: Sequence[Block], links: bool = False) -> list[Block]:
    """Less lists of links, headings over nothing, and what has been said before (captions of galleries). A cell that is
    a link stays in a table that says more than links do."""
    found: list[Block] = []
    headings: list[Block] = []
    known: set[str] = set()
    telling: set[Shape | None] | None = None
    for b in blocks:
        if b.heading:
            headings.append(b)
        elif b.linked > _LIST * b.size and not links:
            if telling is None:
                telling = _telling_tables(blocks)
            if b.shape is not None and b.shape.table in telling:
                found += headings
                found.append(b)
                headings.clear()
        elif b.tag in _SMALL or b.text not in known or _says_again(b):
            known.add(b.text)
            found += headings
            found.append(b)
            headings.clear()
    return found


def _says_again(b: Block) -> bool:
    """Code and tables do."""
    return b.shape is not None and (b.shape.code is not None or b.shape.table is not None)


def _telling_tables(blocks: Iterable[Block]) -> set[Shape | None]:
    """Those that are no lists of links."""
    size, linked = Counter[Shape](), Counter[Shape]()
    for b in blocks:
        table = b.shape.table if b.shape is not None else None
        if table is not None:
            size[table] += b.size
            linked[table] += b.linked
    return {table for table in size if linked[table] <= _LIST * size[table]}
