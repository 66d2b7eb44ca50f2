"""What a page says of itself, by whom it is said."""

from __future__ import annotations

import json

import pytest

from fcacrawler.page import read_page
from fcacrawler.values.pages import About

HERE = "http://e.org/d/"


def about(head: str = "", body: str = "<p>Words.</p>") -> About:
    return read_page(HERE, HERE, f"<html><head>{head}</head><body>{body}".encode()).about


def ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


ARTICLE = {
    "@type": "NewsArticle", "author": [{"@type": "Person", "name": "Ada"}, {"name": ["Bob"]}, "Ada"],
    "datePublished": "2024-02-03T10:00:00Z", "dateModified": "2024-02-04", "license": {"@id": "/licence"},
    "publisher": {"name": "The Paper"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (ld(ARTICLE), About("Ada, Bob", "2024-02-03T10:00:00+00:00", "2024-02-04", "The Paper", "http://e.org/licence")),
        (ld({"@graph": [{"@type": "Organization", "name": "x"}, {"@type": "BlogPosting", "author": "Eve"}]}), About(
            "Eve")),
        (ld([{"@type": "WebPage", "author": "Site"}, ARTICLE]), About(
            "Ada, Bob", "2024-02-03T10:00:00+00:00", "2024-02-04", "The Paper", "http://e.org/licence")),
        (ld({"@type": "Comment", "author": "nobody"}), About()),
        ('<script type="application/ld+json">{broken</script><meta name=author content=Ada>', About("Ada")),
        ('<meta property="article:author" content="http://f.test/"><meta name=dc.creator content="Ada">', About("Ada")),
        ('<meta property="og:updated_time" content="2024-05-06T07:08:09+02:00">', About(
            modified="2024-05-06T07:08:09+02:00")),
        ('<meta name=date content="2023-13-45"><meta name=pubdate content="2023-12-05">', About("", "2023-12-05")),
        ('<link rel="license stylesheet" href="by.html">', About(licence="http://e.org/d/by.html")),
        ('<meta name="dc.rights" content="CC BY 4.0"><meta property="og:site_name" content=" A  B ">', About(
            site="A B", licence="CC BY 4.0")),
    ],
)  # fmt: skip
def test_the_head_tells(head: str, expected: About) -> None:
    assert about(head) == expected


def test_microdata_of_an_article_tells_and_that_of_a_comment_does_not() -> None:
    body = """<article itemscope itemtype="https://schema.org/BlogPosting"><h1 itemprop=name>Title</h1>
    <p itemprop=author itemscope itemtype="https://schema.org/Person">by <b itemprop=name>Ada  L</b>, who knows</p>
    <time itemprop=datePublished datetime="2024-01-02">then</time><meta itemprop=dateModified content="2024-01-03">
    <div itemprop=comment itemscope itemtype="https://schema.org/Comment"><i itemprop=author>Eve</i></div>
    <a itemprop=license href="/by">CC BY</a></article>"""
    assert about("", body) == About("Ada L", "2024-01-02", "2024-01-03", "", "http://e.org/by")


def test_links_and_times_of_an_article_tell() -> None:
    body = '<article><a rel=author href=/ada>Ada</a><time datetime="2020-02-02">x</time><a rel=license href=/by>l</a>'
    assert about("", body) == About("Ada", "2020-02-02", "", "", "http://e.org/by")


def test_what_is_said_can_be_shown() -> None:
    assert about('<meta name=author content="A\u202ed\x1ba">').author == "Ada"
