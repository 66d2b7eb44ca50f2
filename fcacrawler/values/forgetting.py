"""What a user wants a crawl to forget, and what it remembers of that: digests, so that it is not fetched again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Gone:
    """Pages by their canonical URLs, or all of a host and of those below it.

    >>> gone = Gone(host="a.org")
    >>> gone("http://a.org/x"), gone("https://www.a.org/"), gone("http://ba.org/"), Gone(frozenset(["http://a/"]))("http://a/")
    (True, True, False, True)
    """

    urls: frozenset[str] = frozenset()
    host: str = ""

    def __call__(self, url: str) -> bool:
        if self.host:
            return self.host in url and _below(host_in(url), self.host)
        return url in self.urls

    @property
    def digests(self) -> frozenset[str]:
        return frozenset(map(digest, [self.host] if self.host else self.urls))


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Digests of URLs and hosts that a crawl is not to fetch again. Nobody can read in them what was forgotten."""

    digests: Collection[str] = field(default_factory=frozenset)

    def __contains__(self, place: tuple[str, str]) -> bool:
        """A URL and its host.

        >>> ("http://b.a.org/", "b.a.org") in Forgotten(Gone(host="a.org").digests)
        True
        """
        url, host = place
        return any(digest(name) in self.digests for name in (url, *_above(host)))


def digest(name: str) -> str:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def host_in(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _below(host: str, above: str) -> bool:
    return host == above or host.endswith(f".{above}")


def _above(host: str) -> Iterator[str]:
    """The host and all that it is below."""
    while host:
        yield host
        host = host.partition(".")[2]


def without(value: Any, gone: Gone) -> Any:
    """JSON without the URLs that are to be forgotten: those in lists and names of mappings go, others become None.

    >>> without({"parent": "http://a/", "path": ["http://a/", "http://b/"], "text": "of http://a/"}, Gone(frozenset(["http://a/"])))
    {'parent': None, 'path': ['http://b/'], 'text': 'of http://a/'}
    """
    if isinstance(value, dict):
        return {name: without(v, gone) for name, v in value.items() if not _is(name, gone)}
    if isinstance(value, list):
        return [without(v, gone) for v in value if not _is(v, gone)]
    return None if _is(value, gone) else value


def _is(value: Any, gone: Gone) -> bool:
    return isinstance(value, str) and value.startswith("http") and gone(value)
