"""What reading a page costs and how well it is read: parsers, main text, keywords, near-duplicates, hostile pages.

Run: python bench/bench_page.py [--world ../shared/worlds/wikispeedia] [--pages 230]
Rivals that are not installed are left out: pip install selectolax html5lib trafilatura justext
"""

from __future__ import annotations

import argparse
import html
import importlib.util
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time

from lxml import etree
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME))

from fcacrawler.page import keywords, normalise_query, read_page, simhash, vector  # noqa: E402
from fcacrawler.page.html.scan import scan  # noqa: E402
from fcacrawler.page.text.words import tokens  # noqa: E402
from fcacrawler.worlds.replay import RecordedWorld  # noqa: E402

TEMPLATES = HOME / "tests" / "page" / "templates"
WORD = re.compile(r"[\u3400-\u9fff]|[^\W_]+")
EXTRACT = LinkExtractor()
ROUNDS = 3  # the best of so many counts: other programs only ever make it slower
Bodies = Sequence[tuple[str, bytes]]


def figure(name: str, value: float, against: float | None = None) -> None:
    ratio = round(value / against, 3) if against else None
    print(json.dumps({"figure": name, "value": round(value, 4), "against": against, "ratio": ratio}), flush=True)


def cost(work: Callable[[str, bytes], object], bodies: Bodies) -> float:
    """CPU milliseconds a page."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = process_time()
        for url, body in bodies:
            work(url, body)
        best = min(best, process_time() - begin)
    return 1000 * best / len(bodies)


# -- parsers --------------------------------------------------------------------------------------------------------


def lxml_tree(url: str, body: bytes) -> None:
    """A tree, and one look at each element."""
    tree = etree.fromstring(body, etree.HTMLParser(encoding="utf-8"))
    for element in tree.iter():
        _ = element.tag, element.text, element.tail


def lexbor_tree(url: str, body: bytes) -> None:
    for node in importlib.import_module("selectolax.lexbor").LexborHTMLParser(body).root.traverse(include_text=True):
        _ = node.tag


def html5lib_tree(url: str, body: bytes) -> None:
    importlib.import_module("html5lib").parse(body, treebuilder="lxml", transport_encoding="utf-8")


def parsel_links(url: str, body: bytes) -> None:
    HtmlResponse(url, body=body, encoding="utf-8").xpath("//a/@href").getall()


def stock_links(url: str, body: bytes) -> None:
    EXTRACT.extract_links(HtmlResponse(url, body=body, encoding="utf-8"))


def our_scan(url: str, body: bytes) -> None:
    scan(body.decode("utf-8", "replace"), 100_000, 10_000)


def our_page(url: str, body: bytes) -> None:
    read_page(url, url, body, content_type="text/html; charset=utf-8")


# -- main text ------------------------------------------------------------------------------------------------------


def our_text(body: bytes) -> str:
    return read_page("http://e.test/", "http://e.test/", body).text


def trafilatura_text(body: bytes) -> str:
    extract = importlib.import_module("trafilatura").extract
    return extract(body, include_comments=False, include_tables=True, favor_recall=True) or ""


def justext_text(body: bytes) -> str:
    justext = importlib.import_module("justext")
    return "\n".join(p.text for p in justext.justext(body, justext.get_stoplist("English")) if not p.is_boilerplate)


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def bag(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


def f1(marked: Counter[str], found: Counter[str]) -> float:
    return 2 * (marked & found).total() / max(1, marked.total() + found.total())


def templates() -> Iterable[tuple[Counter[str], bytes]]:
    for path in sorted(TEMPLATES.glob("*.html")):
        source = path.read_text("utf-8")
        main = " ".join(re.findall(r"<!--main-->(.*?)<!--/main-->", source, re.S))
        main = re.sub(r"<(select|button)\b.*?</\1>|<[^>]*>", " ", main, flags=re.S | re.I)
        yield bag(html.unescape(main)), re.sub("<!--/?main-->", "", source).encode()


def articles(bodies: Bodies) -> Iterable[tuple[Counter[str], bytes]]:
    """An article's text stands under its heading and in the element called bodyContent."""
    for _, body in bodies:
        tree = etree.fromstring(body, etree.HTMLParser(encoding="utf-8"))
        etree.strip_elements(tree, "script", "style", etree.Comment, with_tail=False)
        yield bag(" ".join(tree.xpath("//h1//text() | //*[@id='bodyContent']//text()"))), body


