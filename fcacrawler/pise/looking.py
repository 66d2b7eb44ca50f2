"""Searching and opening: what is answered to whoever looks."""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from fcacrawler.app.marking import marked
from fcacrawler.app.marks import said, standing
from fcacrawler.pise import clicks
from fcacrawler.pise.asked import Asked
from fcacrawler.pise.curves import spark
from fcacrawler.pise.harvest import Harvest
from fcacrawler.pise.shown import as_json, description, export, feed, page
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.marks import WORDS

logger = logging.getLogger(__name__)

OFF = "pise-clicks"  # the cookie of a browser whose clicks are not kept
SUGGESTED = 8  # keywords
SPARKS = 20  # crawls whose course is drawn in the list


def home(request: Request, harvest: Harvest) -> Response:
    names = harvest.crawls.names()
    cards = [(harvest.crawls.card(name), spark(harvest.going(name).course)) for name in names[:SPARKS]]
    cards += [(harvest.crawls.card(name), "") for name in names[SPARKS:]]
    return page(request, "home.html", cards=cards, asked=Asked(), clicks=kept(request, harvest))


def search(request: Request, harvest: Harvest) -> Response:
    asked = Asked.read(request.query_params)
    found, notes, marks = harvest.search(asked)
    return page(
        request, "search.html", asked=asked, found=found, notes=notes, marks=marks, names=harvest.crawls.names()
    )  # fmt: skip


def one(request: Request, harvest: Harvest) -> Response:
    """A page as it was read: its text, the path to it, why."""
    name, number = request.query_params.get("job", ""), request.query_params.get("n", "")
    asked = Asked.read(request.query_params)
    item, alike, why = harvest.page(name, number)
    mark = standing(marked(str(harvest.crawls.path(name)), "").marks()).get(item["url"])
    return page(
        request, "page.html", asked=asked, item=item, alike=alike, why=why, name=name, number=number,
        mark=mark.word if mark else "",
    )  # fmt: skip


def go(request: Request, harvest: Harvest) -> Response:
    """To a stored page, and to no other address; a click is written down if the browser is one that was here."""
    params = request.query_params
    url = harvest.url(params.get("job", ""), params.get("n", ""))
    ours = request.headers.get("sec-fetch-site", "same-origin") == "same-origin" and not request.scope["new"]
    if kept(request, harvest) and ours:
        try:
            clicks.write(harvest.crawls.clicks, request.scope["browser"], params.get("q", ""), url)
        except OSError as error:  # whoever opens a page gets there
            logger.warning("a click is not kept: %s", error)
    return RedirectResponse(url, 303)


def kept(request: Request, harvest: Harvest) -> bool:
    """Whether this browser's clicks are."""
    return harvest.keep_clicks and request.cookies.get(OFF) != "off"


def mark(request: Request, harvest: Harvest) -> Response:
    form = request.scope["form"]
    word = form.get("mark", "")
    if word not in WORDS:
        raise BadOptions([f"{word[:20]!r} is no mark: good, bad or none"])
    url = harvest.url(form.get("of", ""), form.get("n", ""))
    marked(str(harvest.crawls.path(form["of"])), "").mark([said(url, WORDS[word])])
    if request.headers.get("accept") == "application/json":
        return as_json({"url": url, "mark": word})
    asked = Asked.read(form)  # to the results that it came from; nothing else can be said there
    return RedirectResponse(asked.address() if form.get("from") != "page" else asked.page(form["of"], form["n"]), 303)


def what_is_kept(request: Request, harvest: Harvest) -> Response:
    learning = harvest.learning
    return page(
        request, "clicks.html", clicks=kept(request, harvest), count=learning.count(), learning=learning,
        kept_at_all=harvest.keep_clicks,
    )  # fmt: skip


def choose(request: Request, harvest: Harvest) -> Response:
    """Whether this browser's clicks are kept."""
    answer = RedirectResponse("/clicks", 303)
    off = request.scope["form"].get("keep") == "0"
    answer.set_cookie(OFF, "off" if off else "on", 365 * 86_400, httponly=True, samesite="strict")
    return answer


def exported(request: Request, harvest: Harvest) -> Response:
    asked = Asked.read(request.query_params)
    return export(harvest.items(asked), request.query_params.get("format", "jsonl"))


def rss(request: Request, harvest: Harvest) -> Response:
    name = request.query_params.get("job", "")
    return feed(name or "PISE", str(request.base_url), harvest.newest(name))


def opensearch(request: Request, harvest: Harvest) -> Response:
    return description(str(request.base_url))


def suggest(request: Request, harvest: Harvest) -> Response:
    """As browsers ask for it: the beginning, and keywords that begin so."""
    beginning = request.query_params.get("q", "")[:100]
    found = harvest.keywords(beginning, request.query_params.get("job", ""), SUGGESTED) if beginning.strip() else []
    return as_json([beginning, found], kind="application/x-suggestions+json")
