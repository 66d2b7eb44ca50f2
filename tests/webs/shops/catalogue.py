"""Which pages there are: every shop with its departments, products, people and services; each page with its label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.vocabulary import slug
from tests.webs.shops.recipe import Kind, drawn, fill, kinds, read, trade

FRONT, CATEGORY, PRODUCT, REVIEWS, PERSON, SELLER, SERVICE, ESSAY, ARTICLE = range(9)
LISTED = 16  # products on a page of a category
BOOKS = {"en": 26, "de": 20}  # books of a genre in the world; shops sell some of them
BRANDS = ("Ravn", "Orbis", "Kestrel", "Holm", "Tamarin", "Nordby", "Pico", "Aster", "Wren", "Lumo", "Fjell", "Cobalt")
SERVICE_LABELS = {"payment": "payment", "delivery": "delivery", "returns": "contract", "terms": "contract"}


@dataclass(slots=True)
class Site:
    """A host: a shop, a place where readers write, or one that explains."""

    number: int
    name: str
    host: str
    language: str = "en"
    label: str = "shop"
    product: str = ""  # how its product URLs look
    data: str = "none"  # how it marks up its products
    spots: list[int] = field(default_factory=list)
    kinds: dict[str, list[int]] = field(default_factory=dict)  # kind → its products' ids
    lists: dict[str, int] = field(default_factory=dict)  # kind → the id of its category's first page
    people: dict[str, int] = field(default_factory=dict)  # author or publisher → page
    sellers: list[int] = field(default_factory=list)
    services: dict[str, int] = field(default_factory=dict)

    @property
    def root(self) -> str:
        return f"http://{self.host}/"


@dataclass(frozen=True, slots=True)
class Book:
    """A book, which several shops may sell."""

    number: int
    kind: Kind
    title: str
    author: str
    publisher: str
    isbn: str
    pages: int
    year: int


@dataclass(slots=True)
class Spot:
    """A page's place, and what it shows."""

    id: int
    site: Site
    kind: int
    label: str
    title: str
    url: str
    of: Kind | None = None  # genre or category
    book: Book | None = None
    shows: int = 0  # the product that reviews are of; the number of a category's page
    price: int = 0  # in hundredths
    stock: bool = True
    seller: int = -1


