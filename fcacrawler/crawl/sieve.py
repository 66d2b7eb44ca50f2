"""What holds links back: the rules, budgets and traps of one crawl, and how many links each has left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from fcacrawler.crawl.budgets import Budgets
from fcacrawler.crawl.rules import MARKED, Rules
from fcacrawler.crawl.traps import Traps
from fcacrawler.values.links import Candidate, Evidence, Link

KeysOf = Callable[[Sequence[str]], Sequence[tuple[bytes, str]]]


class Sieve:
    """Links come in, a page's at once, and those that no rule is against go through."""

    def __init__(self, rules: Rules, taken: Mapping[str, int], keys_of: KeysOf, marks: Mapping[str, bool]) -> None:
        """``taken``: responses so far by host; ``keys_of`` answers canonical URLs' keys and hosts; ``marks``: what
        users say of pages, by URL."""
        self.rules = rules
        self._marks = marks
        self.budgets = Budgets(rules.options, taken)
        self.traps = Traps()
        self.dropped: Counter[str] = Counter()  # links left out, by rule
        self._keys_of = keys_of
        self._homes: set[str] = set()  # hosts of seeds, where the crawl is to stay on them

    def at_home_on(self, hosts: Collection[str], exchanged: Callable[[Collection[str]], Collection[str]]) -> None:
        """Links to these hosts are not off-site, nor are those to what they are ``exchanged`` for: the homes that other
        runs and workers know."""
        if self.rules.options.stay != "any" and not self._homes.issuperset(hosts):
            self._homes.update(hosts, exchanged(hosts))
            self.rules = self.rules.at_home_on(self._homes)

    def block(self, host: str) -> None:
        self.rules = self.rules.without(host)

    def links(self, links: Sequence[Link], parent: str, depth: int) -> Iterator[Candidate]:
        """Of the links on a page those that are followed, as candidates."""
        keys = self._keys_of([link.url for link in links])
        for link, (key, host) in zip(links, keys, strict=True):
            if self.passes(link.url, host, depth, link.nofollow, parent):
                yield candidate(link, key, host, parent, depth, len(links))

    def heard(self, links: Sequence[Link], parent: str, depth: int) -> list[Candidate]:
        """All links on a page that another worker has read, which has sifted them."""
        keys = self._keys_of([link.url for link in links])
        return [candidate(x, *k, parent, depth, len(links)) for x, k in zip(links, keys, strict=True)]

    def passes(self, url: str, host: str, depth: int, nofollow: bool = False, parent: str = "") -> bool:
        """Whether no rule is against a link; if one is, that is counted."""
        rule = self.against(url, host, depth, nofollow, parent)
        if rule is not None:
            self.dropped[rule] += 1
        return rule is None

    def against(self, url: str, host: str, depth: int, nofollow: bool = False, parent: str = "") -> str | None:
        """The rule by which a link on a page would not be followed now."""
        if self._marks.get(url) is False:
            return MARKED
        rule = self.rules.against(url, host, depth, nofollow) or self.budgets.used_up(host)
        if rule is None and depth and self.rules.options.traps:
            rule = self.traps.rule(url, parent)
        return rule

    def against_part(self, url: str, host: str, own: bool) -> str | None:
        """The rule by which the scripts of a page do not get this URL; ``own``: it is of the page's own site."""
        return self.rules.against_part(url, host, own) or (None if own else self.budgets.used_up(host))


def candidate(link: Link, key: bytes, host: str, parent: str, depth: int, siblings: int) -> Candidate:
    """A link of a page as a URL that may be fetched."""
    evidence = Evidence(parent, link.anchor, link.context, link.position, siblings)
    return Candidate(key, link.url, host, depth, (evidence,))
