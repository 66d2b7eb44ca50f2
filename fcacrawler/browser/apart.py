"""Work in another thread's event loop, and work that takes only so long."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fcacrawler.browser.shown import NotShown

T = TypeVar("T")


class Settled(Exception):
    """The page is done; the message is its HTML."""


class Crashed(NotShown):
    """The page's tab or the browser is gone."""


async def done_in(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> T:
    """What the work answers when it is done in another thread's loop."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, loop))


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """What the work answers; whatever happens to it instead is a NotShown."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
    if not task.done():
        raise NotShown("time")
    error = task.exception()
    if isinstance(error, NotShown | Settled):
        raise error
    if error is not None:
        told = str(error).partition(" at ")[0].lower()  # before it names the page
        raise (Crashed("crash") if "closed" in told or "crash" in told else NotShown("error")) from error
    return task.result()
