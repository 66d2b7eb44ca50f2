"""How closed a recorded web is: the share of its links that lead to what is recorded.

Why so: decision 157.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from fcacrawler.evaluation.web import Fetcher
from fcacrawler.worlds import Progress

LOOKED_AT = 500  # pages, one after equal steps through all


@dataclass(slots=True)
class Closed:
    """Links that a crawl may follow, each URL once a page: all of them, and those that lead to what is recorded."""

    links: Counter[str] = field(default_factory=Counter)  # by the host of the page
    known: Counter[str] = field(default_factory=Counter)
    links_within: int = 0  # that stay on the page's host
    known_within: int = 0
    out: Counter[str] = field(default_factory=Counter)  # those that are not recorded, by the host that they lead to

    @property
    def share(self) -> float | None:
        return _share(self.known.total(), self.links.total())

    @property
    def share_within(self) -> float | None:
        return _share(self.known_within, self.links_within)

    @property
    def share_between(self) -> float | None:
        return _share(self.known.total() - self.known_within, self.links.total() - self.links_within)

    def of(self, host: str) -> float | None:
        """Of the links on the pages of a host."""
        return _share(self.known[host], self.links[host])


def _share(known: int, all_: int) -> float | None:
    return known / all_ if all_ else None


def sample(urls: Sequence[str]) -> Sequence[str]:
    """
    >>> sample([str(n) for n in range(1200)])[:3]
    ['0', '3', '6']
    """
    return urls[:: -(-len(urls) // LOOKED_AT)]


def closed(fetcher: Fetcher, pages: Sequence[str], progress: Progress) -> Closed:
    """What the links on these pages lead to."""
    found = Closed()
    for n, url in enumerate(pages, 1):
        fetched, host = fetcher.fetch(url), _host(url)
        onward = fetched.page.links if fetched.page and fetched.follow else ()
        links = {link.url for link in onward if not link.nofollow}
        known = links - fetched.unknown
        found.links[host] += len(links)
        found.known[host] += len(known)
        found.links_within += sum(_host(link) == host for link in links)
        found.known_within += sum(_host(link) == host for link in known)
        found.out.update(map(_host, links - known))
        progress(n, len(pages))
    return found


def _host(url: str) -> str:
    return urlsplit(url).netloc
