"""Scrapy downloads from a world instead of the network."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import Headers
from scrapy.responsetypes import responsetypes

from fcacrawler.worlds import Answer, World, open_world

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

NOTHING_HERE = Answer(404, (("Content-Type", "text/html; charset=utf-8"),), b"<html><title>404</title></html>")


def world_settings() -> dict[str, dict[str, str]]:
    """What must be set so that every page comes from the world that FCA_WORLD names."""
    handler = "fcacrawler.downloads.WorldHandler"
    return {"DOWNLOAD_HANDLERS": {"http": handler, "https": handler}}


class WorldHandler(BaseDownloadHandler):
    """Answers http and https requests from the world that FCA_WORLD names."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.world: World = open_world(crawler.settings.get("FCA_WORLD"))

    async def download_request(self, request: Request) -> Response:
        answer = self.world.answer(request.url) or NOTHING_HERE
        if answer.delay:
            await asyncio.sleep(answer.delay)
        headers = Headers()
        for name, value in answer.headers:
            headers.appendlist(name, value)
        kind = responsetypes.from_args(headers=headers, url=request.url, body=answer.body)
        return kind(request.url, status=answer.status, headers=headers, body=answer.body, protocol="HTTP/1.1")

    async def close(self) -> None:
        self.world.close()
