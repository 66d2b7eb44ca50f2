"""The main content as a text for people: plain, a line a block and code as it is laid out; or as Markdown.

A page's own words never become markup: what could be read as a tag, a link or a heading is escaped, and links lead to
http and https alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby, islice, takewhile

from fcacrawler.page.html.scan import Scan
from fcacrawler.page.html.shapes import Block, Shape
from fcacrawler.page.html.shown import printable, shown, without_unseen
from fcacrawler.page.identity.urls import resolve

_LINES = 20_000  # of code in one block
_CELL = 2000  # characters of a cell; a table with a longer one is there for the layout
_ESCAPED = str.maketrans({c: f"\\{c}" for c in "\\`<[]"})
_IN_URL = str.maketrans({"(": "%28", ")": "%29", "<": "%3C", ">": "%3E", " ": "%20", "\\": "%5C", "|": "%7C"})
_BEGINS_BLOCK = ("#", ">", "-", "+", "*", "=", "|", "~")


def plain(seen: Scan, blocks: Sequence[Block]) -> str:
    """A line a block; code with its own lines."""
    shows = seen.plain
    said = [b.text if shows and (b.shape is None or b.shape.code is None) else _line(seen, b) for b in blocks]
    return "\n".join(filter(None, said))


def _line(seen: Scan, block: Block) -> str:
    if block.shape is not None and block.shape.code is not None:
        return "\n".join(code_lines(seen, block))
    return printable(block.text)


def code_lines(seen: Scan, block: Block) -> list[str]:
    """As they are indented; without what a highlighter has put beside them, which is their numbers."""
    raw = seen.text[seen.offsets[block.start] : seen.offsets[block.end]]
    lines = [without_unseen(line.expandtabs(4)).rstrip() for line in islice(raw.splitlines(), _LINES)]
    if len(lines) > 1 and all(line.strip().isdecimal() for line in lines if line):
        return []
    begin = next((i for i, line in enumerate(lines) if line), len(lines))
    end = next((i for i in range(len(lines), begin, -1) if lines[i - 1]), begin)
    return lines[begin:end]


def markdown(seen: Scan, blocks: Sequence[Block], base: str, most: int) -> str:
    """Headings, lists, quotations, links, tables and code as CommonMark and GitHub's tables have them. Ends between two
    blocks once there are ``most`` characters. ``base``: what links are relative to."""
    found: list[str] = []
    size = 0
    for part in _Writer(seen, base).parts(blocks):
        found.append(part)
        size += len(part) + 2
        if size > most:
            break
    return "".join(found).strip("\n")


class _Writer:
    def __init__(self, seen: Scan, base: str) -> None:
        self.seen = seen
        self.base = base
        self._urls: dict[str, str] = {}
        self._marked: Shape | None = None  # the item of a list whose mark has been written

    def parts(self, blocks: Sequence[Block]) -> Iterator[str]:
        """Each with the empty lines that it needs before it."""
        before: Shape | None = None  # the item of a list that the last block stands in
        for (kind, shape), run in groupby(blocks, _kind):
            several = list(run)
            if kind == "code":
                assert shape is not None
                if fenced := self._fenced(several, shape):
                    yield self._set("\n\n", fenced, shape)
            elif kind == "table" and shape is not None and (table := self._table(several)):
                yield self._set("\n\n", table, shape.outer)
            else:
                for block in several:
                    item = block.shape.nearest("li") if block.shape is not None else None
                    near = item is not self._marked and _lists(item) & _lists(before)
                    yield self._set("\n" if near else "\n\n", self._text(block), block.shape)
                    before = item
                continue
            before = None

    def _set(self, gap: str, text: str, shape: Shape | None) -> str:
        """In its place among lists and quotations."""
        quote = "> " * _count(shape, "blockquote")
        item = shape.nearest("li") if shape is not None else None
        first = rest = ""
        if item is not None:
            rest = "    " * _count(item, "li")
            first = rest if item is self._marked else f"{rest[4:]}{_mark(item)}"
            self._marked = item
        lines = [f"{quote}{rest if n else first}{line}".rstrip() for n, line in enumerate(text.split("\n"))]
        return gap + "\n".join(lines)

    def _text(self, block: Block) -> str:
        text = self._inline(block.start, block.end)
        if block.heading:
            return f"{'#' * int(block.tag[1])} {text}"
        number = text.split(".", 1)[0] if text[:1].isdecimal() else ""
        if text.startswith(_BEGINS_BLOCK):
            return f"\\{text}"
        numbered = number.isdecimal() and text[len(number) :].startswith(". ")
        return f"{number}\\{text[len(number) :]}" if numbered else text

    def _inline(self, start: int, end: int) -> str:
        """A stretch of the stream on one line, with its links and code."""
        marks = sorted([*self._links(start, end), *self._codes(start, end)])
        pieces, at = [], start
        for begin, stop, url in marks:
            if begin < at:
                continue
            pieces += [self._said(at, begin).translate(_ESCAPED), self._marked_up(begin, stop, url)]
            at = stop
        pieces.append(self._said(at, end).translate(_ESCAPED))
        return shown("".join(pieces))

    def _marked_up(self, begin: int, stop: int, url: str) -> str:
        raw = self._said(begin, stop)
        inner = " ".join(raw.split())
        if not inner:
            return raw
        before, after = " " * raw[:1].isspace(), " " * raw[-1:].isspace()
        if url:
            return f"{before}[{inner.translate(_ESCAPED)}]({url}){after}"
        fence = "`" * (_longest_run(inner) + 1)
        space = " " if "`" in inner else ""
        return f"{before}{fence}{space}{inner}{space}{fence}{after}"

    def _said(self, start: int, end: int) -> str:
        offsets = self.seen.offsets
        return self.seen.text[offsets[start] : offsets[end]]

    def _links(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        anchors = self.seen.anchors
        first = bisect_left(anchors, start, key=lambda anchor: anchor.start)
        for anchor in takewhile(lambda anchor: anchor.start < end, islice(anchors, first, None)):
            if start < anchor.end <= end and (url := self._url(anchor.href)):
                yield anchor.start, anchor.end, url

    def _url(self, href: str) -> str:
        if href not in self._urls:
            self._urls[href] = "" if href.startswith("#") else resolve(self.base, href).translate(_IN_URL)
        return self._urls[href]

    def _codes(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        codes = self.seen.codes
        first = bisect_left(codes, (start, 0))
        for begin, stop in takewhile(lambda code: code[0] < end, islice(codes, first, None)):
            if stop <= end:
                yield begin, stop, ""

    def _fenced(self, blocks: Sequence[Block], code: Shape) -> str:
        lines = [line for block in blocks for line in code_lines(self.seen, block)]
        if not lines:
            return ""
        fence = "`" * max(3, 1 + max(map(_longest_run, lines)))
        return "\n".join((fence + code.language, *lines, fence))

    def _table(self, blocks: Sequence[Block]) -> str:
        """ "" for one that is there for the layout."""
        rows: list[list[str]] = []
        of_row: Shape | None = None
        of_cell: Shape | None = None
        captions: list[str] = []
        for block in blocks:
            assert block.shape is not None
            cell, row = block.shape.nearest("td", "th"), block.shape.nearest("tr")
            if block.tag == "caption" and not rows:
                captions.append(f"{self._text(block)}\n\n")
                continue
            if block.heading or cell is None or row is None or block.shape.table is not row.table:
                return ""
            if row is not of_row:
                rows.append([])
                of_row = row
            text = self._inline(block.start, block.end).replace("|", "\\|")
            if cell is of_cell:
                rows[-1][-1] += f" {text}"
            else:
                rows[-1] += [""] * min(cell.number - 1 - len(rows[-1]), 100) + [text]
                of_cell = cell
            if len(rows[-1][-1]) > _CELL:
                return ""
        width = max(map(len, rows), default=0)
        if width < 2:
            return ""
        told = [f"| {' | '.join([*row, *[''] * (min(width, 100) - len(row))])} |" for row in rows]
        return "".join(captions) + "\n".join([told[0], "|" + " --- |" * min(width, 100), *told[1:]])


def _kind(block: Block) -> tuple[str, Shape | None]:
    shape = block.shape
    if shape is None:
        return "", None
    if shape.code is not None:
        return "code", shape.code
    return ("table", shape.table) if shape.table is not None else ("", None)


def _count(shape: Shape | None, tag: str) -> int:
    found = 0
    while shape is not None and (nearest := shape.nearest(tag)) is not None:
        found, shape = found + 1, nearest.outer
    return found


def _lists(item: Shape | None) -> set[Shape]:
    """Those that an item stands in."""
    found = set()
    while item is not None and (holder := item.nearest("ul", "ol")) is not None:
        found.add(holder)
        item = holder.outer
    return found


def _mark(item: Shape) -> str:
    ordered = (holder := item.nearest("ul", "ol")) is not None and holder.tag == "ol"
    return f"{item.number}. ".ljust(4) if ordered else "-   "


def _longest_run(text: str) -> int:
    longest = 0
    if "`" in text:
        longest = max(len(list(run)) for mark, run in groupby(text) if mark == "`")
    return longest
