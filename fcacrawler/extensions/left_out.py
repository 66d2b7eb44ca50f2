"""What a crawl has not fetched or not read, by kind: for its report, and for its ending when nothing came."""

from __future__ import annotations

from scrapy.crawler import Crawler

from fcacrawler.addon import FocusedCrawl

UNREACHED = 5  # hosts that could not be reached and are named
LEFT_OUT = {  # statistics → what a user calls them
    "fca/failed/": "download: ",
    "downloader/response_status_count/": "HTTP ",
    "spider_exceptions/": "exception: ",
    "robotstxt/forbidden": "forbidden by robots.txt",
    "fca/not_html": "no HTML page",
    "fca/usage/": "refused for the use it is wanted for: ",
    "fca/private_address": "led to a private address (FCA_PRIVATE)",
    "fca/refused": "asked to come back later",
}
NOT_LEFT_OUT = ("/200", "/301", "/302", "/303", "/307", "/308", "/count", "/429", "/503")


def left_out(crawler: Crawler, focus: FocusedCrawl) -> dict[str, int]:
    """Kind → how many, the most first."""
    found = {f"links dropped ({rule})": n for rule, n in focus.parts.crawl.sieve.dropped.items()}
    for key, value in crawler.stats.get_stats().items():
        for prefix, name in LEFT_OUT.items():
            if key.startswith(prefix) and not key.endswith(NOT_LEFT_OUT):
                found[name + key.removeprefix(prefix)] = value
    unreached = sorted(focus.parts.crawl.unreached().items(), key=lambda told: -told[1].links)
    found |= {f"not reached: {host}: {told.why}": told.links for host, told in unreached[:UNREACHED]}
    if len(unreached) > UNREACHED:
        found["not reached: other hosts"] = sum(told.links for _, told in unreached[UNREACHED:])
    return dict(sorted(found.items(), key=lambda kv: (-kv[1], kv[0])))
