"""The main text as people want it: plain, with code as it is laid out, or as Markdown."""

from __future__ import annotations

import pytest

from fcacrawler.page import PageOptions, read_page
from fcacrawler.values.pages import Page

HERE = "http://e.org/d/"
ENOUGH = "<p>" + "Words that are enough for the main part of a page to be believed. " * 4 + "</p>"


def read(body: str, text: str = "markdown", **options: int) -> Page:
    html = f"<html><body><main>{ENOUGH}{body}{ENOUGH.replace('Words', 'Other words')}</main></body></html>"
    return read_page(HERE, HERE, html.encode(), options=PageOptions(text=text, **options))


def written(body: str, text: str = "markdown") -> str:
    return read(body, text).written.partition("\n")[2].rpartition("\n")[0].strip("\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h2>One <i>two</i></h2><p>x y</p>", "## One two\n\nx y"),
        ("<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>", "-   a\n    -   b\n    -   c\n-   d"),
        ("<ol start=9><li>a<li>b</ol>", "9.  a\n10. b"),
        ("<ul><li>a<p>b</p></li></ul><ol><li>c</ol>", "-   a\n\n    b\n\n1.  c"),
        ("<p>see <a href='../x(1)?a=b'>this  one</a>.</p>", "see [this one](http://e.org/x%281%29?a=b)."),
        ("<p>use <code>a`b</code> or <code>c</code></p>", "use `` a`b `` or `c`"),
        (
            "<pre class='lang-py'><b>def</b> f():\n\treturn 1\n\n\n  # end\n</pre>",
            "```py\ndef f():\n    return 1\n\n\n  # end\n```",
        ),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<div class='highlight-rust x'><pre>fn</pre></div>", "```rust\nfn\n```"),
        ("<pre><code class='language-c'>int i;</code></pre>", "```c\nint i;\n```"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n\n> b"),
        (
            "<table><caption>T</caption><tr><th>n<th>m|k<tr><td><a href=/n>N</a><td>word<tr><td>alone</table>",
            "T\n\n| n | m\\|k |\n| --- | --- |\n| [N](http://e.org/n) | word |\n| alone |  |",
        ),
        ("<table><tr><td><h3>Layout</h3><p>of a page</p></table>", "### Layout\n\nof a page"),
        (
            "<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>",
            "```\na\nb\n```",  # the numbers of lines that a highlighter puts beside them
        ),
    ],
)
def test_markup_becomes_markdown(body: str, expected: str) -> None:
    assert written(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p># no heading</p>", "\\# no heading"),
        ("<p>12. no list</p>", "12\\. no list"),
        ("<p>&lt;script&gt;x&lt;/script&gt;</p>", "\\<script>x\\</script>"),
        ("<p>[a](javascript:b)</p>", "\\[a\\](javascript:b)"),
        ("<p><a href='javascript:x'>a</a> <a href='data:text/html,x'>b</a> c</p>", "a b c"),
        (
            "<p><a href='/x'>a](http://evil.test) [</a> b c d e</p>",
            "[a\\](http://evil.test) \\[](http://e.org/x) b c d e",
        ),
        ("<p>a\u202eb\x1b[31m</p>", "ab\\[31m"),
        ("<pre>a\u202eb\x1b[31m\n  c</pre>", "```\nab[31m\n  c\n```"),
    ],
)
def test_what_a_stranger_writes_does_not_become_markup(body: str, expected: str) -> None:
    assert written(body) == expected


def test_plain_text_keeps_the_lines_of_code_and_cells_that_are_links() -> None:
    body = "<pre>if x:\n    y\n</pre><table><tr><td><a href=/n>Name</a><td>what it is about</table>"
    assert written(body, "plain") == "if x:\n    y\nName\nwhat it is about"
    assert "\nName\nwhat it is about\n" in read(body, "plain").text


def test_a_table_of_nothing_but_links_is_navigation() -> None:
    links = "".join(f"<tr><td><a href=/{n}>Some other page {n}</a>" for n in range(5))
    assert "other page" not in read(f"<table>{links}</table><p>The end of it all, at last.</p>", "plain").text


def test_marks_of_links_to_headings_and_cookie_banners_are_no_text() -> None:
    body = "<h2>Install<a class=headerlink href='#install'>¶</a></h2><p>Words, and more of them.</p>"
    page = read_page(HERE, HERE, f"<body>{ENOUGH}{body}<div id=cookieConsentBar>We set cookies.</div>".encode())
    assert "¶" not in page.text
    assert page.headings == ("Install",)
    assert "cookies" not in page.text


@pytest.mark.parametrize("text", ["plain", "markdown"])
def test_a_cut_is_told(text: str) -> None:
    body = "".join(f"<p>one more paragraph of words, number {n}</p>" for n in range(40))
    assert not read(body, text).cut
    cut = read(body, text, text_chars=500)
    assert cut.cut
    assert len(cut.written) <= 500


def test_off_writes_nothing_and_reads_the_same() -> None:
    off, plain = read("<p>x</p>", "off"), read("<p>x</p>", "plain")
    assert off.written == ""
    assert off.text == plain.text


def test_what_a_page_declares_as_its_main_part_is_written_whole() -> None:
    index = "".join(f"<li><a href=/{n}>Chapter {n}</a>" for n in range(9))
    page = read_page(HERE, HERE, f"<main>{ENOUGH}<h2>Chapters</h2><ul>{index}</ul></main><p>Beside it.".encode())
    assert page.written.split("\n")[1:3] == ["Chapters", "Chapter 0"]
    assert "Beside" not in page.written
    assert "Chapter 0" not in page.text
