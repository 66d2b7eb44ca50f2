"""What is read from a page: title, links with anchor and context, what robots are told, where the page lives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page import PageOptions, read_page
from fcacrawler.values.pages import Page

HERE = "http://e.test/a/b.htm"


def read(markup: str, **given: object) -> Page:
    return read_page(HERE, HERE, markup.encode(), **given)  # type: ignore[arg-type]


def urls(page: Page) -> list[str]:
    return [link.url for link in page.links]


def test_a_page_is_read() -> None:
    page = read("""<html lang=en><title>Auto racing</title><nav><a href=/home>Home</a></nav>
        <p>Auto racing is a motorsport in which cars race against each other for the best time on a circuit.
        See <a href="c?z=1&a=2#x">stock cars</a> and <a rel=nofollow href=//other.test>others</a>.</p>
        <a href=javascript:void(0)>no</a><a href=mailto:a@e.test>nor this</a><a href="data:text/html,x">nor that</a>""")
    assert (page.title, page.language, page.truncated) == ("Auto racing", "en", False)
    assert page.text == (
        "Auto racing is a motorsport in which cars race against each other for the best time on a circuit. "
        "See stock cars and others."
    )
    assert [(k.url, k.anchor, k.position, k.nofollow) for k in page.links] == [
        ("http://e.test/home", "Home", 0, False),
        ("http://e.test/a/c?a=2&z=1", "stock cars", 1, False),
        ("http://other.test/", "others", 2, True),
    ]


def test_both_urls_of_a_page_are_canonical() -> None:
    page = read_page("HTTP://E.test/x#y", "http://e.test:80/z", b"<p>hello")
    assert (page.url, page.final_url) == ("http://e.test/x", "http://e.test/z")


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<title> Auto\n racing </title>", "Auto racing"),
        ("<title>Auto racing - The Encyclopedia</title><h1>Auto racing</h1>", "Auto racing"),
        ("<title>The Encyclopedia | Auto Racing</title><h1>auto racing</h1>", "Auto Racing"),
        ("<title>Post-war racing</title><h1>War</h1>", "Post-war racing"),
        ("<h1>Auto racing</h1><h2>History</h2>", "Auto racing"),
        ("<meta property=og:title content='Auto racing'>", "Auto racing"),
        ("<svg><title>an icon</title></svg><title>Auto racing</title>", "Auto racing"),
        ("<title>Auto racing</title><title>second</title>", "Auto racing"),
        ("<title>&lt;b&gt;Auto&lt;/b&gt; racing</title>", "<b>Auto</b> racing"),
        ("<p>none", ""),
    ],
)
def test_a_title_is_one_line_without_the_name_of_the_site(markup: str, title: str) -> None:
    assert read(markup).title == title


def test_a_link_is_known_by_what_can_be_read_in_it() -> None:
    page = read("""<a href=1>some <b>bold</b>\n words</a> <a href=2><img alt="an image"></a> <a href=3 title=titled></a>
        <a href=4><img title="image title"></a> <a href=5></a> <area href=6 alt="an area"> <frame src=7>""")
    assert [link.anchor for link in page.links] == [
        "some bold words", "an image", "titled", "image title", "", "an area", "",
    ]  # fmt: skip


def test_a_url_linked_twice_keeps_its_first_position_and_the_first_anchor_that_says_something() -> None:
    page = read("<a href=x rel=nofollow><img src=i></a> <a href=y>why</a> <a href=x#part>the x</a> <a href=x>again</a>")
    assert [(k.anchor, k.position, k.nofollow) for k in page.links] == [("the x", 0, False), ("why", 1, False)]


@pytest.mark.parametrize("rel", ["nofollow", "noopener NoFollow", "ugc", "sponsored"])
def test_links_that_are_not_vouched_for_are_marked(rel: str) -> None:
    assert [k.nofollow for k in read(f"<a href=x rel='{rel}'>x</a><a href=y rel=noopener>y</a>").links] == [True, False]


def test_the_context_is_the_words_on_either_side_across_markup() -> None:
    page = read(
        "<p>one two three <b>four</b></p><li>five <a href=x>the anchor</a>, six <script>no()</script>seven<td>eight",
        options=PageOptions(context_words=3),
    )
    assert page.links[0].context == "three four five , six seven"
    assert read("<p>one <a href=x>two</a> three", options=PageOptions(context_words=0)).links[0].context == ""


def test_a_link_knows_the_language_it_leads_to_and_a_wanted_translation_is_a_link() -> None:
    head = """<link rel="alternate" hreflang="de-AT" href="/de"><link rel=alternate hreflang=x-default href="/any">
    <link rel=alternate hreflang=it href="/it"><link rel=alternate hreflang=fr href="/fr">"""
    body = "<a hreflang=de href=/de>x</a> <a href=/it>y</a> <a href=/z>z</a>"
    said = [("/" + link.url.rpartition("/")[2], link.language) for link in read(head + body).links]
    assert said == [("/de", "de"), ("/it", "it"), ("/z", "")]
    wanted = read(head + body, languages=frozenset(["fr"])).links
    assert [("/" + link.url.rpartition("/")[2], link.language) for link in wanted[3:]] == [("/fr", "fr")]
    assert [link.position for link in wanted] == [0, 1, 2, 3]


def test_neighbouring_links_do_not_run_together() -> None:
    assert read("<a href=1>One</a><a href=2>Two</a><a href=3>Three</a>").links[1].context == "One Three"


def test_links_of_other_media_and_of_the_page_itself_are_left_out() -> None:
    page = read(
        "<a href=x.pdf>p</a><a href=y.JPG?w=1>j</a><a href=#top>t</a><a href=b.htm>self</a><a href=z.html>z</a>"
    )
    assert urls(page) == ["http://e.test/a/z.html"]


def test_a_base_moves_relative_links() -> None:
    assert urls(read("<base href=/c/><a href=d>d</a>")) == ["http://e.test/c/d"]
    assert urls(read("<base href='javascript:x'><a href=d>d</a>")) == ["http://e.test/a/d"]
    assert urls(read("<base href=/c/><base href=/evil/><a href=d>d</a>")) == ["http://e.test/c/d"]
    assert urls(read("<base target=_top><base href=//f.test/><a href=d>d</a>")) == ["http://f.test/d"]


@pytest.mark.parametrize(
    "markup",
    ["0; url=/next", "5;URL='/next'", '0;url="/next"', " 1.5 , /next", "0;/next"],
)
def test_a_refresh_is_the_first_link(markup: str) -> None:
    assert (
        urls(read(f"<a href=x>x</a><meta http-equiv=Refresh content='{markup.replace(chr(39), '')}'>"))[0]
        == "http://e.test/next"
    )
    assert urls(read("<p>x", headers={"refresh": markup})) == ["http://e.test/next"]


def test_a_refresh_of_the_page_itself_is_no_link() -> None:
    assert urls(read("<meta http-equiv=refresh content=300>")) == []


@pytest.mark.parametrize(
    ("markup", "header", "index", "follow"),
    [
        ("", "", True, True),
        ("<meta name=robots content='noindex'>", "", False, True),
        ("<meta name=ROBOTS content='NOINDEX , NOFOLLOW'>", "", False, False),
        ("<meta name=robots content=none>", "", False, False),
        ("", "nofollow, noarchive", True, False),
        ("", "googlebot: noindex", True, True),
        ("<meta name=googlebot content=noindex>", "", True, True),
    ],
)
def test_robots_are_told_what_to_do(markup: str, header: str, index: bool, follow: bool) -> None:
    page = read(markup, headers={"x-robots-tag": header} if header else {})
    assert (page.index, page.follow) == (index, follow)


def test_a_page_says_where_it_lives_and_what_it_is_about() -> None:
    page = read("<link rel=canonical href=/real><meta name=description content=' about\n it '><h2>One</h2><h3>Two</h3>")
    assert (page.canonical, page.description, page.headings) == ("http://e.test/real", "about it", ("One", "Two"))
    assert read("<link rel=canonical href='javascript:x'>").canonical == ""


def test_what_a_browser_does_not_show_is_no_text() -> None:
    page = read("""<p>shown <script>var a = "<p>not";</script><style>p {}</style>
        <!-- nor this --><template>nor</template><noscript>turn it on</noscript>
        <select><option>red</select><textarea>typed</textarea>words</p>""")
    assert page.text == "shown words"


def test_links_inside_what_is_not_shown_are_links_without_text() -> None:
    page = read("<noscript><a href=x>plain version</a></noscript><p>some words <a href=y>why</a></p>")
    assert [(k.url[-1], k.anchor) for k in page.links] == [("x", ""), ("y", "why")]


def test_a_link_that_ends_inside_what_is_not_shown_ends_before_it() -> None:
    assert [k.anchor for k in read("<p>a <a href=x>why<noscript>not</a>shown</noscript> here</p>").links] == ["why"]


def test_an_element_that_nothing_closes_does_not_swallow_the_page() -> None:
    assert "after" in read("<svg><p>after</p>").text
    assert "after" in read("<select><option>x<div>after</div>").text


def test_control_characters_are_not_shown() -> None:
    page = read("<title>\x1b[31mred\x07</title><p>a\u202eb soft\u00adware &#27;[2J <a href=x>\x1b]0;owned\x07</a></p>")
    assert page.title == "[31mred"
    assert page.text == "ab software [2J ]0;owned"
    assert page.links[0].anchor == "]0;owned"


def test_equal_texts_have_equal_hashes_whatever_is_around_them() -> None:
    body = "<p>" + "A text about racing that is long enough to be the main content of a page. " * 5 + "</p>"
    one, other = read(f"<nav><a href=1>menu</a></nav>{body}"), read(f"{body}<footer>another footer</footer>")
    assert one.content_hash == other.content_hash != ""
    assert one.simhash == other.simhash != 0
    assert read("").content_hash == ""


def test_bounds_hold_and_are_told() -> None:
    many = "".join(f"<p>word number {i}</p>" for i in range(200)) + "".join(
        f"<a href={i}>link {i}</a>" for i in range(50)
    )
    assert not read(many).truncated
    for options, what in [
        (PageOptions(body_bytes=1000), "body"),
        (PageOptions(elements=100), "elements"),
        (PageOptions(links=10), "links"),
        (PageOptions(text_chars=100), "text"),
    ]:
        page = read(many, options=options)
        assert page.truncated, what
        assert len(page.links) <= options.links
        assert len(page.text) <= options.text_chars


PIECES = """
    <p> </p> <div> </div> <a/href=x> <a/href='/y?z'> </a> <b> <script> </script> <!-- --> <table> <tr> <td> <title>
    </title> <h1> </h1> <main> </main> <nav> </nav> <select> </select> <svg> <base/href=//> <br> <img/alt=i> <li>
    <noscript> </noscript> <meta/name=robots/content=none> <template> </body> < > & &amp; &#0; &#x1b; <![CDATA[ ]]>
    <? <!doctype> <article> <header> <body/class=nav> <div/class=menu> <a> <plaintext> <frameset> <frame/src=f>"""
MARKUP = st.lists(st.sampled_from(PIECES.split()) | st.text(max_size=20), max_size=40)


@given(MARKUP)
def test_no_markup_breaks_the_reader(parts: list[str]) -> None:
    page = read(" ".join(parts))
    assert [link.position for link in page.links] == list(range(len(page.links)))
    assert len({link.url for link in page.links}) == len(page.links)
    for line in (page.title, page.description, *page.headings, *(link.anchor + link.context for link in page.links)):
        assert "\n" not in line
        assert "\x1b" not in line


@given(st.binary(max_size=400), st.text(max_size=20), st.text(max_size=20))
def test_no_bytes_break_the_reader(body: bytes, content_type: str, url: str) -> None:
    read_page(url, url, body, content_type=content_type, headers={"x-robots-tag": url, "refresh": url})
