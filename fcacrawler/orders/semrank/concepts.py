"""How a person reads a rank: the formal concept of judged pages that a page or a link falls under.

Objects are relevant judged pages, attributes their keywords. The current concept is what is looked at with the keywords
that it shares with the base; the base concept is the closure of the best of them: all base pages that have it, and all
keywords that these have in common. Off the hot path: nothing here is part of a rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from fcacrawler.semrank.keyword_context import KeywordContext

SHOWN = 5  # pages of an extent


class BaseConcepts(KeywordContext):
    """The context of the latest relevant pages and their keywords; a page that is there stays as it came."""

    def add(self, url: str, keywords: Iterable[str]) -> None:
        if url not in self.intents:
            super().add(url, keywords)

    def said(self, words: Iterable[str]) -> list[str]:
        """Keywords of the base all of whose words are among these."""
        have = frozenset(words)
        return sorted(k for k in self.extents if have.issuperset(k.split()))

    def explain(self, url: str, keywords: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
        """Base concept, current concept, shared keywords.

        >>> base = BaseConcepts(9)
        >>> base.add("u1", ["race", "car"]); base.add("u2", ["race", "car", "rally"])
        >>> base.explain("u3", ["rally", "car", "mud"])[0]
        {'extent': ['u2'], 'intent': ['car', 'race', 'rally']}
        """
        shared = [k for k in dict.fromkeys(keywords) if any(u != url for u in self.extents.get(k, ()))]
        counts = Counter(u for k in shared for u in self.extents[k] if u != url)
        current = {"extent": [url], "intent": shared}
        if not counts:
            return {"extent": [], "intent": []}, current, []
        nearest = max(counts, key=lambda u: counts[u])  # the earliest of the best
        common = self.intents[nearest].intersection(shared)
        rarest = min((self.extents[k] for k in common), key=len)
        extent = [u for u in rarest if u != url and common <= self.intents[u]]
        intent = frozenset.intersection(*(self.intents[u] for u in extent))
        return {"extent": extent[:SHOWN], "intent": sorted(intent)}, current, [k for k in shared if k in common]
