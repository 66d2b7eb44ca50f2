"""A link: as it stands on a page, as evidence for a URL, and as a candidate that waits to be fetched."""

from __future__ import annotations

from typing import NamedTuple


class Link(NamedTuple):
    """One link as it stands on a page."""

    url: str  # absolute and canonical
    anchor: str  # what can be read in the link; an image's alternative text where there is none
    context: str  # the words just before and after it
    position: int  # 0, 1, 2 … in the order of the page; a URL linked twice keeps its first position
    nofollow: bool = False
    path: str = ""  # of the elements around it, shortened: where in the page's layout it stands
    language: str = ""  # of the page that it leads to, if that is said (hreflang): ISO 639-1


class Evidence(NamedTuple):
    """Why a URL is known: one link to it."""

    parent: str  # URL of the page that it stands on
    anchor: str
    context: str
    position: int
    siblings: int  # how many links that page has


class Candidate(NamedTuple):
    """A URL that has been found and not been fetched, with all that is known of it."""

    key: bytes  # identity: digest of the canonical URL (of method and body too for foreign requests)
    url: str
    host: str
    depth: int  # links from the nearest seed
    evidence: tuple[Evidence, ...] = ()  # in order of arrival, bounded
    request: str = ""  # JSON of a foreign spider's request, "" for a plain GET

    @property
    def parent(self) -> str:
        """The page that it was first found on; "" for a seed."""
        return self.evidence[0].parent if self.evidence else ""
