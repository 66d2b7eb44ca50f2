"""Answers that are compressed, unpacked. What is not what it says it is: a line, and a count."""

from __future__ import annotations

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from fcacrawler.middlewares.failures import cause, give_up


class Unpacking(HttpCompressionMiddleware):
    """Scrapy's, which lets through what the four libraries raise on bytes that are not their format."""

    crawler: Crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Unpacking:
        unpacking = super().from_crawler(crawler)
        unpacking.crawler = crawler
        return unpacking

    def process_response(  # type: ignore[override]  # Scrapy is about to drop the spider
        self, request: Request, response: Response
    ) -> Request | Response:
        try:
            return super().process_response(request, response)
        except IgnoreRequest:  # too much: told already
            raise
        except Exception as error:  # each library has errors of its own kinds, and Scrapy chooses the libraries
            said = (response.headers.get("Content-Encoding") or b"").decode("latin-1")[:50]
            give_up(self.crawler, request, "BadCompression", f"its body is not the {said} that it says: {cause(error)}")
