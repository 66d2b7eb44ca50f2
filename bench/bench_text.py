"""How well the main text is found and written, against trafilatura: prose, code, cells and rows of tables, CPU.

Run: python bench/bench_text.py [--world ../shared/worlds/wikispeedia] [--manuals FOLDER] [--pages 150]
FOLDER holds HTML files whose main part has role="main" (manuals made by Sphinx, as Debian's -doc packages have them).
trafilatura is not needed for anything else: pip install trafilatura, or put where it is into PYTHONPATH.
"""

from __future__ import annotations

import argparse
import html
import importlib.util
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from lxml import etree

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME))

from fcacrawler.page import PageOptions, read_page  # noqa: E402
from fcacrawler.worlds.replay import RecordedWorld  # noqa: E402

TEMPLATES = HOME / "tests" / "page" / "templates"
WORD = re.compile(r"[\u3400-\u9fff]|[^\W_]+")
HERE = "http://e.test/"


@dataclass(frozen=True)
class Marked:
    """A page, and what its main part holds."""

    body: bytes
    words: Counter[str]
    code: tuple[str, ...] = ()  # lines
    rows: tuple[tuple[str, ...], ...] = ()  # of tables: cells


def ours(kind: str) -> Callable[[bytes], str]:
    options = PageOptions(text=kind)
    return lambda body: read_page(HERE, HERE, body, content_type="text/html; charset=utf-8", options=options).written


def trafilaturas(**more: Any) -> Callable[[bytes], str]:
    from trafilatura import extract

    return lambda body: extract(body, include_comments=False, include_tables=True, favor_recall=True, **more) or ""


def ways() -> dict[str, Callable[[bytes], str]]:
    found = {"ours, plain": ours("plain"), "ours, markdown": ours("markdown")}
    if importlib.util.find_spec("trafilatura"):
        found["trafilatura, text"] = trafilaturas()
        found["trafilatura, markdown"] = trafilaturas(
            output_format="markdown", include_links=True, include_formatting=True
        )
    return found


def bag(text: str) -> Counter[str]:
    text = re.sub(r"\]\([^)\s]*\)", " ", text)
    return Counter(WORD.findall(text.replace("\\", "").lower()))


def f1(marked: Counter[str], found: Counter[str]) -> float:
    return 2 * (marked & found).total() / max(1, marked.total() + found.total())


def flat(element: Any) -> str:
    return " ".join("".join(element.itertext()).replace("¶", "").split())


def marked_by(body: bytes, main: str) -> Marked | None:
    tree = etree.fromstring(body, etree.HTMLParser(encoding="utf-8"))
    if tree is None:
        return None
    etree.strip_elements(tree, "script", "style", etree.Comment, with_tail=False)
    parts = tree.xpath(main)
    if not parts:
        return None
    code, rows = [], []
    for part in parts:
        for pre in part.iter("pre"):
            if not any(up.get("class") in ("linenos", "gutter") for up in pre.iterancestors()):
                code += [line.rstrip().expandtabs(4) for line in "".join(pre.itertext()).splitlines() if line.strip()]
        for row in part.xpath(".//tr[not(ancestor::td) and not(.//pre) and count(td|th) > 1]"):
            cells = tuple(filter(None, map(flat, row.xpath("td|th"))))
            rows += [cells] if len(cells) > 1 and max(map(len, cells)) < 300 else []
    words = bag(" ".join("".join(part.itertext()) for part in parts).replace("¶", " "))
    return Marked(body, words, tuple(code), tuple(rows)) if words.total() > 50 else None


def templates() -> Iterable[Marked]:
    for path in sorted(TEMPLATES.glob("*.html")):
        source = path.read_text("utf-8")
        main = " ".join(re.findall(r"<!--main-->(.*?)<!--/main-->", source, re.S))
        bare = re.sub(r"<(select|button)\b.*?</\1>|<[^>]*>", " ", main, flags=re.S | re.I)
        told = marked_by(f"<body><div role=main>{main}</div>".encode(), "//*[@role='main']")
        body = re.sub("<!--/?main-->", "", source).encode()
        yield Marked(body, bag(html.unescape(bare)), told.code if told else (), told.rows if told else ())


def articles(folder: Path, most: int) -> Iterable[Marked]:
    world = RecordedWorld(folder)
    urls = list(world.urls())
    for url in urls[:: max(1, len(urls) // most)]:
        answer = world.answer(url)
        if answer is not None and (found := marked_by(answer.body, "//h1 | //*[@id='bodyContent']")):
            yield found
    world.close()


def manuals(folder: Path, most: int) -> Iterable[Marked]:
    paths = [p for p in sorted(folder.rglob("*.html")) if 3_000 < p.stat().st_size < 400_000]
    chosen = paths[:: max(1, len(paths) // (3 * most))]
    found = 0
    for path in chosen:
        body = path.read_bytes()
        if b'role="main"' in body and found < most and (marked := marked_by(body, "//*[@role='main']")):
            found += 1
            yield marked


def figure(name: str, value: float | None, **more: object) -> None:
    print(json.dumps({"figure": name, "value": value if value is None else round(value, 4), **more}), flush=True)


def measured(where: str, pages: Sequence[Marked]) -> None:
    figure(f"{where}: pages", len(pages), code=sum(len(p.code) for p in pages), rows=sum(len(p.rows) for p in pages))
    for name, way in ways().items():
        way(pages[0].body)
        begin = process_time()
        texts = [way(page.body) for page in pages]
        spent = process_time() - begin
        words = sum(f1(page.words, bag(text)) for page, text in zip(pages, texts, strict=True)) / len(pages)
        figure(f"{where}: F1 of words: {name}", words)
        shown = [(page, *seen_in(text)) for page, text in zip(pages, texts, strict=True)]
        exact = [line in lines for page, lines, _ in shown for line in page.code]
        cells = [" ".join(bag_of(cell)) in flatly for page, _, flatly in shown for row in page.rows for cell in row]
        whole = [row_in(row, lines) for page, lines, _ in shown for row in page.rows]
        for what, kept in (("lines of code as they are", exact), ("cells", cells), ("rows on one line", whole)):
            figure(f"{where}: {what}: {name}", sum(kept) / len(kept) if kept else None)
        figure(f"{where}: CPU ms a page: {name}", 1000 * spent / len(pages))


def seen_in(text: str) -> tuple[set[str], str]:
    """Its lines, with and without what tells the list or quotation that they stand in; and its words in a row."""
    lines = [re.sub(r"^(?: {0,12}> ?(?!>))+", "", line).rstrip() for line in text.splitlines()]
    inner = {line[depth:] for line in lines for depth in (4, 8, 12) if line.startswith(" " * depth)}
    return {*lines, *inner}, " ".join(bag_of(text))


def bag_of(text: str) -> list[str]:
    return WORD.findall(re.sub(r"\]\([^)\s]*\)", " ", text).replace("\\", "").lower())


def row_in(row: Sequence[str], lines: Iterable[str]) -> bool:
    words = [" ".join(bag_of(cell)) for cell in row]
    return any(
        all(cell in line for cell in words) for line in (" ".join(bag_of(line)) for line in lines if "|" in line)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", type=Path, default=HOME / ".." / "shared" / "worlds" / "wikispeedia")
    parser.add_argument("--manuals", type=Path)
    parser.add_argument("--pages", type=int, default=150)
    given = parser.parse_args()
    measured("templates", list(templates()))
    if given.world.exists():
        measured("wikispeedia", list(articles(given.world, given.pages)))
    if given.manuals:
        measured("manuals", list(manuals(given.manuals, given.pages)))


if __name__ == "__main__":
    main()
