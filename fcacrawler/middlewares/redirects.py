"""Where an answer's status and Location send its reader. To no URL of the web: a line, and a count."""

from __future__ import annotations

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.http import Response

from fcacrawler.middlewares.failures import give_up
from fcacrawler.page import has_host


class Redirects(RedirectMiddleware):
    """Scrapy's, less the redirects that lead nowhere: `http://[`, a port that is none, a name that no host can have."""

    def process_response(  # type: ignore[override]  # Scrapy is about to drop the spider
        self, request: Request, response: Response
    ) -> Request | Response:
        try:
            found = super().process_response(request, response)
        except ValueError:
            found = None
        if found is None or (isinstance(found, Request) and not has_host(found.url)):
            location = (response.headers.get("Location") or b"").decode("latin-1")[:200]
            give_up(self.crawler, request, "BadRedirect", f"it redirects to {location!r}, which is no URL of the web")
        return found
