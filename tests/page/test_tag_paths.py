"""Where in a page's layout links stand."""

from __future__ import annotations

from fcacrawler.page import read_page

URL = "http://test/"


def paths(html: str) -> dict[str, str]:
    page = read_page(URL, URL, f"<html><body>{html}".encode(), content_type="text/html; charset=utf-8")
    return {link.url.removeprefix(URL): link.path for link in page.links}


def test_menus_lists_trails_and_text_are_told_apart() -> None:
    found = paths(
        """<nav class="main menu"><ul><li><a href=menu>Menu</a></ul></nav>
        <div class=breadcrumb><a href=above>Above</a> &gt; here</div>
        <div id=content><p>Some text with <b>a <a class="internal link" href=text>link</a></b> in it.</p>
        <ul><li><a href=list>An entry</a><li class="entry odd"><a href=other>Another</a></ul></div>"""
    )
    assert found == {
        "menu": "~a/li/ul/nav.main/body/html",
        "above": "~a/div.breadcrumb/body/html",
        "text": "a.internal/p/div#content/body/html",
        "list": "a/li/ul/div#content/body/html",
        "other": "a/li.entry/ul/div#content/body/html",
    }


def test_a_path_is_that_of_what_is_open_whatever_was_left_open_before() -> None:
    found = paths("<table class=a><tr><td><a href=1>1</a><td><p><a href=2>2</a></table></div></p><div><a href=3>3</a>")
    assert found == {"1": "a/td/tr/table.a/body/html", "2": "a/p/td/tr/table.a/body/html", "3": "a/div/body/html"}


def test_what_has_a_number_in_its_name_is_like_its_kind_and_a_paragraphs_own_name_tells_nothing() -> None:
    found = paths("<div id=post-1234><p id=why><a href=1>1</a></div><div id=post-99><p id=how><a href=2>2</a></div>")
    assert found == dict.fromkeys("12", "a/p/div#post-9/body/html")


def test_nesting_without_an_end_makes_a_path_of_six_elements() -> None:
    found = paths("<div class=a>" + "<div>" * 3000 + "<a href=deep>x</a>" + "</div>" * 3000 + "<a href=out>y</a>")
    assert found == {"deep": "a/div/div/div/div/div/div", "out": "a/div.a/body/html"}
