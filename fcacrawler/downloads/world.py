"""Scrapy downloads from a world instead of the network."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Headers
from scrapy.responsetypes import responsetypes

from fcacrawler.worlds import Answer, World, open_world, unchanged

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

NOT_ALLOWED = Answer(405, (("Allow", "GET, HEAD"), ("Content-Type", "text/plain")), b"only GET and HEAD")
NOTHING_HERE = Answer(404, (("Content-Type", "text/html; charset=utf-8"),), b"<html><title>404</title></html>")


def world_settings() -> dict[str, dict[str, str]]:
    """What must be set so that every page comes from the world that FCA_WORLD names."""
    handler = "fcacrawler.downloads.world.WorldHandler"
    return {"DOWNLOAD_HANDLERS": {"http": handler, "https": handler}}


class WorldHandler(BaseDownloadHandler):
    """Answers http and https requests from the world that FCA_WORLD names."""

    lazy = True  # a scheme that is never asked for opens no world

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.world: World = open_world(crawler.settings.get("FCA_WORLD"))
        self.largest = crawler.settings.getint("DOWNLOAD_MAXSIZE") or sys.maxsize

    async def download_request(self, request: Request) -> Response:
        asked = [request.headers.get(name) for name in ("If-None-Match", "If-Modified-Since")]
        known = [value.decode("latin-1") if value else None for value in asked]
        if request.method not in ("GET", "HEAD"):
            answer = NOT_ALLOWED
        else:
            answer = self.world.answer(request.url) or NOTHING_HERE
        if answer.delay:
            await asyncio.sleep(answer.delay)
        headers = Headers()
        for name, value in answer.headers:
            headers.appendlist(name, value)
        status, body = answer.status, answer.body if request.method == "GET" else b""
        if unchanged(answer, *known):
            status, body = 304, b""
        if len(body) > self.largest:
            raise DownloadCancelledError(f"{request.url}: {len(body)} bytes are more than DOWNLOAD_MAXSIZE")
        kind = responsetypes.from_args(headers=headers, url=request.url, body=body)
        return kind(request.url, status=status, headers=headers, body=body, protocol="HTTP/1.1")

    async def close(self) -> None:
        self.world.close()
