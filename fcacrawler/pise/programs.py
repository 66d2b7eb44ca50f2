"""The same for programs, as JSON; docs/use/pise-api.md tells what each holds."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response

from fcacrawler.app.metrics import metrics
from fcacrawler.pise.asked import Asked
from fcacrawler.pise.harvest import Harvest
from fcacrawler.pise.shown import as_json


def search(request: Request, harvest: Harvest) -> Response:
    found, notes, marks = harvest.search(Asked.read(request.query_params))
    told = asdict(found)
    for hit, known in zip(told["hits"], found.hits, strict=True):
        hit["job"], hit["mark"] = harvest.name(known.job), marks.get((known.job, known.url))
    return as_json({**told, "notes": [*found.notes, *notes]})


def page(request: Request, harvest: Harvest) -> Response:
    name, number = request.query_params.get("job", ""), request.query_params.get("n", "")
    item, alike, why = harvest.page(name, number)
    named = [{"job": harvest.name(hit.job), "number": hit.number, "url": hit.url, "title": hit.title} for hit in alike]
    return as_json({"item": dict(item), "why": why, "alike": named})


def crawls(request: Request, harvest: Harvest) -> Response:
    return as_json([asdict(harvest.crawls.card(name)) for name in harvest.crawls.names()])


def crawl(request: Request, harvest: Harvest) -> Response:
    name = request.path_params["name"]
    card, going = harvest.crawls.card(name), harvest.going(name)
    spent = {part: pages for part, _, pages in going.spent}
    told = {"course": asdict(going.course), "spent": spent, "hosts": [asdict(host) for host in going.hosts]}
    return as_json({**asdict(card), **told, "latest": [row._asdict() for row in going.latest]})


def concept(request: Request, harvest: Harvest) -> Response:
    """One of a crawl's, with its neighbours and pages."""
    wanted = [word for word in request.query_params.get("concept", "")[:2000].split(",") if word]
    seen, rows, notes = harvest.walk(request.path_params["name"], wanted)
    around = {
        side: [{"intent": place.intent, "pages": len(place.extent)} for place in places]
        for side, places in (("above", seen.above), ("below", seen.below))
    }
    pages = [{"number": row.number, "url": row.url, "title": row.title, "relevance": row.relevance} for row in rows]
    return as_json({"intent": seen.here.intent, **around, "pages": pages, "notes": notes})


def prometheus(request: Request, harvest: Harvest) -> Response:
    crawls = harvest.crawls
    told = metrics({name: crawls.status(name) for name in crawls.names()})
    return Response(told, media_type="text/plain; version=0.0.4; charset=utf-8")
