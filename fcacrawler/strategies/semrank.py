"""The default order: graded SemRank. Two parts and one weight as in *Du & Hai 2013, Def. 18*, both parts graded.

rank = w·Ext + (1-w)·Int. Ext is what the links from judged pages say, Int what the words at those links say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from fcacrawler.items import Candidate, Evidence, Explanation, SeenPage
from fcacrawler.strategies import Given

EXT = MappingProxyType({"meanrel": 1.0, "maxrel": 0.2, "thr": 0.5, "child": 0.5, "loc": 0.7})
INT = MappingProxyType({"anchor": 0.5, "context": 0.2, "url": 1.0})
W = sum(EXT.values()) / (sum(EXT.values()) + sum(INT.values()))  # so that every feature keeps its weight
NEAR = (1.0, 0.7, 0.5, 0.35)  # weight of a neighbour at distance 1, 2, 3, 4 in the parent's list of links
EVERY = 5  # pages between two epochs


class SemRank:
    """Means, never sums, of what is known of the pages that link to a candidate: sums run into hubs."""

    gated = True
    thorough = False

    def __init__(self, given: Given) -> None:
        self.epoch = 0
        self._profile = given.profile
        self._relevance = given.judge.relevance
        self._links: dict[str, tuple[str, ...]] = {}  # of fetched pages
        self._base = 0.0  # mean relevance of what was fetched
        self._children: dict[str, float] = {}  # child rate, by page, of this epoch

    def observe(self, page: SeenPage, relevance: float) -> float:
        self._links[page.url] = tuple(link.url for link in page.links)
        if len(self._links) % EVERY == 0 or page.depth == 0:
            self.epoch += 1
            self._children.clear()
        self._base += (relevance - self._base) / len(self._links)
        return relevance

    def rank(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        return [_rank(*_parts(self.features(c))) for c in candidates]

    def features(self, candidate: Candidate) -> dict[str, float]:
        """Each in [0, 1]; n is the number of links known to lead here.

        - meanrel, maxrel: mean and greatest relevance of the linking pages; thr: (Σ rel + base) / (n + 1)
        - child: mean child rate of the linking pages; loc: mean relevance around the link in their lists of links
        - anchor: best cosine of an anchor with the topic; context: mean cosine of the contexts; url: cosine of the URL
        """
        evidence = candidate.evidence
        if not evidence:
            return dict.fromkeys((*EXT, *INT), 0.0)
        n = len(evidence)
        relevances = [self._known(e.parent) for e in evidence]
        return {
            "meanrel": sum(relevances) / n,
            "maxrel": max(relevances),
            "thr": (sum(relevances) + self._base) / (n + 1),
            "child": sum(self._child_rate(e.parent) for e in evidence) / n,
            "loc": sum(self._around(e) for e in evidence) / n,
            "anchor": max(self._profile.text(e.anchor) for e in evidence),
            "context": sum(self._profile.text(e.context) for e in evidence) / n,
            "url": self._profile.url(candidate.url),
        }

    def _known(self, url: str) -> float:
        relevance = self._relevance(url)
        return self._base if relevance is None else relevance

    def _child_rate(self, url: str) -> float:
        """(Σ relevance of the page's fetched children + 2·base) / (number of them + 2)."""
        known = self._children.get(url)
        if known is None:
            fetched = [r for u in self._links.get(url, ()) if (r := self._relevance(u)) is not None]
            known = self._children[url] = (sum(fetched) + 2 * self._base) / (len(fetched) + 2)
        return known

    def _around(self, link: Evidence) -> float:
        """(Σ w_k·relevance of the fetched neighbours at distance k in the page's list + child rate) / (Σ w_k + 1)."""
        links = self._links.get(link.parent, ())
        total, weight = self._child_rate(link.parent), 1.0
        for k, w in enumerate(NEAR, 1):
            for position in (link.position - k, link.position + k):
                if 0 <= position < len(links) and (relevance := self._relevance(links[position])) is not None:
                    total += w * relevance
                    weight += w
        return total / weight

    def explain(self, candidate: Candidate) -> Explanation:
        features = self.features(candidate)
        ext, int_ = _parts(features)
        best = sorted(candidate.evidence, key=lambda e: -self._known(e.parent))[:3]
        words = [w for e in best for w in self._profile.shared(e.anchor)] + list(self._profile.shared(candidate.url))
        matched = list(dict.fromkeys(words))
        return Explanation(
            rank=_rank(ext, int_),
            ext=ext,
            int_=int_,
            w=W,
            base_concept={"extent": [e.parent for e in best], "intent": matched},
            current_concept={"extent": [candidate.url], "intent": matched},
            matched=tuple((word, word, 1.0) for word in matched),
            features=features,
        )

    def explain_page(self, page: SeenPage) -> Explanation:
        """A page that has been read is judged by itself: rank = relevance, all of it Int."""
        relevance = self._known(page.url)
        parents = [self._known(e.parent) for e in page.evidence]
        matched = [word for word, _ in page.keywords if self._profile.shared(word)]
        return Explanation(
            rank=relevance,
            ext=sum(parents) / len(parents) if parents else 0.0,
            int_=relevance,
            w=0.0,
            base_concept={"extent": [e.parent for e in page.evidence], "intent": matched},
            current_concept={"extent": [page.url], "intent": [word for word, _ in page.keywords]},
            matched=tuple((word, word, 1.0) for word in matched),
            features={"cosine": self._profile.cosine(page.terms)},
        )


def _parts(features: Mapping[str, float]) -> tuple[float, float]:
    """Ext and Int: weighted means of their features."""
    ext = sum(w * features[name] for name, w in EXT.items()) / sum(EXT.values())
    int_ = sum(w * features[name] for name, w in INT.items()) / sum(INT.values())
    return ext, int_


def _rank(ext: float, int_: float) -> float:
    return W * ext + (1 - W) * int_
