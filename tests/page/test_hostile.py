"""Pages made to break a parser are read within the bounds, and cost what their bytes cost.

There is no clock in these tests: what costs more than its bytes would keep them busy for minutes, or for ever.
How long each takes is measured by ``bench/bench_page.py``.
"""

import gc
import resource
import sys
import weakref
from dataclasses import fields
from types import FrameType

import pytest

from fcacrawler.page import PageOptions, keywords, read_page, terms, vector, weigh
from fcacrawler.page.html.shapes import Anchor, Block
from fcacrawler.page.text.background import background
from fcacrawler.page.text.vocabulary import vocabulary
from fcacrawler.page.text.words import tokens
from fcacrawler.values.pages import Page

HERE = "http://e.test/a/b"

MEGABYTE = 1 << 20
PAGES = {
    "nested 100,000 deep": b"<div>" * 100_000 + b"<a href=x>deep</a>",
    "open formatting elements and paragraphs": b"".join(b"<b id=%d>" % i for i in range(50_000)) + b"<p>x" * 500_000,
    "tables in tables": b"<table><tr><td>x" * 100_000,
    "200,000 links": b"".join(b"<a href=/p%d>link %d</a> " % (i, i) for i in range(200_000)),
    "one link 200,000 times": b"<a href=/p>link</a> " * 200_000,
    "200,000 links that nothing closes": b"<a href=/p>link " * 200_000,
    "an attribute of a megabyte": b'<a href="' + b"x" * MEGABYTE + b'">hi</a> there',
    "a class of a megabyte": b'<div class="' + b"nav " * (MEGABYTE // 4) + b'">hi',
    "300,000 attributes": b"<a " + b" ".join(b"a%d=1" % i for i in range(300_000)) + b">",
    "a title of four megabytes": b"<title>" + b"x - " * MEGABYTE,
    "100,000 titles": b"<title>x</title>" * 100_000,
    "a description of a megabyte": b"<meta name=description content='" + b"x " * (MEGABYTE // 2) + b"'>",
    "a refresh of a megabyte": b"<meta http-equiv=refresh content='" + b"0;url=" * (MEGABYTE // 6) + b"'>",
    "an alternative text of a megabyte": b"<a href=x><img alt='" + b"x " * (MEGABYTE // 2) + b"'></a>",
    "nothing but <": b"<" * 4 * MEGABYTE,
    "quotes that nothing closes": b'<a href="' * 400_000,
    "comments that nothing closes": b"<!--" * MEGABYTE,
    "a script that nothing closes": b"<script>" + b"var x;" * 600_000,
    "an element that silences, opened 400,000 times": b"<svg><p>" * 400_000,
    "nothing but white space in blocks": b"<p>\n" * MEGABYTE,
    "a word of four megabytes": b"x" * 4 * MEGABYTE,
    "half a million words": b" ".join(b"w%dq" % i for i in range(500_000)),
    "800,000 lines": b"a<br>" * 800_000,
    "null bytes": b"<p>" + b"a\0" * MEGABYTE,
    "an image": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 16_000,
    "undeclared Russian": "Привет мир ".encode("cp1251") * 300_000,
    "Chinese without spaces": "一级方程式赛车是世界上最重要的赛车比赛".encode() * 60_000,
    "a letter with a million accents": ("e" + "\u0301" * MEGABYTE).encode(),
    "text from right to left": ("\u202e" * MEGABYTE).encode(),
    "references up and up": b'<a href="' + b"../" * 600 + b'x">x</a>' * 2000,
    "references down and up": b"".join(b'<a href="%s%d">x</a>' % (b"a/../" * 380, i) for i in range(2000)),
    "broken escapes": b"".join(b'<a href="/%d%s">x</a>' % (i, b"%zz\xe9" * 400) for i in range(2000)),
    "long foreign hosts": ('<a href="http://' + ".".join(["ü" * 60] * 4) + '/%d">x</a>').encode() * 4000,
    "long queries": b"".join(b'<a href="?%d&%s">x</a>' % (i, b"&".join([b"a=1"] * 400)) for i in range(2000)),
    "code in code": b"<pre>x\n" * 100_000,
    "code spans that nothing closes": b"<code>x" * 300_000,
    "a row of 300,000 cells": b"<table><tr>" + b"<td>x" * 300_000,
    "lists in lists": b"<ul><li>x" * 100_000,
    "properties in properties": b"<div itemscope itemtype=Article>" + b"<div itemprop=author itemscope>x" * 80_000,
    "marks of headings": b"<p>x<a href=#y>\xc2\xb6</a>" * 150_000,
    "JSON-LD without a bottom": b'<script type="application/ld+json">' + b"[" * 150_000 + b"</script>",
    "60,000 scripts of JSON-LD": b'<script type="application/ld+json">{"@type":"Article"}</script>' * 60_000,
    "a base of a kilobyte": b'<base href="http://e.test/' + b"a/" * 500 + b'">' + b"<a href=../b>x</a>" * 50_000,
    "cut off in a tag": b"<p>hello <a href='/x",
    "nothing": b"",
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _languages_are_loaded() -> None:
    for language in ("en", "zh", "ru"):
        terms("x", language)
    read_page(HERE, HERE, "<p>что такое".encode("cp1251"))


@pytest.mark.parametrize("name", PAGES)
def test_no_page_costs_more_than_its_bytes(name: str) -> None:
    options = PageOptions(text="markdown")
    page = read_page(HERE, HERE, PAGES[name], options=options)
    found = keywords(page)
    weights = weigh(terms(page.text, page.language), page.language)
    bounded(page, options)
    assert len(found) <= 20
    assert len(weights) <= 1000


def bounded(page: Page, options: PageOptions) -> None:
    assert len(page.links) <= options.links
    assert max(len(page.text), len(page.written)) <= options.text_chars
    assert all(len(getattr(page.about, f.name)) <= 600 for f in fields(page.about))
    assert max(map(len, (page.title, *page.headings)), default=0) <= 300
    assert len(page.headings) <= 50
    assert len(page.description) <= 1000
    assert all(len(link.url) <= 2048 and len(link.anchor) <= 300 and len(link.context) <= 600 for link in page.links)


@pytest.mark.parametrize("text", ["plain", "markdown"])
@pytest.mark.parametrize(
    "piece",
    [
        b"<ul><li>x",
        b"<table><tr><td>x",
        b"<p>x<code>y</code>",
        b"<pre>x\n",
        b"<div itemprop=author>x",
        b"<div>",
        b"<b>x",
        b"<p>x",
        b"<a href=x>",
        b"<td>x",
        b"<svg><p>",
        b"<p>\n",
        b"x ",
        b"<",
    ],
)
def test_ten_times_the_bytes_take_ten_times_the_steps(piece: bytes, text: str) -> None:
    def steps(count: int) -> int:
        taken = 0

        def step(frame: FrameType, event: str, argument: object) -> None:
            nonlocal taken
            taken += 1

        sys.setprofile(step)
        most = PageOptions(elements=10**7, links=10**6, text_chars=10**7, text=text)
        read_page(HERE, HERE, piece * count, options=most)
        sys.setprofile(None)
        return taken

    steps(300)
    assert steps(3000) <= 10 * steps(300)


def test_links_of_a_deeply_nested_page_are_found() -> None:
    body = b"<div>" * 90_000 + b"<a href=x>deep</a>"
    assert [link.anchor for link in read_page(HERE, HERE, body).links] == ["deep"]


def test_the_beginning_of_a_page_that_is_too_large_is_read() -> None:
    body = b"<title>Auto racing</title><p>" + b"All about racing. " * 10 + b"<a href=x>x</a>" + b"<i>" * 200_000
    page = read_page(HERE, HERE, body)
    assert page.truncated
    assert page.title == "Auto racing"
    assert page.text.startswith("All about racing.")
    assert len(page.links) == 1


def test_what_is_remembered_between_pages_is_small() -> None:
    read_page(HERE, HERE, PAGES["a class of a megabyte"])
    assert max(map(len, tokens("x" * 10_000 + " y", "en"))) < 100
    vector("x" * 10_000, "en")
    assert max(map(len, vocabulary("en").forms.names)) < 100


def test_what_has_been_read_of_a_page_goes_at_once_and_waits_for_no_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    read_page(HERE, HERE, b"<p>One.<p><a href=x>Two</a>" * 1000)
    left = [found for found in gc.get_objects() if isinstance(found, Anchor | Block)]
    gc.enable()
    assert not left


def test_a_language_that_is_forgotten_leaves_no_memory_behind() -> None:
    gc.disable()  # which may come late: tens of megabytes for each of the languages of a multilingual site
    forgotten = weakref.ref(background("qaa"))
    assert background("qaa").terms["x1"]
    assert background("qaa").idfs["x1"]
    for n in range(12):
        background(f"qa{n}")
    gc.enable()
    assert forgotten() is None


def test_a_thousand_hostile_pages_leave_no_memory_behind() -> None:
    body = b"<p>" + b"a<b>\n" * 300 + b"<a href=x>y</a>" * 30

    def read(count: int) -> int:
        for i in range(count):
            read_page(HERE, HERE, body + b"%d" % i)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    read(300)
    assert read(1000) - read(0) < 20_000  # kilobytes
