"""A site on loopback, from memory. usage: site_server.py PAGES [LINKS [WORDS [HOSTS]]]; prints its port, then serves.

Of several hosts each has every so-manyth page, from 127.0.0.1 on. Every page has a text of its own and links to the
next page and to others at random. GET /hits answers how often each page was asked for; POST /clear forgets it.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter

from aiohttp import web

WORDS = (
    "lattice concept focused crawler formal context attribute object extent intent relevance frontier semantic "
    "ranking domain queue heap politeness redis scheduler page topic sea ship port cargo"
).split()


def page(number: int, pages: int, links: int, words: int, bases: list[str]) -> bytes:
    rng = random.Random(number)
    own = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(40)]
    text = " ".join(rng.choices(WORDS + 2 * own, k=words))
    to = [(number + 1) % pages, *(rng.randrange(pages) for _ in range(links - 1))]
    items = "".join(
        f'<li><a href="{bases[n % len(bases)]}/p/{n}">{" ".join(rng.choices(own, k=3))}</a></li>' for n in to
    )
    head = f"<!doctype html><html lang=en><head><title>{' '.join(own[:3])} {number}</title></head>"
    return f"{head}<body><h1>{number}</h1><p>{text}</p><ul>{items}</ul></body></html>".encode()


async def serve(pages: int, links: int, words: int, hosts: int) -> None:
    bodies: list[bytes] = []
    hits: Counter[int] = Counter()

    async def answer(request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        hits[number] += 1
        return web.Response(body=bodies[number], content_type="text/html", charset="utf-8")

    async def told(request: web.Request) -> web.Response:
        return web.Response(text=json.dumps(hits), content_type="application/json")

    async def clear(request: web.Request) -> web.Response:
        hits.clear()
        return web.Response()

    app = web.Application()
    app.router.add_get(r"/p/{number:\d+}", answer)
    app.router.add_get("/hits", told)
    app.router.add_post("/clear", clear)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    for n in range(1, hosts):
        await web.TCPSite(runner, f"127.0.0.{n + 1}", port).start()
    bases = [f"http://127.0.0.{n + 1}:{port}" for n in range(hosts)] if hosts > 1 else [""]
    bodies.extend(page(n, pages, links, words, bases) for n in range(pages))
    print(port, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    given = [int(a) for a in sys.argv[1:]] + [2000, 21, 300, 1][len(sys.argv) - 1 :]
    asyncio.run(serve(*given))
