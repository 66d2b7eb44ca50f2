"""Whether suggested pages answer: asked once each, a host one question at a time, only where its robots.txt allows it.

Why so: decision 242.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import urlsplit

from protego import Protego

from fcacrawler.engines.fusion import Suggestion
from fcacrawler.engines.web import Unanswered, Web

SECONDS = 20.0  # for all of them
PAUSE = 1.0  # seconds between two questions to a host
BEGINNING, RULES = 2_000, 512 * 1024  # bytes that are read of a page, of a robots.txt
GONE = frozenset({404, 410, 451, 401, 403, 400, 406})  # a crawl would get nothing there


def look(
    suggested: Sequence[Suggestion], user_agent: str, everywhere: bool = False, seconds: float = SECONDS,
    pause: float = PAUSE,
) -> list[Suggestion]:  # fmt: skip
    """The same, with what was seen. Where time was up, or a host is in trouble, nothing is known (None)."""
    seen: dict[str, tuple[bool | None, str]] = {}
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, _look(suggested, user_agent, everywhere, seconds, pause, seen)).result()
    return [replace(s, alive=seen.get(s.url, (None, ""))[0], state=seen.get(s.url, (None, ""))[1]) for s in suggested]


async def _look(
    suggested: Sequence[Suggestion], user_agent: str, everywhere: bool, seconds: float, pause: float,
    seen: dict[str, tuple[bool | None, str]],
) -> None:  # fmt: skip
    hosts: dict[str, list[str]] = {}
    for one in suggested:
        hosts.setdefault("{0.scheme}://{0.netloc}".format(urlsplit(one.url)), []).append(one.url)
    async with Web(user_agent, everywhere=everywhere) as web:
        tasks = [asyncio.ensure_future(_host(host, urls, web, user_agent, pause, seen)) for host, urls in hosts.items()]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            for error in done:
                if isinstance(error, Exception):
                    raise error


async def _host(
    host: str, urls: Sequence[str], web: Web, user_agent: str, pause: float, seen: dict[str, tuple[bool | None, str]]
) -> None:  # fmt: skip
    rules = None
    try:
        answer = await web.get(f"{host}/robots.txt", most=RULES, whole=False)
        if answer.status == 200:
            rules = Protego.parse(answer.body.decode("utf-8", "replace"))
    except Unanswered as error:
        seen.update((url, (False, str(error))) for url in urls)
        return
    for url in urls:
        if rules is not None and not rules.can_fetch(url, user_agent):
            seen[url] = False, "its robots.txt forbids it"
            continue
        await asyncio.sleep(pause)
        try:
            reply = await web.get(url, most=BEGINNING, whole=False)
        except Unanswered as error:
            seen[url] = False, str(error)
            continue
        if reply.status in (429, 503):
            return
        alive = reply.status < 400 if reply.status not in GONE else False
        seen[url] = alive, "" if alive else f"HTTP {reply.status}"
