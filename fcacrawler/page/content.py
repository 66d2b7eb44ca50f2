"""Which blocks of a page are its main content.

Every block votes with its characters: those outside links speak for content, those in links and the mere number of
blocks against it. The main content is the run of blocks with the largest sum (*Pasternack & Roth 2009* do so with
tokens), less what is boilerplate inside that run. One pass, linear.
"""

from __future__ import annotations

from collections.abc import Sequence

from fcacrawler.page.scan import Block

_COST = 18.0  # characters outside links that a block must have to speak for content
_LINKED = 1.5  # how much a character in a link speaks against it
_MAIN = 200  # characters outside links that <main> must hold to be believed


def main_blocks(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of the main content, in order."""
    if sum(b.size - b.linked for b in blocks if b.main and not b.zone) >= _MAIN:
        return [b for b in blocks if b.main and not b.zone and not _is_list_of_links(b)]
    for zone in (0, 1, 2):
        free = [b for b in blocks if b.zone <= zone]
        if sum(b.size - b.linked for b in free) >= _MAIN:
            break
    found = [b for b in _best_run(free) if not _is_list_of_links(b)]
    return found or [b for b in free if not _is_list_of_links(b)] or free


def _is_list_of_links(block: Block) -> bool:
    return not block.heading and block.linked > 0.8 * block.size


def _best_run(blocks: Sequence[Block]) -> Sequence[Block]:
    """The run with the largest sum of votes (Kadane's algorithm)."""
    best = total = 0.0
    start = begin = end = 0
    for i, b in enumerate(blocks):
        if total <= 0:
            total, start = 0.0, i
        total += (b.size - b.linked) - _LINKED * b.linked - (0 if b.heading else _COST)
        if total > best:
            best, begin, end = total, start, i + 1
    while begin and blocks[begin - 1].heading:
        begin -= 1
    return blocks[begin:end]
