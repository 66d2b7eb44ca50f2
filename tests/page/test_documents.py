"""What is no HTML, read as a page: PDF, plain text, feeds; and hostile ones, which cost a bounded amount."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import pytest

from fcacrawler.page import read_page
from fcacrawler.page.documents import PdfReader, html_of_feed, html_of_text
from fcacrawler.page.documents.pdf import NotRead
from fcacrawler.values.pages import Page

HERE = "http://e.org/docs/file"


def read(html: str) -> Page:
    return read_page(HERE, HERE, html.encode("utf-8", "replace"), content_type="text/html; charset=utf-8", whole=True)


def pdf(*contents: bytes, about: bytes = b"", link: bytes = b"", filters: bytes = b"", pages: bytes = b"") -> bytes:
    """A PDF of these pages, by hand."""
    count = len(contents)
    kids = b" ".join(b"%d 0 R" % (4 + 2 * n) for n in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        pages or b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        b"<< %s >>" % about,
    ]
    for n, content in enumerate(contents):
        annotations = b"/Annots [<< /Subtype /Link /A << /URI (%s) >> >>]" % link if link else b""
        font = b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
        objects.append(b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R %s %s >>" % (5 + 2 * n, font, annotations))
        objects.append(b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), filters, content))
    body, places = b"%PDF-1.4\n", []
    for n, said in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (n, said)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer << /Size %d /Root 1 0 R /Info 3 0 R >>" % (len(objects) + 1)
    end = b"xref\n0 %d\n0000000000 65535 f \n%s%s\nstartxref\n%d\n%%%%EOF"
    return body + end % (len(objects) + 1, table, trailer, len(body))


def written(*lines: str) -> bytes:
    """A page's content: each line below the last."""
    return b"BT /F1 12 Tf 72 720 Td 14 TL " + b" ".join(b"(%s) Tj T*" % line.encode() for line in lines) + b" ET"


def test_a_pdf_has_text_title_author_date_and_links() -> None:
    lines = ("All about tea and how it is made in old tea hou-", "ses of the north. See http://e.org/more for more.")
    about = b"/Title (On tea) /Author (Ada) /CreationDate (D:20240203101112Z)"
    body = pdf(
        written(*lines), written("A second page of it, with more to say of tea."), about=about, link=b"/order.html"
    )
    page = read(PdfReader().html(body))
    assert page.title == "On tea"
    assert (page.about.author, page.about.published) == ("Ada", "2024-02-03")
    assert page.text.split("\n") == [
        "All about tea and how it is made in old tea houses of the north. See http://e.org/more for more.",
        "A second page of it, with more to say of tea.",
    ]
    assert [link.url for link in page.links] == ["http://e.org/more", "http://e.org/order.html"]


BOMB = zlib.compress(zlib.compress(b"\0" * (200 << 20)))
HOSTILE: dict[str, Callable[[], bytes]] = {
    "no PDF": lambda: b"%PDF-1.4 and nothing else",
    "cut off": lambda: pdf(written("hello"))[:300],
    "pages in a circle": lambda: pdf(written("x"), pages=b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"),
    "a million pages, it says": lambda: pdf(written("x"), pages=b"<< /Type /Pages /Kids [] /Count 1000000 >>"),
    "a stream that unpacks to 200 MB": lambda: pdf(BOMB, filters=b"/Filter [/FlateDecode /FlateDecode]"),
    "arrays without a bottom": lambda: pdf(b"[" * 200_000),
    "text without an end": lambda: pdf(b"BT /F1 1 Tf " + b"(word) Tj " * 200_000 + b"ET"),
    "an xref that is its own": lambda: (
        b"%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer << /Prev 9 >>\nstartxref\n9\n%%EOF"
    ),
    "bytes of all kinds": lambda: b"%PDF-1.7\n" + bytes(range(256)) * 4000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_pdf_is_given_up_or_read_in_part(name: str) -> None:
    try:
        page = read(PdfReader(memory=700 << 20, seconds=1).html(HOSTILE[name]()))
    except NotRead:
        return
    assert len(page.text) <= 200_000


def test_a_pdf_that_takes_too_long_is_stopped() -> None:
    with pytest.raises(NotRead, match="more than"):
        PdfReader(seconds=1, memory=1 << 30).html(pdf(b"BT /F1 1 Tf " + b"(word) Tj 1 0 0 1 0 0 cm " * 400_000 + b"ET"))


def test_a_text_has_lines_code_links_and_a_title() -> None:
    text = "NOTES ON TEA\n====\n\nTea is made\nin pots, see http://e.org/pots.\n\n    boil(\n      water)\n\n\nThe end."
    page = read(html_of_text(text))
    assert page.title == "NOTES ON TEA"
    assert page.text.split("\n")[2:7] == [
        "Tea is made",
        "in pots, see http://e.org/pots.",
        "    boil(",
        "      water)",
        "The end.",
    ]
    assert [(link.url, link.anchor) for link in page.links] == [("http://e.org/pots", "http://e.org/pots")]
    assert "<b>" not in html_of_text("<b>x</b> http://e.org/<b>\"'")


@pytest.mark.parametrize(
    ("body", "title", "links"),
    [
        (
            b"<?xml version='1.0'?><rss><channel><title>News &amp; more</title><link>http://e.org/</link>"
            b"<item><title>One</title><link> http://e.org/1 </link><description>&lt;p&gt;First."
            b"&lt;/p&gt;</description></item>"
            b"<item><link>/2</link></item></channel></rss>",
            "News & more",
            [("http://e.org/1", "One"), ("http://e.org/2", "")],
        ),
        (
            b"<feed xmlns='http://www.w3.org/2005/Atom'><title>Atom</title><entry><title type='html'>&lt;i&gt;A"
            b"&lt;/i&gt;</title><link rel='self' href='/self'/><link href='/a'/><summary>s</summary></entry></feed>",
            "Atom",
            [("http://e.org/a", "A")],
        ),
        (
            b"<rss><channel><title>Broken</title><item><title>One</title><link>/1</link><br>",
            "Broken",
            [("http://e.org/1", "One")],
        ),
        (b"", "", []),
        (b"not XML at all", "", []),
    ],
)
def test_a_feed_is_a_list_of_links(body: bytes, title: str, links: list[tuple[str, str]]) -> None:
    page = read(html_of_feed(body))
    assert page.title == title
    assert [(link.url, link.anchor) for link in page.links][: len(links)] == links


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>"
        + b"".join(b"<!ENTITY %c '%s'>" % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(20))
        + b"]><rss><item><title>&t;</title></item></rss>",
        b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><rss><item><title>&a;</title></item></rss>",
        b"<rss>" + b"<item>" * 200_000,
        b"<rss>" + b"<item><title>x</title><link>/x</link></item>" * 90_000,
        b"<rss><item><title>" + b"<" * 1_000_000,
    ],
)
def test_a_hostile_feed_is_bounded(body: bytes) -> None:
    html = html_of_feed(body)
    assert len(html) < 3_000_000
    assert "root:" not in html


@pytest.mark.parametrize(
    "text", ["\n" * 3_000_000, " \n" * 1_000_000, "http://e.org/a " * 200_000, "x" * 4_000_000, "\t\n" * 9]
)
def test_a_hostile_text_is_bounded(text: str) -> None:
    assert html_of_text(text).count("<a ") <= 2001 + text.count("://") * (len(text) < 100_000)
