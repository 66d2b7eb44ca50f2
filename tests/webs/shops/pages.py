"""A shop page's text and HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from fcacrawler.worlds.demo.dice import Dice
from tests.webs.shops import markup
from tests.webs.shops.catalogue import (
    ARTICLE,
    CATEGORY,
    ESSAY,
    FRONT,
    PERSON,
    PRODUCT,
    REVIEWS,
    SELLER,
    SERVICE,
    Catalogue,
    Site,
    Spot,
)
from tests.webs.shops.recipe import drawn, fill, kinds, read, trade
from tests.webs.shops.web import Hyperlink


class Press:
    """Prints pages."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def page(self, spot: Spot, links: Iterable[Hyperlink]) -> str:
        """A labelled page's document."""
        dice = Dice(self.catalogue.seed, 20, spot.id)
        head = markup.json_ld(self.catalogue, spot) if spot.kind == PRODUCT else ""
        scope = ""
        if spot.kind == PRODUCT and spot.site.data == "microdata":
            scope = ' itemscope itemtype="http://schema.org/Product"'
        return document(spot.site, spot.title, list(self._said(spot, dice)), list(links), head, scope)

    def listing(self, site: Site, title: str, links: Iterable[Hyperlink], canonical: str, empty: bool) -> str:
        """A page of a faceted listing: products and more filters, hardly any text. Half of the shops say what it is."""
        head = f'<link rel="canonical" href="{escape(canonical)}">' if site.number % 2 else ""
        said = [f"<p>{t}</p>" for t in read("speech")[site.language]["empty"]] if empty else []
        return document(site, title, said, list(links), head)

    def gone(self, site: Site, links: Iterable[Hyperlink]) -> str:
        """A product that is no more, under status 200."""
        speech = read("speech")[site.language]
        return document(site, speech["gone"], [f"<p>{t}</p>" for t in speech["gone_text"]], list(links))

    def _said(self, spot: Spot, dice: Dice) -> Iterator[str]:
        """The blocks of a page's main part, as HTML."""
        yield from {
            FRONT: self._front,
            CATEGORY: self._category,
            PRODUCT: self._product,
            REVIEWS: self._judged,
            PERSON: self._person,
            SELLER: self._seller,
            SERVICE: self._service,
            ESSAY: self._judged,
            ARTICLE: self._article,
        }[spot.kind](spot, dice)

    def _front(self, spot: Spot, dice: Dice) -> Iterator[str]:
        if spot.site.kinds:
            speech = read("speech")[spot.site.language]
            names = [kinds()[key].name.lower() for key in dice.some(list(spot.site.kinds), 4)]
            for line in speech["welcome"]:
                yield f"<p>{escape(fill(line, {'shop': spot.title, 'departments': ', '.join(names)}))}</p>"
        elif spot.label == "book":
            yield "<p>Readers write about the books they have read: reviews, novels, authors and reading groups.</p>"
        else:
            yield from self._article(spot, dice)

    def _category(self, spot: Spot, dice: Dice) -> Iterator[str]:
        assert spot.of is not None
        words = spot.of.words.get("form") or spot.of.words["things"]
        yield f"<p>{escape(', '.join(words).capitalize())}: {escape(spot.of.name)} – {escape(spot.site.name)}.</p>"

    def _product(self, spot: Spot, dice: Dice) -> Iterator[str]:
        assert spot.of is not None
        site, labels = spot.site, read("speech")[spot.site.language]["labels"]
        stock = labels["stock"] if spot.stock else labels["out"]
        yield f'<p class="price">{labels["price"]}: {markup.price(spot)} {markup.currency(spot)} – {stock}</p>'
        if site.data == "microdata":
            yield markup.microdata(self.catalogue, spot)
        yield f"<p>{labels['seller']} {escape(markup.seller(self.catalogue, spot))}</p>"
        if spot.book is not None:
            book = spot.book
            binding = dice.one(trade(spot.of.language)["bindings"])
            yield f"<p>{labels['author']}: {book.author}</p>"
            yield f"<p>{labels['publisher']}: {escape(book.publisher)}, {book.year}</p>"
            yield f"<p>{binding.capitalize()}, {book.pages} {labels['pages']}, ISBN {book.isbn}</p>"
            yield from _paragraphs(trade(spot.of.language)["blurbs"], self._words(spot, dice), dice, 5 + dice.below(4))
        else:
            said = read("speech")[spot.of.language]["goods"]
            yield from _paragraphs(said, self._words(spot, dice), dice, 5 + dice.below(4))

    def _judged(self, spot: Spot, dice: Dice) -> Iterator[str]:
        """Reviews of a product, or a reader's essay on a book."""
        assert spot.of is not None
        own = (
            trade(spot.of.language)["judgements"]
            if spot.of.is_genre
            else read("speech")[spot.of.language]["judgements"]
        )
        if spot.book is not None and spot.kind == ESSAY:
            yield f"<p>{escape(f'{spot.book.author}: {spot.book.title}. {spot.book.publisher}, {spot.book.year}')}</p>"
            yield from _paragraphs(trade(spot.of.language)["blurbs"], self._words(spot, dice), dice, 3)
        yield from _paragraphs(own, self._words(spot, dice), dice, 6 + dice.below(5))

    def _person(self, spot: Spot, dice: Dice) -> Iterator[str]:
        assert spot.of is not None
        words = self._words(spot, dice) | {"author": spot.title}
        yield from _paragraphs(trade(spot.of.language)["lives"], words, dice, 5)

    def _seller(self, spot: Spot, dice: Dice) -> Iterator[str]:
        yield f"<p>{spot.title} is a seller on {spot.site.name} with a rating of {40 + dice.below(10)}/50 stars.</p>"
        yield "<p>Dispatches within two working days, accepts returns, replies to customers within a day.</p>"

    def _service(self, spot: Spot, dice: Dice) -> Iterator[str]:
        _, lines = read("speech")["services"][spot.site.language][spot.url.rsplit("/", 1)[-1]]
        yield from (f"<p>{escape(line)}</p>" for line in lines)

    def _article(self, spot: Spot, dice: Dice) -> Iterator[str]:
        words = read("speech")["articles"][spot.label]
        a = words["subjects"][spot.shows % len(words["subjects"])]
        yield from _paragraphs(words["said"], {"a": a, "b": dice.one(words["subjects"])}, dice, 8)

    def _words(self, spot: Spot, dice: Dice) -> dict[str, str]:
        assert spot.of is not None
        return drawn(spot.of, dice) | {"author": spot.book.author if spot.book is not None else spot.title}


