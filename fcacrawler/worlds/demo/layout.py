"""A page's HTML: head, navigation, main text with its links, the columns beside it, the foot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape

from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.links import Hyperlink
from fcacrawler.worlds.demo.sites import Site
from fcacrawler.worlds.demo.vocabulary import grammar

MENTIONS = (
    "See also {}.",
    "More in {}.",
    "{} has the story.",
    "Compare {}.",
    "This reminds many of {}.",
    "As told in {}, it was not the first time.",
    "For the details: {}.",
)
CAPTIONS = {
    "related": "Related stories",
    "headlines": "Latest headlines",
    "popular": "Most read",
    "tags": "Tags",
    "tools": "This page",
    "calendar": "Archive",
    "ads": "Advertisement",
}


def anchor(link: Hyperlink) -> str:
    rel = f' rel="{link.rel}"' if link.rel else ""
    shown = link.anchor if link.zone != "popular" else f'<img src="/img/{len(link.url)}.jpg" alt="{link.anchor}">'
    return f'<a href="{escape(link.url)}"{rel}>{shown}</a>'


def listed(links: Iterable[Hyperlink]) -> str:
    return "<ul>" + "".join(f"<li>{anchor(link)}</li>" for link in links) + "</ul>"


def woven(paragraphs: Sequence[str], links: Sequence[Hyperlink], dice: Dice) -> list[str]:
    """The paragraphs with a mention of each link in one of them, in order."""
    texts = list(paragraphs) or [""]
    for k, link in enumerate(links):
        at = k * len(texts) // len(links)
        way = "({})" if link.anchor in grammar().vague_anchors else dice.one(MENTIONS)
        texts[at] += " " + way.format(anchor(link))
    return texts


def page(site: Site, title: str, paragraphs: Sequence[str], links: Sequence[Hyperlink], dice: Dice) -> str:
    """The whole document."""
    zones: dict[str, list[Hyperlink]] = {}
    for link in links:
        zones.setdefault(link.zone, []).append(link)
    crumbs = "".join(f'<p class="crumbs">Part of {anchor(link)}</p>' for link in zones.get("crumbs", ()))
    main = [f"{crumbs}<h1>{title}</h1>", '<p class="byline">By our staff</p>']
    main += [f"<p>{p}</p>" for p in woven(paragraphs, zones.get("text", ()), dice)]
    if len(main) > 4:
        main.insert(4, f'<figure><img src="/img/{dice.below(9999)}.jpg" alt="" width="640" height="360"></figure>')
    if "list" in zones:
        main.append(listed(zones["list"]))
    return document(site, title, "\n".join(main), zones)


def document(site: Site, title: str, main: str, zones: dict[str, list[Hyperlink]]) -> str:
    beside = "".join(
        f'<section class="{zone}"><h3>{caption}</h3>{listed(zones[zone])}</section>'
        for zone, caption in CAPTIONS.items()
        if zone in zones
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title} - {site.name}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<link rel="stylesheet" href="/style.css">\n</head>'
        f'<body class="{site.kind}">\n<header><a class="logo" href="/"><img src="/logo.png" alt="{site.name}"></a>'
        '<a href="javascript:void(0)" class="menu">Menu</a><a href="mailto:desk@example.test">Write to us</a>\n'
        f"<nav>{listed(zones.get('nav', ()))}</nav></header>\n<main><article>\n{main}\n</article></main>\n"
        f"<aside>{beside}</aside>\n<footer>{listed(zones.get('foot', ()))}"
        f"<p>Copyright {site.name}. All rights reserved.</p></footer>\n</body>\n</html>\n"
    )


def scripted(site: Site, title: str, paragraphs: Sequence[str], links: Sequence[Hyperlink], dice: Dice) -> str:
    """A page that a script builds: without it there is a title and a hint."""
    texts = woven(paragraphs, [link for link in links if link.zone != "nav"], dice)
    data = json.dumps({"title": title, "paragraphs": texts}, ensure_ascii=True).replace("<", "\\u003c")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">\n<title>{title} - {site.name}</title></head>'
        f'<body>\n<div id="app"></div>\n<noscript>You need to enable JavaScript to run this app.</noscript>\n'
        f"<script>const page = {data};\nconst app = document.getElementById('app');\n"
        "app.innerHTML = '<main><h1>' + page.title + '</h1>' + page.paragraphs.map(p => '<p>' + p + '</p>').join('') + "
        "'</main>';\n</script>\n</body>\n</html>\n"
    )
