"""The page: what is answered to which address. HTML that works with scripts off; the same as JSON below ``/api``.

Why so: decision 212.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from fcacrawler.app.beginning import Desk
from fcacrawler.app.config import Config
from fcacrawler.app.contact import user_agent
from fcacrawler.app.marking import marked
from fcacrawler.app.marks import said, standing
from fcacrawler.pise import beginning, clicks
from fcacrawler.pise.guard import Doors, Guard
from fcacrawler.pise.harvest import Asked, Harvest
from fcacrawler.pise.shown import description, export, feed, page
from fcacrawler.values.errors import BadOptions, FcaError
from fcacrawler.values.marks import WORDS

HERE = Path(__file__).parent
OFF = "pise-clicks"  # the cookie of a browser whose clicks are not kept
PAUSE = 3.0  # seconds between two looks for pages that are not searchable yet
Answer = Callable[[Request, Harvest], Response]


def application(folder: Path, doors: Doors, keep_clicks: bool = True, desk: Desk | None = None) -> Starlette:
    """``folder``: with a folder for each crawl; ``desk``: where search engines are asked."""
    harvest = Harvest(folder, keep_clicks)
    routes = [
        Route(path, _answered(answer, harvest), methods=[method])
        for (method, path), answer in ANSWERS.items()
    ]  # fmt: skip

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        following = asyncio.ensure_future(_follow(harvest))
        yield
        following.cancel()

    made = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=HERE / "static"))],
        middleware=[Middleware(Guard, doors=doors)],
        lifespan=lifespan,
    )
    made.state.beginning = beginning.Beginning(desk or Desk(Config(), user_agent("")))
    return made


async def _follow(harvest: Harvest) -> None:
    """Pages of crawls that do not do it themselves are made searchable."""
    while True:
        await run_in_threadpool(harvest.make_searchable)
        await asyncio.sleep(PAUSE)


def _answered(answer: Answer, harvest: Harvest) -> Callable[[Request], Any]:
    async def respond(request: Request) -> Response:
        try:
            return await run_in_threadpool(answer, request, harvest)
        except FcaError as error:
            if request.url.path.startswith("/api/"):
                return JSONResponse({"error": str(error)}, 400)
            return page(request, "problem.html", 400, problem=str(error))

    return respond


# -- looking


def home(request: Request, harvest: Harvest) -> Response:
    cards = [harvest.crawls.card(name) for name in harvest.crawls.names()]
    return page(request, "home.html", cards=cards, asked=Asked(), clicks=_kept(request, harvest))


def search(request: Request, harvest: Harvest) -> Response:
    asked = Asked.read(request.query_params)
    if not asked.words:
        return RedirectResponse("/", 303)
    found, notes, marks = harvest.search(asked)
    return page(
        request, "search.html", asked=asked, found=found, notes=notes, marks=marks, names=harvest.crawls.names(),
        clicks=_kept(request, harvest),
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
    if _kept(request, harvest) and ours:
        clicks.write(harvest.crawls.clicks, request.scope["browser"], params.get("q", ""), url)
    return RedirectResponse(url, 303)


def exported(request: Request, harvest: Harvest) -> Response:
    asked = Asked.read(request.query_params)
    return export(harvest.items(asked), request.query_params.get("format", "jsonl"))


def rss(request: Request, harvest: Harvest) -> Response:
    name = request.query_params.get("job", "")
    return feed(name, str(request.base_url), harvest.newest(name))


def opensearch(request: Request, harvest: Harvest) -> Response:
    return description(str(request.base_url))


# -- doing


def mark(request: Request, harvest: Harvest) -> Response:
    form = request.scope["form"]
    word = form.get("mark", "")
    if word not in WORDS:
        raise BadOptions([f"{word[:20]!r} is no mark: good, bad or none"])
    url = harvest.url(form.get("of", ""), form.get("n", ""))
    marked(str(harvest.crawls.path(form["of"])), "").mark([said(url, WORDS[word])])
    if request.headers.get("accept") == "application/json":
        return JSONResponse({"url": url, "mark": word})
    return _back(form)


def _back(form: dict[str, str]) -> Response:
    """To the results that it came from; nothing else can be said there."""
    asked = Asked.read(form)
    return RedirectResponse(f"/search?{urlencode(asked.params())}" if asked.words else "/", 303)


def crawl(request: Request, harvest: Harvest) -> Response:
    name = request.path_params["name"]
    if harvest.crawls.started(name) and name not in harvest.crawls.names():
        refusal = harvest.crawls.refusal(name)
        return page(request, "begins.html", name=name, refusal=refusal)
    card = harvest.crawls.card(name)
    template = "figures.html" if "figures" in request.query_params else "crawl.html"
    return page(request, template, card=card, asked=Asked(), latest=harvest.newest(name, 8, relevant=False))


def ask(request: Request, harvest: Harvest) -> Response:
    name, form = request.path_params["name"], request.scope["form"]
    reply = harvest.crawls.ask(name, form.get("ask", ""), form.get("value", ""))
    latest = harvest.newest(name, 8, relevant=False)
    return page(request, "crawl.html", card=harvest.crawls.card(name), asked=Asked(), latest=latest, reply=reply)


def choose(request: Request, harvest: Harvest) -> Response:
    """Whether this browser's clicks are kept."""
    answer = RedirectResponse("/", 303)
    off = request.scope["form"].get("keep") == "0"
    answer.set_cookie(OFF, "off" if off else "on", 365 * 86_400, httponly=True, samesite="strict")
    return answer


def _kept(request: Request, harvest: Harvest) -> bool:
    return harvest.keep_clicks and request.cookies.get(OFF) != "off"


# -- for programs


def api_search(request: Request, harvest: Harvest) -> Response:
    asked = Asked.read(request.query_params)
    found, notes, _ = harvest.search(asked)
    return JSONResponse({**asdict(found), "notes": [*found.notes, *notes]})


def api_crawls(request: Request, harvest: Harvest) -> Response:
    return JSONResponse([asdict(harvest.crawls.card(name)) for name in harvest.crawls.names()])


ANSWERS: dict[tuple[str, str], Answer] = {
    ("GET", "/"): home,
    ("GET", "/search"): search,
    ("GET", "/page"): one,
    ("GET", "/go"): go,
    ("GET", "/export"): exported,
    ("GET", "/rss"): rss,
    ("GET", "/opensearch.xml"): opensearch,
    ("GET", "/new"): beginning.new,
    ("POST", "/new"): beginning.start,
    ("POST", "/mark"): mark,
    ("POST", "/clicks"): choose,
    ("GET", "/crawl/{name}"): crawl,
    ("POST", "/crawl/{name}"): ask,
    ("GET", "/api/search"): api_search,
    ("GET", "/api/crawls"): api_crawls,
}