def _paragraphs(templates: list[str], words: Mapping[str, str], dice: Dice, n: int) -> Iterator[str]:
    start, step = dice.below(len(templates)), 1 + dice.below(len(templates) - 1)
    chosen = dict.fromkeys(templates[(start + k * step) % len(templates)] for k in range(n))
    yield from (f"<p>{escape(fill(t, words))}</p>" for t in chosen)


def document(site: Site, title: str, blocks: list[str], links: list[Hyperlink], head: str = "", scope: str = "") -> str:
    """The whole page: navigation above, filters beside, what others bought below, service at the foot."""
    labels = read("speech")[site.language]["labels"]
    zones: dict[str, list[Hyperlink]] = {}
    for link in links:
        zones.setdefault(link.zone, []).append(link)
    name = ' itemprop="name"' if scope else ""
    parts = [
        f'<!DOCTYPE html>\n<html lang="{site.language}"><head><meta charset="utf-8">',
        f"<title>{escape(title)} – {escape(site.name)}</title>{head}</head><body>",
        f'<header><nav><ul class="menu">{_items(zones.get("nav", ()))}</ul></nav></header>',
        f'<div class="breadcrumb">{" › ".join(map(_anchor, zones.get("crumbs", ())))}</div>',
        f"<main{scope}><h1{name}>{escape(title)}</h1>",
        *blocks,
        f'<ul class="products">{_items(zones.get("main", ()))}</ul></main>',
    ]
    for zone, heading in (("filter", "filter"), ("also", "more"), ("recent", "recent"), ("ads", "ads")):
        if zone in zones:
            parts.append(f'<aside class="{zone}"><h3>{labels[heading]}</h3><ul>{_items(zones[zone])}</ul></aside>')
    parts.append(f"<footer><ul>{_items(zones.get('foot', ()))}</ul></footer></body></html>")
    return "\n".join(parts)


def _items(links: Iterable[Hyperlink]) -> str:
    return "".join(f"<li>{_anchor(link)}</li>" for link in links)


def _anchor(link: Hyperlink) -> str:
    rel = f' rel="{link.rel}"' if link.rel else ""
    return f'<a href="{escape(link.url)}"{rel}>{escape(link.anchor)}</a>'
