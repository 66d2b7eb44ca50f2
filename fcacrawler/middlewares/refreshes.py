"""Where a page's refresh sends its reader."""

from __future__ import annotations

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.http import HtmlResponse, Response
from w3lib.html import get_base_url, get_meta_refresh

from fcacrawler.page import has_host
from fcacrawler.page.html.encoding import decode

_HEAD = 4 * 4096  # bytes; a refresh is looked for among the first 4,096 characters of a page, as by Scrapy
_CHARACTERS = 4096


class Refreshes(MetaRefreshMiddleware):
    """Scrapy's, which decodes every page by whatever codec it names; this one looks only where the word is there, and
    reads as pages are read."""

    def process_response(  # type: ignore[override]  # Scrapy is about to drop the spider
        self, request: Request, response: Response
    ) -> Request | Response:
        head, content_type = response.body[:_HEAD], (response.headers.get("Content-Type") or b"").decode("latin-1")
        if request.meta.get("dont_redirect") or request.method == "HEAD" or not isinstance(response, HtmlResponse):
            return response
        if b"refresh" not in head.lower() and b"\0" not in head:  # which there is where letters are of several bytes
            return response
        wait, url = self._refresh(response, decode(head, content_type)[:_CHARACTERS])
        if not has_host(url) or wait >= self._maxdelay:
            return response
        return self._redirect(self._redirect_request_using_get(request, response, url), request, "meta refresh")

    def _refresh(self, response: Response, text: str) -> tuple[float, str]:
        """Seconds and URL; "" for none."""
        try:
            wait, url = get_meta_refresh(text, get_base_url(text, response.url), ignore_tags=self._ignore_tags)
        except ValueError:
            return 0.0, ""
        return wait or 0.0, url or ""
