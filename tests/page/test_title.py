"""The title of a page where the site's name is a heading too, by the layouts of manuals."""

from __future__ import annotations

import pytest

from fcacrawler.page import read_page

SITE = "<a href=/index.html>Tool 3.2 documentation</a>"
SPHINX = f"""<title>Models &#8212; Tool 3.2 documentation</title><div id=hd><h1>{SITE}</h1></div>
<h1>Models<a class=headerlink href="#models">¶</a></h1><p>A model is the source of information about data.</p>"""
SOURCE = f"""<title>tool.db.models &mdash; Tool 3.2 documentation</title><div id=docs-header><h1>{SITE}</h1></div>
<div role=main><h1>Source code for tool.db.models</h1><pre>import this</pre></div>"""
BOOK = """<title>E0445 - Error codes index</title><div class=menu-bar><h1 class=menu-title>Error codes index</h1></div>
<main><h1>Error code E0445</h1><p>A private trait was used on a public type.</p></main>"""
HEADER = """<title>{}</title><header><h1>{}</h1></header><p>The text.</p>"""


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        (SPHINX, "Models"),
        (SOURCE, "tool.db.models"),
        (BOOK, "E0445"),
        (SPHINX.replace("Models &#8212; Tool 3.2 documentation", "Tool 3.2 documentation"), "Models"),
        (SPHINX.replace("Models &#8212; Tool 3.2 documentation", ""), "Models"),
        (HEADER.format("Tea | Quill", "<a href=/>Quill</a>"), "Tea"),
        (HEADER.format("Tea | Shop | Quill", "Quill"), "Tea | Shop"),
        (HEADER.format("Tea | Quill", "Tea"), "Tea"),
        (HEADER.format("Quill | Tea", "<a href=/>Quill</a>") + "<h1>Tea</h1>", "Tea"),
        (HEADER.format("Tea | Quill", "<a href='/x'>Tea</a>"), "Tea"),
        ("<title>Tea - Quill</title><article><h1><a href='/x'>Tea</a></h1><p>The text.</article>", "Tea"),
        ("<title>Tea - Quill</title><meta property=og:site_name content=Quill><h1>All of it</h1>", "Tea"),
        ("<title>Quill</title><meta property=og:site_name content=Quill><h1>Tea</h1>", "Tea"),
        (
            "<title>Green tea - Drinks</title><meta property=og:title content='Green tea'><h1>Hot</h1>",
            "Green tea",
        ),
        ("<title>Green tea - Drinks</title><h1>Hot</h1>", "Green tea - Drinks"),
        ("<header><h1><a href=/>Quill</a></h1></header>", ""),
        ("<meta property=og:title content=Tea><header><h1><a href=/>Quill</a></h1></header>", "Tea"),
    ],
)
def test_a_title_is_the_pages_and_not_the_sites(markup: str, title: str) -> None:
    assert read_page("http://e.test/x", "http://e.test/x", markup.encode()).title == title
