"""The page: what is answered to which address. HTML that works with scripts off; the same as JSON below ``/api``.

Why so: decision 212.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from fcacrawler.app.beginning import Desk
from fcacrawler.app.config import Config
from fcacrawler.app.contact import user_agent
from fcacrawler.pise import beginning, looking, programs, watching
from fcacrawler.pise.guard import Doors, Guard
from fcacrawler.pise.harvest import Elsewhere, Harvest
from fcacrawler.pise.shown import as_json, page
from fcacrawler.values.errors import FcaError

HERE = Path(__file__).parent
AT_ONCE = 2  # answers that are made at the same time: each thread holds its crawls open
QUICK = {"/go", "/mark", "/suggest", "/clicks"}  # what waits for no search: so many more
PAUSE = 3.0  # seconds between two looks for pages that are not searchable yet
Answer = Callable[[Request, Harvest], Response]


def application(
    folder: Path, doors: Doors, keep_clicks: bool = True, desk: Desk | None = None, elsewhere: Elsewhere | None = None
) -> Starlette:  # fmt: skip
    """``folder``: with a folder for each crawl; ``desk``: where search engines are asked for seeds; ``elsewhere``: an
    engine that has our pages, and finds them."""
    harvest = Harvest(folder, keep_clicks, elsewhere)
    slow, quick = ThreadPoolExecutor(AT_ONCE, "answer"), ThreadPoolExecutor(AT_ONCE, "quick")
    routes = [
        Route(path, _answered(answer, harvest, quick if path in QUICK else slow), methods=[method])
        for (method, path), answer in ANSWERS.items()
    ]  # fmt: skip

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        following = asyncio.ensure_future(_follow(harvest))
        yield
        following.cancel()
        harvest.close()
        for threads in (slow, quick):
            threads.shutdown(wait=False, cancel_futures=True)

    made = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=HERE / "static"))],
        middleware=[Middleware(Guard, doors=doors)],
        lifespan=lifespan,
    )
    made.state.harvest = harvest
    made.state.beginning = beginning.Beginning(desk or Desk(Config(), user_agent("")))
    return made


async def _follow(harvest: Harvest) -> None:
    """What is due every few seconds, in a thread of its own."""
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1, "follow") as thread:
        while True:
            await loop.run_in_executor(thread, harvest.follow)
            await asyncio.sleep(PAUSE)


def _answered(answer: Answer, harvest: Harvest, threads: ThreadPoolExecutor) -> Callable[[Request], Any]:
    async def respond(request: Request) -> Response:
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, answer, request, harvest)
        except (FcaError, OSError) as error:
            if request.url.path.startswith("/api/"):
                return as_json({"error": str(error)}, 400)
            return page(request, "problem.html", 400, problem=str(error))

    return respond


ANSWERS: dict[tuple[str, str], Answer] = {
    ("GET", "/"): looking.home,
    ("GET", "/search"): looking.search,
    ("GET", "/page"): looking.one,
    ("GET", "/go"): looking.go,
    ("GET", "/export"): looking.exported,
    ("GET", "/rss"): looking.rss,
    ("GET", "/opensearch.xml"): looking.opensearch,
    ("GET", "/suggest"): looking.suggest,
    ("GET", "/new"): beginning.new,
    ("POST", "/new"): beginning.start,
    ("POST", "/mark"): looking.mark,
    ("GET", "/clicks"): looking.what_is_kept,
    ("POST", "/clicks"): looking.choose,
    ("GET", "/crawl/{name}"): watching.crawl,
    ("POST", "/crawl/{name}"): watching.ask,
    ("GET", "/crawl/{name}/why"): watching.why,
    ("GET", "/crawl/{name}/review"): watching.review,
    ("POST", "/crawl/{name}/review"): watching.answer,
    ("GET", "/crawl/{name}/map"): watching.walk,
    ("GET", "/api/search"): programs.search,
    ("GET", "/api/page"): programs.page,
    ("GET", "/api/crawls"): programs.crawls,
    ("GET", "/api/crawls/{name}"): programs.crawl,
    ("GET", "/api/crawls/{name}/map"): programs.concept,
    ("GET", "/metrics"): programs.prometheus,
}
