"""Which links are not followed, and by which rule: a value made of the options and the seeds. Pure.

The crawl asks it when a link is found and again when its turn comes, for rules may have changed meanwhile; whoever
wants to know why a URL was dropped asks it again.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from fcacrawler.values.forgetting import Forgotten
from fcacrawler.values.options import at_least, one_of, option

if TYPE_CHECKING:
    from tldextract import TLDExtract

# What a link can be left out for; as they are counted and shown
NOFOLLOW = "nofollow"
DEPTH = "depth"
MARKED = "marked bad"
BLOCKED = "blocked host"
FORGOTTEN = "forgotten"
OFF_SITE = "off-site"
DENY = "deny"
ALLOW = "not in allow"
HOST_BUDGET = "host budget"
SITE_BUDGET = "site budget"
TOO_LONG = "URL too long"
DUPLICATE = "on a duplicate page"


def _pattern(text: str) -> str | None:
    try:
        re.compile(text)
    except re.error as error:
        return f"is not a regular expression: {error}"
    return None


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """Which links a crawl follows."""

    depth: int = option(0, "links from the nearest seed at most; 0 means no limit", at_least(0))
    allow: str = option("", "follow only links in whose URL this regular expression is found", _pattern, "allow")
    deny: str = option("", "follow no link in whose URL this regular expression is found", _pattern, "deny")
    stay: str = option(
        "any",
        "follow links to: site (the seeds' registered domains), host (the seeds' hosts, with or without www.) or any",
        one_of("site", "host", "any"),
        "stay",
    )
    traps: bool = option(True, "follow no links without an end: calendars, sessions, copies, ever longer paths")
    host_pages: int = option(0, "responses to download from one host, exactly; 0 means no limit", at_least(0))
    site_pages: int = option(
        0, "responses to download from one site (a registered domain), exactly; 0 means no limit", at_least(0)
    )

    @property
    def budgets(self) -> dict[str, int]:
        """By rule."""
        limits = {HOST_BUDGET: self.host_pages, SITE_BUDGET: self.site_pages}
        return {rule: limit for rule, limit in limits.items() if limit}


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one crawl."""

    options: RuleOptions = field(default_factory=RuleOptions)
    homes: frozenset[str] = frozenset()  # where it is to stay: sites or hosts of the seeds
    blocked: frozenset[str] = frozenset()  # hosts that nothing more is fetched from, nor from those below them

    forgotten: Forgotten = Forgotten()  # noqa: RUF009  # a value

    def at_home_on(self, hosts: Iterable[str]) -> Rules:
        """The same rules, with these hosts of seeds too."""
        homes = frozenset(map(self._place, hosts)) if self.options.stay != "any" else frozenset()
        return self if homes <= self.homes else replace(self, homes=self.homes | homes)

    def without(self, host: str) -> Rules:
        """The same rules, and nothing from this host and those below it."""
        return replace(self, blocked=self.blocked | {host})

    def against(self, url: str, host: str, depth: int, nofollow: bool = False) -> str | None:
        """The rule against following a link; None if there is none. A seed (depth 0) was asked for by name: none is but
        that its host is blocked, or that it was to be forgotten.

        >>> rules = Rules(RuleOptions(deny=r"/login|\\.php", stay="site")).at_home_on(["www.a.co.uk"])
        >>> rules.against("http://shop.a.co.uk/tea", "shop.a.co.uk", 1)
        >>> rules.against("http://b.co.uk/tea", "b.co.uk", 1), rules.against("http://a.co.uk/login", "a.co.uk", 1)
        ('off-site', 'deny')
        """
        o = self.options
        if self._blocks(host):
            return BLOCKED
        if self._forgot(url, host):
            return FORGOTTEN
        if not depth:
            return None
        if nofollow:
            return NOFOLLOW
        if o.depth and depth > o.depth:
            return DEPTH
        if o.stay != "any" and self._place(host) not in self.homes:
            return OFF_SITE
        if o.deny and re.search(o.deny, url):
            return DENY
        if o.allow and not re.search(o.allow, url):
            return ALLOW
        return None

    def against_part(self, url: str, host: str, own: bool) -> str | None:
        """The rule against asking for what the scripts of a page want; None if there is none. ``own``: it is of the
        page's own site, which is home, and whose scripts are hardly ever what ``allow`` is about.

        >>> rules = Rules(RuleOptions(allow="/blog/", deny="/api/", stay="site")).at_home_on(["a.org"])
        >>> rules.against_part("http://static.a.org/app.js", "static.a.org", own=True)
        >>> rules.against_part("http://a.org/api/", "a.org", own=True)
        'deny'
        >>> rules.against_part("http://b.org/app.js", "b.org", own=False)
        'off-site'
        """
        if not own:
            return self.against(url, host, 1)
        if self._blocks(host):
            return BLOCKED
        if self._forgot(url, host):
            return FORGOTTEN
        return DENY if self.options.deny and re.search(self.options.deny, url) else None

    def _blocks(self, host: str) -> bool:
        return bool(self.blocked) and any(host == b or host.endswith(f".{b}") for b in self.blocked)

    def _forgot(self, url: str, host: str) -> bool:
        return bool(self.forgotten.digests) and (url, host) in self.forgotten

    def _place(self, host: str) -> str:
        return site_of(host) if self.options.stay == "site" else host.removeprefix("www.")


@lru_cache(maxsize=100_000)
def site_of(host: str) -> str:
    """A host's registered domain: what one owner has under a public suffix. An address, or a suffix itself, is its own.

    >>> site_of("news.bbc.co.uk"), site_of("co.uk"), site_of("me.github.io"), site_of("www.shop.test")
    ('bbc.co.uk', 'co.uk', 'me.github.io', 'shop.test')
    >>> site_of("127.0.0.1"), site_of("::1"), site_of("localhost")
    ('127.0.0.1', '::1', 'localhost')
    """
    found = _suffixes().extract_str(host)
    if found.suffix:
        return found.top_domain_under_public_suffix or host
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return ".".join(host.split(".")[-2:])  # the list's rule for what it does not know


@cache
def _suffixes() -> TLDExtract:
    """The public suffix list that comes with the package: nothing is fetched, nothing is written."""
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
