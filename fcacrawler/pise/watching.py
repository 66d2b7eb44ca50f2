"""A crawl as it goes, why it does what it does, what it would like to know, and what it has found: its pages."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from fcacrawler.judge.parts import PARTS
from fcacrawler.orders.meanings import meanings
from fcacrawler.page import canonical_url
from fcacrawler.pise.curves import bar, harvest_curve, recall_curve
from fcacrawler.pise.harvest import Harvest
from fcacrawler.pise.lattice import drawn
from fcacrawler.pise.running import queues
from fcacrawler.pise.shown import page
from fcacrawler.values.errors import BadOptions

SHOWN = 30  # pages of a concept, and of what marks have changed


def crawl(request: Request, harvest: Harvest) -> Response:
    name = request.path_params["name"]
    if harvest.crawls.started(name) and name not in harvest.crawls.names():
        return page(request, "begins.html", name=name, refusal=harvest.crawls.refusal(name))
    return page(request, "figures.html" if "figures" in request.query_params else "crawl.html", **_told(harvest, name))


def _told(harvest: Harvest, name: str) -> dict[str, Any]:
    card, going = harvest.crawls.card(name), harvest.going(name)
    recall = card.status.get("recall") if card.status else None
    last = going.course.recall[-1] if going.course.recall else None
    curves = (harvest_curve(going.course), recall_curve(going.course), bar(going.spent))
    shown = recall or (last and {"share": last.share, "low": last.low, "high": last.high})
    return {"card": card, "going": going, "curves": curves, "queues": queues(card.status), "recall": shown}


def ask(request: Request, harvest: Harvest) -> Response:
    name, form = request.path_params["name"], request.scope["form"]
    reply = harvest.crawls.ask(name, form.get("ask", ""), form.get("value", ""))
    return page(request, "crawl.html", **_told(harvest, name), reply=reply)


def why(request: Request, harvest: Harvest) -> Response:
    """Of any URL; what waits takes as long as the crawl's pages take to be replayed."""
    name, url = request.path_params["name"], request.query_params.get("url", "").strip()[:4000]
    card = harvest.crawls.card(name)
    wanted = canonical_url(url if "://" in url else f"http://{url}") if url else ""
    if url and not wanted:
        raise BadOptions([f"{url[:80]!r} is no URL that begins with http:// or https://"])
    story: dict[str, Any] | None = None
    if wanted:
        said = harvest.errands.ask(["explain", wanted, "--job", str(harvest.crawls.path(name)), "--json"])
        story = json.loads(said) if said else None
    parts = _parts(story["explanation"]) if story else []
    return page(request, "why.html", card=card, url=wanted, story=story, parts=parts)


def _parts(explanation: dict[str, Any]) -> list[tuple[str, float, str]]:
    """Name, number and meaning of all that a rank is made of."""
    judge, features = explanation.get("judge") or {}, explanation.get("features") or {}
    said = meanings(features)
    rows = [(name, float(value), PARTS.get(name, "")) for name, value in judge.items()]
    return rows + [(n, float(v), said.get(n, "")) for n, v in sorted(features.items(), key=lambda part: -part[1])]


def review(request: Request, harvest: Harvest) -> Response:
    name = request.path_params["name"]
    held = harvest.reviews.held(harvest.crawls.path(name))
    problem = held.problem if held else ""
    changed = held.now.get("changed", [])[:SHOWN] if held else []
    if problem:
        held = None
    return page(request, "review.html", card=harvest.crawls.card(name), held=held, problem=problem, changed=changed)


def answer(request: Request, harvest: Harvest) -> Response:
    """To what was asked."""
    name, word = request.path_params["name"], request.scope["form"].get("say", "")
    folder = harvest.crawls.path(name)
    if word == "end":
        harvest.reviews.end(folder)
        return RedirectResponse(f"/crawl/{quote(name)}", 303)
    held = harvest.reviews.of(folder) if word == "begin" else harvest.reviews.held(folder)
    if held is None:
        raise BadOptions(["the review has ended: begin it again"])
    if word != "begin":
        held.say(word)
    return RedirectResponse(f"/crawl/{quote(name)}/review", 303)


def walk(request: Request, harvest: Harvest) -> Response:
    name = request.path_params["name"]
    wanted = [word for word in request.query_params.get("concept", "")[:2000].split(",") if word]
    card = harvest.crawls.card(name)
    seen, rows, notes = harvest.walk(name, wanted)

    def leads(intent: tuple[str, ...]) -> str:
        return f"/crawl/{quote(name)}/map?{urlencode({'concept': ','.join(intent)}, errors='replace')}"

    return page(
        request, "map.html", card=card, seen=seen, rows=rows[:SHOWN], count=len(rows), notes=notes, wanted=wanted,
        picture=drawn(seen, leads), leads=leads,
    )  # fmt: skip
