"""What a crawl looks for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """What a crawl looks for, as its user said it."""

    words: str
    seeds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()  # URLs of pages about the topic: fetched first, they say what it is about
    avoid: tuple[str, ...] = ()  # words that speak against a page
    texts: tuple[str, ...] = ()  # of the user's own files: examples that are not fetched
    suggested: tuple[str, ...] = ()  # of the seeds: those that search engines named, not the user
