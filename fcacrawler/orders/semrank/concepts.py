"""How a person reads a rank: the formal concept of judged pages that a page or a link falls under.

Objects are relevant judged pages, attributes their keywords. The current concept is what is looked at with the keywords
that it shares with the base; the base concept is the closure of the best of them: all base pages that have it, and all
keywords that these have in common. Off the hot path: nothing here is part of a rank.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

KEYWORDS = 10  # of a page, its best
SHOWN = 5  # pages of an extent


class BaseConcepts:
    """The keywords of the latest relevant pages."""

    def __init__(self, pages: int) -> None:
        self._limit = pages
        self._intents: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._extents: dict[str, dict[str, None]] = {}

    def add(self, url: str, keywords: Sequence[tuple[str, float]]) -> None:
        if url in self._intents:
            return
        self._intents[url] = frozenset(k for k, _ in keywords[:KEYWORDS])
        for keyword in self._intents[url]:
            self._extents.setdefault(keyword, {})[url] = None
        if len(self._intents) > self._limit:
            old, intent = self._intents.popitem(last=False)
            for keyword in intent:
                del self._extents[keyword][old]
                if not self._extents[keyword]:
                    del self._extents[keyword]

    def said(self, words: Iterable[str]) -> list[str]:
        """Keywords of the base all of whose words are among these."""
        have = frozenset(words)
        return sorted(k for k in self._extents if have.issuperset(k.split()))

    def explain(self, url: str, keywords: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
        """Base concept, current concept, shared keywords.

        >>> base = BaseConcepts(9)
        >>> base.add("u1", [("race", 1.0), ("car", 0.5)]); base.add("u2", [("race", 1.0), ("car", 0.4), ("rally", 0.3)])
        >>> base.explain("u3", ["rally", "car", "mud"])[0]
        {'extent': ['u2'], 'intent': ['car', 'race', 'rally']}
        """
        shared = [k for k in dict.fromkeys(keywords) if any(u != url for u in self._extents.get(k, ()))]
        counts = Counter(u for k in shared for u in self._extents[k] if u != url)
        current = {"extent": [url], "intent": shared}
        if not counts:
            return {"extent": [], "intent": []}, current, []
        nearest = max(counts, key=lambda u: counts[u])  # the earliest of the best
        common = self._intents[nearest].intersection(shared)
        rarest = min((self._extents[k] for k in common), key=len)
        extent = [u for u in rarest if u != url and common <= self._intents[u]]
        intent = frozenset.intersection(*(self._intents[u] for u in extent))
        return {"extent": extent[:SHOWN], "intent": sorted(intent)}, current, [k for k in shared if k in common]
