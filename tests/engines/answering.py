"""Engines on loopback, as strange as one likes: what they say is in their handlers."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def says(body: bytes | str, kind: str = "application/json", status: int = 200, **headers: str) -> Handler:
    """The same to everybody."""
    data = body.encode() if isinstance(body, str) else body

    async def answer(request: web.Request) -> web.StreamResponse:
        return web.Response(body=data, status=status, headers={"Content-Type": kind, **headers})

    return answer


def searx(pages: Mapping[str, Sequence[str]]) -> Handler:
    """SearXNG's JSON: words of the question → URLs, best first."""

    async def answer(request: web.Request) -> web.StreamResponse:
        urls = pages.get(request.query["q"], [])
        rows = [{"url": url, "title": f"About {url}", "content": f"{url} says more"} for url in urls]
        return web.json_response({"query": request.query["q"], "results": rows})

    return answer


def written(folder: Path, **engines: Mapping[str, Any]) -> Path:
    """engines.toml with these; nobody waits between two questions."""
    lines: list[str] = []
    for name, row in engines.items():
        lines += [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in {"pause": 0, **row}.items())]
    path = folder / "engines.toml"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in value.items()) + " }"
    return json.dumps(value)
