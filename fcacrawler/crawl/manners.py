"""How hosts are treated: what a user may say about it."""

from __future__ import annotations

from dataclasses import dataclass

from fcacrawler.values.options import at_least, option


def wrong_contact(contact: str) -> str | None:
    """What is wrong with a mail address or web page that goes into a header; "" is neither and right."""
    plain = contact.isascii() and contact.isprintable() and not set(contact) & set(' ()<>"')
    if not contact or (plain and ("@" in contact[1:-1] or contact.startswith(("https://", "http://")))):
        return None
    return "must be a mail address, or a web page that begins with https:// or http://"


@dataclass(frozen=True, slots=True)
class MannersOptions:
    """How hosts are treated."""

    contact: str = option(
        "",
        "who runs the crawl: a mail address or a web page, told to every host in the User-Agent",
        wrong_contact,
    )
    backoff: float = option(
        5.0,
        "seconds for which a host that answers 429 or 503 is left alone unless it says; twice as long each time",
        at_least(0),
    )
    longest_backoff: float = option(
        3600.0, "seconds for which a host is left alone at most, whatever its Retry-After says", at_least(0)
    )
    tdmrep: bool = option(
        False, "ask every host once for /.well-known/tdmrep.json, where owners reserve text and data mining"
    )
    unreached: int = option(
        4,
        "fetches in a row, with pauses as for 503, after which a host that cannot be reached is given up for this run; "
        "what waits there is kept",
        at_least(1),
    )
    outage: float = option(
        21_600.0, "seconds for which a crawl waits for a network that is away, then it ends; 0: for ever", at_least(0)
    )
    crawl_delay: float = option(
        60.0, "seconds of a robots.txt's Crawl-delay that are kept at most; 0: it is not looked at", at_least(0)
    )
    sitemaps: int = option(
        0, "URLs that are taken from the sitemaps that a host's robots.txt names; 0: they are not read", at_least(0)
    )