# -- what is measured -----------------------------------------------------------------------------------------------


def costs(bodies: Bodies) -> None:
    stock = cost(stock_links, bodies)
    figure("ms a page: stock Scrapy's link extractor", stock)
    rivals: dict[str, Callable[[str, bytes], object]] = {"lxml tree": lxml_tree, "parsel, links only": parsel_links}
    if installed("selectolax"):
        rivals["lexbor tree"] = lexbor_tree
    if installed("html5lib"):
        rivals["html5lib tree"] = html5lib_tree
    for name, work in {**rivals, "our scan": our_scan, "read_page": our_page}.items():
        some = bodies[::10] if name.startswith("html5lib") else bodies
        figure(f"ms a page: {name}", cost(work, some), stock)
    pages = {url: read_page(url, url, body) for url, body in bodies}

    def words(url: str, body: bytes) -> None:
        page = pages[url]
        tokens.cache_clear()
        vector(page.text, page.language)
        keywords(page)

    figure("ms a page: terms, weights and keywords", cost(words, bodies), stock)


def quality(bodies: Bodies) -> None:
    texts = {"ours": our_text}
    texts |= {"trafilatura": trafilatura_text} if installed("trafilatura") else {}
    texts |= {"justext": justext_text} if installed("justext") else {}
    for where, marked in (("templates", list(templates())), ("articles", list(articles(bodies[::3])))):
        ours = None
        for name, text in texts.items():
            value = sum(f1(gold, bag(text(body))) for gold, body in marked) / max(1, len(marked))
            ours = ours or value
            figure(f"F1 of the main text, {where}: {name}", value, ours)


def titles(bodies: Bodies) -> None:
    """How often the title, withheld, is among the five best keywords (titles of one or two words)."""
    asked = found = 0
    for url, body in bodies:
        page = read_page(url, url, body)
        title = normalise_query(page.title, "en")
        if not title or len([k for k in title if " " not in k]) > 2:
            continue
        text = "\n".join(line for line in page.text.split("\n") if line != page.title)
        asked += 1
        best = keywords(replace(page, title="", headings=(), description="", text=text), most=5)
        found += title[-1] in dict(best)
    figure("titles among five keywords", found / max(1, asked))


def duplicates(bodies: Bodies) -> None:
    dice = random.Random(1)
    texts = [t for t in (our_text(body) for _, body in bodies) if len(t) > 600]
    marks = [simhash(t) for t in texts]
    edited = 0
    for text, mark in zip(texts, marks, strict=True):
        words = text.split(" ")
        words.insert(dice.randrange(len(words)), "This sentence was added by somebody else on another mirror.")
        edited += (mark ^ simhash(" ".join(words))).bit_count() <= 5
    figure("mirrors with a sentence more found", edited / len(texts))
    figure(
        "bits between unrelated pages, least", min((a ^ b).bit_count() for i, a in enumerate(marks) for b in marks[:i])
    )


def hostile() -> None:
    pages: dict[str, bytes] = importlib.import_module("tests.page.test_hostile").PAGES
    slowest = {name: cost(our_page, [("http://e.test/", body)]) / 1000 for name, body in pages.items()}
    for name in sorted(slowest, key=slowest.__getitem__, reverse=True)[:5]:
        figure(f"seconds for a hostile page: {name} ({len(pages[name]) / 1e6:.1f} MB)", slowest[name])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", type=Path, default=HOME / ".." / "shared" / "worlds" / "wikispeedia")
    parser.add_argument("--pages", type=int, default=230)
    given = parser.parse_args()
    if given.world.exists():
        world = RecordedWorld(given.world)
        urls = list(world.urls())
        chosen = urls[:: max(1, len(urls) // given.pages)]
        bodies = [(url, answer.body) for url in chosen if (answer := world.answer(url)) is not None]
        world.close()
        print(f"{len(bodies)} pages of {sum(len(b) for _, b in bodies) / len(bodies) / 1000:.1f} kB", flush=True)
        costs(bodies)
        titles(bodies)
        duplicates(bodies)
    else:
        print(f"no world at {given.world}: templates and hostile pages only")
        bodies = []
    quality(bodies)
    hostile()


if __name__ == "__main__":
    main()
