"""Any order, with links lower that lead to pages in languages that are not wanted; a whole crawl of them."""

from __future__ import annotations

import pytest

from fcacrawler.judge.languages import Wanted
from fcacrawler.orders.in_languages import InLanguages
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.links import Candidate, Evidence
from tests.crawling import crawl
from tests.site import Site, page


class Half(PlainOrder):
    def score(self, candidate: Candidate) -> float:
        return 0.5


def candidate(url: str, anchor: str = "", depth: int = 1) -> Candidate:
    return Candidate(b"k", url, "e.org", depth, (Evidence("http://e.org/", anchor, "", 0, 1),))


def test_a_rank_is_times_a_tenth_and_nine_tenths_of_the_chance() -> None:
    order = InLanguages(Half(), Wanted(["de"]))
    links = [candidate("http://e.org/x"), candidate("http://e.org/x", "日本語"), candidate("http://e.org/en/", depth=0)]
    assert order.rank(links) == pytest.approx([0.5, 0.5 * (0.1 + 0.9 / 5), 0.5])
    said = order.explain(links[1])
    assert said.rank == pytest.approx(0.5 * 0.28)
    assert said.calibration["language"] == pytest.approx(0.28)


GERMAN = "Die Dampflokomotive ist eine Bauform der Lokomotive, die von Wasserdampf angetrieben wird, und sie war lange "
GERMAN += "Zeit auf den meisten Strecken der Eisenbahn zu sehen, bis sie von anderen Lokomotiven abgelöst wurde."
ENGLISH = (
    "A steam locomotive is a locomotive that is driven by steam, and it was for a long time what could be seen on "
)
ENGLISH += "most of the railway lines before it was replaced by other locomotives and their engines."


def test_a_crawl_for_german_pages_goes_through_english_ones_and_flags_none_of_them(site: Site) -> None:
    site.pages["/"] = page("Dampflokomotive", GERMAN, {"/en/": "locomotive"})
    site.pages["/en/"] = page("Steam locomotive", ENGLISH, {"/de/": "Lokomotive"})
    site.pages["/de/"] = page("Lokomotive mit Dampf", GERMAN.replace("Strecken", "alten und neuen Gleisen") * 2, {})
    outcome = crawl(SemRankSpider, topic="Dampflokomotive", seeds=site.base, languages="de")
    first, english, german = outcome.items
    assert (first.language, english.language, german.language) == ("de", "en", "de")
    assert first.relevant
    assert not english.relevant
    assert english.semrank == 0 < german.semrank
    assert min(item.language_certainty for item in outcome.items) > 0.9


def test_translations_that_only_a_pages_head_names_are_followed_where_they_are_wanted(site: Site) -> None:
    there = '<head><link rel=alternate hreflang="%s" href="%s">'
    site.pages["/"] = page("Steam locomotive", ENGLISH, {"/en/": "more of it"}).replace("<head>", there % ("de", "/9"))
    site.pages["/en/"] = page("Locomotive", ENGLISH[:150] * 2).replace("<head>", there % ("fr", "/8"))
    site.pages["/8"] = site.pages["/9"] = page("Dampflokomotive", GERMAN)
    crawl(SemRankSpider, topic="locomotive", seeds=site.base + "/", languages="de")
    assert site.fetched == ["/", "/9", "/en/"]
