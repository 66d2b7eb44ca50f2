"""How a shop says what a product page is about: schema.org as JSON-LD or microdata, as tidy as the shop is."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from tests.webs.shops.catalogue import Catalogue, Spot

CURRENCIES = ("GBP", "EUR", "USD")


def currency(spot: Spot) -> str:
    """What a shop is paid in."""
    return "EUR" if spot.site.language == "de" else CURRENCIES[spot.site.number % 3]


def price(spot: Spot) -> str:
    return f"{spot.price // 100}.{spot.price % 100:02d}"


def seller(catalogue: Catalogue, spot: Spot) -> str:
    """Who sells a product: the shop, or somebody on its marketplace."""
    return catalogue.spots[spot.seller].title if spot.seller >= 0 else spot.site.name


def product(catalogue: Catalogue, spot: Spot) -> dict[str, Any]:
    """A product in the words of schema.org."""
    offer = {
        "@type": "Offer",
        "price": price(spot),
        "priceCurrency": currency(spot),
        "availability": f"https://schema.org/{'InStock' if spot.stock else 'OutOfStock'}",
        "seller": {"@type": "Organization", "name": seller(catalogue, spot)},
    }
    data: dict[str, Any] = {"@type": "Product", "name": spot.title, "sku": str(spot.id), "offers": offer}
    if spot.book is not None:
        data |= {
            "@type": ["Product", "Book"],
            "isbn": spot.book.isbn,
            "author": {"@type": "Person", "name": spot.book.author},
            "publisher": spot.book.publisher,
            "numberOfPages": spot.book.pages,
        }
    return data


def json_ld(catalogue: Catalogue, spot: Spot) -> str:
    """The script element of a shop that writes JSON-LD; "" of others."""
    data = product(catalogue, spot)
    if spot.site.data == "jsonld":
        text = json.dumps({"@context": "https://schema.org", **data}, ensure_ascii=False)
    elif spot.site.data == "graph":
        crumbs = {"@type": "BreadcrumbList", "itemListElement": []}
        text = json.dumps({"@context": "http://schema.org/", "@graph": [crumbs, data]}, ensure_ascii=False, indent=1)
    elif spot.site.data == "loose":
        inner = json.dumps({"@context": "https://schema.org", **data, "offers": [data["offers"]]}, ensure_ascii=False)
        text = f"// <![CDATA[\n{inner[:-1]},}}\n// ]]>"
    else:
        return ""
    return f'<script type="application/ld+json">{text}</script>'


def microdata(catalogue: Catalogue, spot: Spot) -> str:
    """The price box of a shop that writes microdata."""
    stock = "InStock" if spot.stock else "OutOfStock"
    return (
        f'<div itemprop="offers" itemscope itemtype="http://schema.org/Offer">'
        f'<span itemprop="price">{price(spot)}</span> <meta itemprop="priceCurrency" content="{currency(spot)}">'
        f'<link itemprop="availability" href="http://schema.org/{stock}"><span itemprop="seller" itemscope itemtype="http://schema.org/Organization">'
        f'<span itemprop="name">{escape(seller(catalogue, spot))}</span></span></div>'
    )
