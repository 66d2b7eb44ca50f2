"""The shop web: its labels, its bytes, its traps, and what its pages say of their products."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import pytest

from fcacrawler.page import product_of, read_page
from tests.webs.shops import ShopsWorld
from tests.webs.shops.catalogue import PRODUCT


@pytest.fixture(scope="module")
def world() -> ShopsWorld:
    return ShopsWorld()


def html(world: ShopsWorld, url: str) -> str:
    answer = world.answer(url)
    assert answer is not None
    assert answer.status == 200
    return answer.body.decode()


def links(text: str) -> list[str]:
    return [unescape(u) for u in re.findall(r'href="(http://[^"]+\.test/[^"]*)"', text)]


def test_there_are_about_three_thousand_labelled_pages_a_quarter_of_them_on_books(world: ShopsWorld) -> None:
    labels = Counter(label for _, label in world.labels())
    assert 2800 <= labels.total() <= 3200
    assert len(set(world.urls())) == labels.total()
    assert 0.2 <= labels["book"] / labels.total() <= 0.3
    assert {"book", "electronics", "furniture", "payment", "delivery", "contract", "seller", "buch"} <= set(labels)


def test_it_knows_its_topics(world: ShopsWorld) -> None:
    for name, topic in world.topics.items():
        assert len(topic.seeds) == 3
        assert set(topic.seeds) <= world.relevant(name)


def test_the_same_seed_makes_the_same_bytes_and_another_another_web(world: ShopsWorld) -> None:
    again, other = ShopsWorld(), ShopsWorld(seed=2)
    for url in list(world.urls())[::97]:
        assert world.answer(url) == again.answer(url)
    assert set(world.urls()) != set(other.urls())


def test_every_link_to_a_shop_is_answered_and_all_books_can_be_reached(world: ShopsWorld) -> None:
    urls, seen = set(world.urls()), set(world.topics["book"].seeds)
    ahead = list(seen)
    while ahead:
        for url in links(html(world, ahead.pop())):
            if url in urls and url not in seen:
                seen.add(url)
                ahead.append(url)
    assert world.relevant("book") <= seen
    for url in list(urls)[::61]:
        for target in links(html(world, url)):
            assert world.answer(target) is not None, target


def test_filters_have_no_end_worth_waiting_for_and_soon_leave_nothing(world: ShopsWorld) -> None:
    url = next(u for u in world.urls() if u.endswith("/c/laptops"))
    depth = 0
    while more := [u for u in links(html(world, url)) if "?" in u and "/c/" in u and u not in set(world.urls())]:
        url = more[-1]
        depth += 1
    assert depth == 5
    assert "No items match" in html(world, url)
    assert world.answer(url + "&colour=mauve") is None


def test_half_of_the_shops_say_what_their_filtered_pages_are(world: ShopsWorld) -> None:
    said = {
        shop.host: "canonical"
        in html(world, f"{world.catalogue.spots[next(iter(shop.lists.values()))].url}?sort=price")
        for shop in world.catalogue.shops
    }
    assert 0.4 < sum(said.values()) / len(said) < 0.6


def test_a_product_that_is_gone_says_so_under_status_200(world: ShopsWorld) -> None:
    gone = next(u for url in world.urls() for u in links(html(world, url)) if "/gone/" in u)
    assert "no longer available" in html(world, gone) or "nicht mehr lieferbar" in html(world, gone)
    assert gone not in set(world.urls())


def test_what_is_not_there_is_not_answered(world: ShopsWorld) -> None:
    for url in ("http://www.bazaro.test/nothing", "http://elsewhere.test/", "http://www.bazaro.test/c/no-such", "x"):
        assert world.answer(url) is None


def test_every_shop_that_marks_up_its_products_is_understood(world: ShopsWorld) -> None:
    kinds: Counter[str] = Counter()
    for spot in (s for s in world.catalogue.spots[::7] if s.kind == PRODUCT):
        told = product_of(html(world, spot.url), spot.url)
        if spot.site.data == "none":
            assert told is None
            continue
        kinds[spot.site.data] += 1
        assert told is not None, spot.url
        assert told["name"] == spot.title
        assert told["price"] == spot.price / 100
        assert told["availability"] == ("InStock" if spot.stock else "OutOfStock")
        assert told["currency"] in ("EUR", "GBP", "USD")
        assert told["seller"]
    assert set(kinds) == {"jsonld", "graph", "loose", "microdata"}


def test_pages_are_told_to_be_english_or_german(world: ShopsWorld) -> None:
    for spot in (s for s in world.catalogue.spots[::37] if s.kind == PRODUCT):
        page = read_page(
            spot.url, spot.url, html(world, spot.url).encode(), content_type="text/html; charset=utf-8", headers={}
        )
        assert page.language == spot.site.language
