"""How Chromium is started: scrapy-playwright's handler, used for pages only."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from scrapy.crawler import Crawler
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",  # whatever gets round our routes finds no host,
    "--no-proxy-server",  # nor a proxy that finds it
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--blink-settings=imagesEnabled=false",
    "--disable-dev-shm-usage",  # it is small in containers
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-threaded-compositing",
    "--disable-site-isolation-trials",  # there is nothing to steal, and a process a site takes twice the time
    "--renderer-process-limit=2",
    "--js-flags=--max-old-space-size=512",
)


class Handler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """Starts when we say so, and not with the engine."""

    async def ready(self) -> None:
        if not hasattr(self, "browser_provider"):
            with _own_session():
                await self._launch()
        await self._maybe_launch_browser()

    async def end(self) -> None:
        await self._close()


def handler_of(crawler: Crawler, program: str, seconds: float) -> Handler:
    """Not yet started. ``seconds``: that a page may take."""
    logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)  # what its warnings tell is in our statistics
    handler = Handler(crawler)
    given = handler.config.launch_options
    launch = {"executable_path": program, "chromium_sandbox": _sandbox(), **given}
    launch |= dict.fromkeys(("handle_sigint", "handle_sigterm", "handle_sighup"), False)
    handler.config.launch_options = {**launch, "args": [*FLAGS, *given.get("args", ())]}
    handler.config.navigation_timeout_ms = 1000 * seconds
    handler.config.download_timeout_secs = 0.1  # downloads are refused: nothing to wait for
    handler.config.target_closed_max_retries = 0
    return handler


@contextmanager
def _own_session() -> Iterator[None]:
    """What is started meanwhile, Playwright's driver, does not hear Ctrl-C: the crawl ends, and it after the crawl."""
    plain = asyncio.create_subprocess_exec
    asyncio.create_subprocess_exec = partial(plain, start_new_session=True)
    try:
        yield
    finally:
        asyncio.create_subprocess_exec = plain


def _sandbox() -> bool:
    """As root Chromium runs without its sandbox or not at all."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0
