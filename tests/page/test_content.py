"""The main text of pages as they are made, from the tables of the nineties to the cards of today."""

import html
import re
from collections import Counter
from pathlib import Path

import pytest

from fcacrawler.page import read_page

TEMPLATES = sorted(Path(__file__).with_name("templates").glob("*.html"))
MAIN = re.compile(r"<!--main-->(.*?)<!--/main-->", re.S)
MARKUP = re.compile(r"<(select|button)\b.*?</\1>|<[^>]*>", re.S | re.I)
WORD = re.compile(r"[\u3400-\u9fff]|[^\W_]+")
HARD = {"hub": 0.84, "forum": 0.94}  # a page of nothing but links; a page of remarks by many people


def words(text: str) -> "Counter[str]":
    return Counter(WORD.findall(text.lower()))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_the_main_text_is_found_and_little_else(template: Path) -> None:
    source = template.read_text("utf-8")
    marked = words(html.unescape(MARKUP.sub(" ", " ".join(MAIN.findall(source)))))
    plain = source.replace("<!--main-->", "").replace("<!--/main-->", "")
    found = words(read_page("http://e.test/", "http://e.test/", plain.encode()).text)
    both = (marked & found).total()
    precision, recall = both / found.total(), both / marked.total()
    assert 2 * precision * recall / (precision + recall) >= HARD.get(template.stem, 0.93), (precision, recall)
    assert recall >= 0.93


def test_a_page_of_nothing_but_navigation_has_that_for_its_text() -> None:
    page = read_page("http://e.test/", "http://e.test/", b"<nav><a href=a>Rally</a> <a href=b>Karting</a></nav>")
    assert page.text == "Rally Karting"


def test_of_a_list_of_links_the_text_is_what_it_lists_without_menus() -> None:
    menu, rest = b"<nav><a href=m>Menu</a></nav>", b"<footer><a href=i>Imprint</a></footer>"
    listed = b"<ul><li><a href=a>Tin toys</a><li><a href=b>Kites</a></ul>"
    beside = b"<div><a href=x>Popular</a></div>"
    for body, text in ((listed, "Popular\nTin toys\nKites"), (b"<main>" + listed + b"</main>", "Tin toys\nKites")):
        assert read_page("http://e.test/", "http://e.test/", menu + beside + body + rest).text == text


def test_boilerplate_by_name_only_is_content_where_there_is_no_other() -> None:
    text = b"A page whose only text stands inside something that its author has called a widget, for no reason at all."
    page = read_page("http://e.test/", "http://e.test/", b"<div class=widget><p>" + text + b"</p></div>")
    assert page.text == text.decode()


def test_boilerplate_inside_boilerplate_does_not_end_it() -> None:
    text = b"<p>" + b"The main text of the page. " * 20 + b"</p>"
    aside = b"<div class=sidebar><nav><a href=x>x</a></nav>An advertisement with many words in it, truly.</div>"
    assert "advertisement" not in read_page("http://e.test/", "http://e.test/", text + aside + text).text


def test_a_gallery_says_the_same_caption_once() -> None:
    body = (
        b"<div>Weather threatens holiday plans</div>" * 13 + b"<p>" + b"A long text about the weather. " * 20 + b"</p>"
    )
    assert read_page("http://e.test/", "http://e.test/", body).text.count("Weather threatens") == 1
