"""A page at a public address and one at a private one, in a network of their own: ``unshare -rn python …``. Prints what
the crawl has read of the public one, and what the private one was asked for."""

from __future__ import annotations

import json
import subprocess
import sys

from aiohttp import web

from tests.browser.app import app, seed, words
from tests.browser.process import crawl
from tests.site import serving

PUBLIC = "93.184.216.34"


async def granted(request: web.Request) -> web.Response:
    return web.Response(text="of the intranet", headers={"Access-Control-Allow-Origin": "*"})


def main() -> None:
    for command in ("link set lo up", f"addr add {PUBLIC}/32 dev lo"):
        subprocess.run(["ip", *command.split()], check=True)
    with serving({"/inside": granted, "/": "<p>intranet"}) as inside, serving(host=PUBLIC) as site:
        reads = (
            f"fetch('{inside.url('/inside')}').then(r => r.text()).then(t => document.body.append(t)).catch(() => 0);"
        )
        site.pages |= {"/": seed("/app/1"), "/app/1": app("App", words(1), more=reads)}
        outcome = crawl({"FCA_CONTACT": "me@e.org"}, topic="auto racing", seeds=f"{site.base},{inside.base}/")
        text = outcome.item(site.url("/app/1"))["text"]
    sys.stdout.write(json.dumps({"text": text, "asked": inside.fetched, "stats": outcome.stats}))


if __name__ == "__main__":
    main()
