"""Search over what crawls have fetched.

Doors:

- ``Index``: what a crawl's pages are searched by, made from its store, at any time and by anyone
- ``Opened``: the same to be asked; ``ask(jobs, query) -> Found``: the best pages of several crawls
- ``browse(jobs, query) -> Found``: the first pages of a harvest, where nothing is asked for
- ``told(jobs, urls, query) -> Found``: what another engine has found, as far as these crawls have it
- ``Filter``, ``Query``: what is asked for; ``Hit``: a page that was found; ``Facets``: what else can be asked for
"""

from __future__ import annotations

from dataclasses import dataclass

from fcacrawler.search.asking import Found, Hit, Query, ask, browse, told
from fcacrawler.search.facets import Facets
from fcacrawler.search.index import Index
from fcacrawler.search.opened import Filter, Opened
from fcacrawler.values.options import option

__all__ = ["Facets", "Filter", "Found", "Hit", "Index", "Opened", "Query", "SearchOptions", "ask", "browse", "told"]


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Whether a crawl makes its pages searchable."""

    search: bool = option(True, "make the pages of a crawl with a JOBDIR searchable while it runs (scrapy search)")
