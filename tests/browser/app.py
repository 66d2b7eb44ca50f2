"""Pages that a script builds."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.site import page
from tests.spiders.test_crawls import RACING, text

WORDS = text(RACING, "app")
SCRIPT = """
const links = Object.entries(page.links).map(([url, anchor]) => `<p>See <a href="${url}">${anchor}</a>.</p>`);
document.getElementById('app').innerHTML = `<main><h1>${page.title}</h1><p>${page.text}</p>${links.join('')}</main>`;
"""


def app(title: str, words: str, links: Mapping[str, str] | None = None, more: str = "", before: str = "") -> str:
    """A page with nothing but a script that builds it; ``before`` and ``more`` are run around it."""
    data = json.dumps({"title": title, "text": words, "links": links or {}})
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title></head><body><div id=app></div>"
        "<noscript>You need to enable JavaScript to run this app.</noscript>"
        f"<script>{before}\nconst page = {data};\n{SCRIPT}\n{more}</script></body></html>"
    )


def seed(*paths: str) -> str:
    return page("Auto racing", text(RACING, "seed"), {path: f"auto racing {path}" for path in paths})


def words(name: object) -> str:
    """A text about racing, its own for each name."""
    return text(RACING, name)
