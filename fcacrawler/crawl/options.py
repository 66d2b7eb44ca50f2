"""What a user may say about when links run, and when a crawl ends."""

from __future__ import annotations

from dataclasses import dataclass

from fcacrawler.values.options import at_least, between, option


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """When a link runs, and when a crawl ends."""

    gamma: float = option(0.45, "threshold γ: links ranked above it run, the rest waits", between(0, 1), "gamma")
    pages: int = option(0, "responses to download, exactly; 0 means no limit", at_least(0), "pages")
    tunnel: int = option(
        100,
        "links let through below γ, while nothing above it waits: so many, and ten more for every relevant page, but "
        "no more than so many in a row",
        at_least(0),
    )
    patience: int = option(
        1000,
        "the crawl has dried up after so many pages in a row without a relevant one; 0: never",
        at_least(0),
    )
    recall: float = option(
        0.0,
        "the crawl ends when so much of what there is to find has been found, as far as can be told; 0: never",
        between(0, 1),
        "recall",
    )
    host_turn: int = option(
        0,
        "many hosts rather than much of one: a host that has given so many pages waits until the others with links "
        "above γ have; 0: whoever has the best link",
        at_least(0),
        "host_turn",
    )
    rerank: int = option(
        200, "how many of the best that wait are ranked again whenever the order has learned", at_least(1)
    )