class Catalogue:
    """All places of the shop web."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.spots: list[Spot] = []
        self.books: dict[str, list[Book]] = {}  # by genre
        self._books()
        self.sites = [self._site(n, s) for n, s in enumerate(read("sites")["shops"])]
        self.shops = list(self.sites)
        for recipe in read("sites")["readers"]:
            self.sites.append(self._readers(len(self.sites), recipe))
        for recipe in read("sites")["guides"]:
            self.sites.append(self._guides(len(self.sites), recipe))
        self.by_url = {spot.url: spot.id for spot in self.spots}
        self.by_host = {site.host: site for site in self.sites}
        self.sold: dict[int, list[int]] = {}  # book → products
        for spot in self.spots:
            if spot.book is not None and spot.kind == PRODUCT:
                self.sold.setdefault(spot.book.number, []).append(spot.id)

    def _books(self) -> None:
        number = 0
        for key, kind in kinds().items():
            if not kind.is_genre:
                continue
            self.books[key] = []
            words = trade(kind.language)
            for _ in range(BOOKS[kind.language]):
                dice = Dice(self.seed, 1, number)
                title = fill(dice.one(words["titles"]), drawn(kind, dice))
                author = f"{dice.one(words['first'])} {dice.one(words['last'])}"
                isbn = f"978{dice.below(10**9):09d}"
                isbn += str(-sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(isbn)) % 10)
                book = Book(
                    number,
                    kind,
                    title,
                    author,
                    dice.one(words["publishers"]),
                    isbn,
                    80 + dice.below(560),
                    1990 + dice.below(36),
                )
                self.books[key].append(book)
                number += 1

    def _add(self, site: Site, kind: int, label: str, title: str, path: str, **more: Any) -> Spot:
        spot = Spot(len(self.spots), site, kind, label, title, f"http://{site.host}{path}", **more)
        self.spots.append(spot)
        site.spots.append(spot.id)
        return spot

    def _site(self, number: int, recipe: dict[str, Any]) -> Site:
        language = recipe.get("language", "en")
        site = Site(
            number,
            recipe["name"],
            recipe["host"],
            language,
            recipe.get("label", "shop"),
            recipe["product"],
            recipe["data"],
        )
        self._add(site, FRONT, site.label, site.name, "/")
        for name in range(recipe.get("sellers", 0)):
            seller = f"{BRANDS[name % len(BRANDS)]} {('Trading', 'Store', 'Books', 'Direct')[name % 4]}"
            site.sellers.append(self._add(site, SELLER, "seller", seller, f"/seller/{slug(seller)}-{name}").id)
        for kind, n in _departments(recipe, language):
            self._department(site, kind, n)
        if recipe.get("authors"):
            self._people(site)
        for key, (title, _) in read("speech")["services"][language].items():
            label = SERVICE_LABELS.get(key, "service") if language == "en" else "service"
            site.services[key] = self._add(site, SERVICE, label, title, f"/info/{key}").id
        return site

    def _department(self, site: Site, kind: Kind, n: int) -> None:
        path = f"/c/{slug(kind.name)}"
        for page in range(-(-n // LISTED)):
            query = f"?page={page + 1}" if page else ""
            spot = self._add(site, CATEGORY, kind.label, kind.name, path + query, of=kind, shows=page)
            site.lists.setdefault(kind.key, spot.id)
        products = site.kinds.setdefault(kind.key, [])
        chosen = self._chosen(site, kind, n)
        for k in range(n):
            products.append(self._product(site, kind, chosen[k] if chosen else None, k).id)
        for product in products:
            dice = Dice(self.seed, 4, product)
            if dice.chance(0.2):
                of = self.spots[product]
                self._add(
                    site,
                    REVIEWS,
                    of.label,
                    f"Reviews: {of.title}",
                    f"/reviews/{product}",
                    of=kind,
                    book=of.book,
                    shows=product,
                )

    def _chosen(self, site: Site, kind: Kind, n: int) -> list[Book]:
        """The books of a genre that a shop sells."""
        books = list(self.books.get(kind.key, ()))
        start = Dice(self.seed, 2, site.number, n).below(len(books)) if books else 0
        return (books[start:] + books[:start])[:n]

    def _product(self, site: Site, kind: Kind, book: Book | None, k: int) -> Spot:
        dice = Dice(self.seed, 3, site.number, k, len(self.spots))
        if book is not None:
            title, price = book.title, 499 + 50 * dice.below(50)
        else:
            words = drawn(kind, dice)
            title = fill("{Trait} {thing}", words) + f" {dice.one(BRANDS)} {1 + dice.below(90)}"
            price = 100 * (kind.low + dice.low(kind.high - kind.low)) + 95
        path = site.product.format(slug=slug(title), id=10_000 + len(self.spots))
        spot = self._add(
            site, PRODUCT, kind.label, title, path, of=kind, book=book, price=price, stock=dice.chance(0.9)
        )
        if site.sellers:
            spot.seller = dice.one(site.sellers)
        return spot

    def _people(self, site: Site) -> None:
        """Pages of the authors and publishers whose books a shop sells."""
        books = [b for products in site.kinds.values() for p in products if (b := self.spots[p].book)]
        for name in sorted({b.author for b in books} | {b.publisher for b in books}):
            kind = next(b.kind for b in books if name in (b.author, b.publisher))
            site.people[name] = self._add(site, PERSON, kind.label, name, f"/by/{slug(name)}", of=kind).id

    def _readers(self, number: int, recipe: dict[str, Any]) -> Site:
        site = Site(number, recipe["name"], recipe["host"], label="book")
        self._add(site, FRONT, "book", site.name, "/")
        english = [b for books in self.books.values() for b in books if b.kind.language == "en"]
        for book in Dice(self.seed, 5, number).some(english, recipe["essays"] * 3 // 2)[: recipe["essays"]]:
            title = f"{book.title} by {book.author}"
            self._add(
                site, ESSAY, "book", title, f"/{book.year}/{slug(book.title)}-{book.number}", of=book.kind, book=book
            )
        return site

    def _guides(self, number: int, recipe: dict[str, Any]) -> Site:
        site = Site(number, recipe["name"], recipe["host"], label=recipe["about"])
        words = read("speech")["articles"][recipe["about"]]
        self._add(site, FRONT, site.label, site.name, "/")
        for k in range(recipe["articles"]):
            dice = Dice(self.seed, 6, number, k)
            a, b = words["subjects"][k % len(words["subjects"])], dice.one(words["subjects"])
            title = fill(words["titles"][k // len(words["subjects"]) % len(words["titles"])], {"a": a, "b": b})
            self._add(site, ARTICLE, site.label, title, f"/guide/{slug(title)}-{k}", shows=k)
        return site


def _departments(recipe: dict[str, Any], language: str) -> Iterator[tuple[Kind, int]]:
    """The kinds that a shop sells, and how many of each."""
    prefix = "" if language == "en" else "de."
    genres = recipe.get("genres", {})
    for key, kind in kinds().items():
        if kind.is_genre and kind.language == language:
            n = genres if isinstance(genres, int) else genres.get(key.removeprefix(prefix), 0)
            if n:
                yield kind, n
    for pattern, n in recipe.get("goods", {}).items():
        for key, kind in kinds().items():
            if key == pattern or (pattern.endswith(".*") and key.split(".")[0] == pattern[:-2] and not kind.is_genre):
                yield kind, n
