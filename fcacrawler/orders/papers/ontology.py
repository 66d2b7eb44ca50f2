"""The learning ontology crawler: *Huang, Zhang, Zhang & Zhu 2010*. S_p = r1·S_pc + r2·S_pl (Eq. 9)."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from fcacrawler.ontology.knowledge import Reading, TopicKnowledge, together
from fcacrawler.ontology.lexicon import words_by_class
from fcacrawler.ontology.links import crawl_priority, link_priority, page_rank, positive_relevance, reinforcement
from fcacrawler.ontology.sources import Source, read_sources
from fcacrawler.ontology.words import Reader
from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.orders.schedule import Schedule
from fcacrawler.page import terms
from fcacrawler.values.errors import FcaError
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation, Judged

logger = logging.getLogger(__name__)

MATCHED = 12  # words that an explanation names
REMEMBERED = 50_000  # texts at links whose reading is kept


class OntologyOrder(PlainOrder):
    """Ranks links by what the ontology says of their words and parents (S_pc), and by link analysis (S_pl).

    S_pc of a link is the mean of two: the relevance of its anchors and their contexts as one text, and the mean
    relevance of the pages that it stands on. S_pl is halved, so that both parts lie in [0, 1]. A page's own rank is its
    content relevance. Weights are learned, and with them everything is weighed anew, after every so many pages.
    """

    def __init__(self, given: Given) -> None:
        self.epoch = 0
        self._options = o = given.ontology
        reader, source = _sources(o.ontology, o.ontology_nouns)
        self.knowledge = TopicKnowledge(source.ontology, given.topic.words, reader, o, source.topics, source.counts)
        self._gamma = given.gamma
        self._profile = given.profile
        self._judge = given.judge
        self._readings: dict[str, Reading] = {}  # of pages crawled
        self._content: dict[str, float] = {}  # S_pc of pages crawled
        self._likeness: dict[str, float] = {}  # PRS of pages crawled
        self._links: dict[str, tuple[str, ...]] = {}
        self._texts: dict[str, Reading] = {}  # at links
        self._raw: dict[str, tuple[float, int]] = {}  # raw relevance and words of those texts, by the weights of now
        self._reinforced: dict[str, float] = {}  # λ of pages, as of the last lesson
        self._ranks: dict[str, float] = {}  # PageRank over the greatest, as of the last lesson
        self._schedule = Schedule(o.ontology_every)
        self._reader = reader

    # -- learning

    def observe(self, page: SeenPage, judged: Judged) -> float:
        reading = self.knowledge.read(f"{page.title}\n{page.text}", page.language)
        self.knowledge.remember(page.url, reading)
        self._readings[page.url] = reading
        self._content[page.url] = self._weigh(reading)
        self._likeness[page.url] = positive_relevance(Counter(reading.stems), self._profile.vector)
        self._links[page.url] = tuple(link.url for link in page.links)
        if self._options.ontology_reread and len(self._links) % self._options.ontology_reread == 0:
            self._reread()
        if page.depth == 0 or self._schedule.due(len(self._links)):
            self.weigh_anew()
        return self._content[page.url]

    def _weigh(self, reading: Reading) -> float:
        return self.knowledge.relevance(self.knowledge.raw(reading), len(reading.stems))

    def _reread(self) -> None:
        """The ontology may have grown. One that cannot be read now, or has lost the topic, is left as it was."""
        try:
            grown = read_sources(self._options.ontology, self._reader).ontology
        except FcaError as error:
            logger.warning("the ontology is not read again: %s", error)
            return
        if grown != self.knowledge.ontology and all(topic in grown.by_iri for topic in self.knowledge.topics):
            self.knowledge.grow(grown)
            self._texts.clear()
            self.weigh_anew()

    def weigh_anew(self) -> None:
        """Learn from all pages so far, as after every so many of them."""
        self.knowledge.learn(self._hits)
        self._content = {url: self._weigh(reading) for url, reading in self._readings.items()}
        self._raw.clear()
        self._reinforced.clear()
        if self._options.ontology_context == "pagerank":
            voters = {url for url in self._links if self._hits(url)}
            ranks = page_rank(self._links, voters, self._options.ontology_damping)
            most = max(ranks.values(), default=1.0)
            self._ranks = {url: rank / most for url, rank in ranks.items()}
        self.epoch += 1

    def _hits(self, url: str) -> bool:
        """Is a crawled page on the topic?"""
        if self._options.ontology_hits == "content":
            return self._content[url] > self._gamma
        return (self._judge.relevance(url) or 0.0) > self._gamma

    # -- ranking

    def score(self, candidate: Candidate) -> float:
        return self._rank(*self._parts(candidate))

    def _rank(self, content: float, link: float) -> float:
        o = self._options
        return crawl_priority(
            content, link, o.ontology_content, 1 - o.ontology_content, o.ontology_priority == "product"
        )

    def _parts(self, candidate: Candidate) -> tuple[float, float]:
        """S_pc and S_pl, both in [0, 1]."""
        evidence = candidate.evidence
        if not evidence:
            return 0.0, 0.0
        parents = sum(self._content.get(e.parent, 0.0) for e in evidence) / len(evidence)
        voices = [(self._reinforcement(e.parent), self._likeness.get(e.parent, 0.0)) for e in evidence]
        link = link_priority(self._context(candidate), voices, self._options.ontology_parents)
        return (self._words(candidate) + parents) / 2, link / 2

    def _words(self, candidate: Candidate) -> float:
        """S_pc of what stands at the links to a candidate, as one text."""
        raw, words = 0.0, 0
        for text in _texts(candidate.evidence):
            known = self._raw.get(text)
            if known is None:
                reading = self._read(text)
                known = self._raw[text] = (self.knowledge.raw(reading), len(reading.stems))
            more, many = known
            raw, words = raw + more, words + many
        return self.knowledge.relevance(raw, words)

    def _read(self, text: str) -> Reading:
        known = self._texts.get(text)
        if known is None:
            if len(self._texts) >= REMEMBERED:
                self._texts.clear()
                self._raw.clear()
            known = self._texts[text] = self.knowledge.read(text, self._profile.language)
        return known

    def _context(self, candidate: Candidate) -> float:
        """PR(u) of Eq. 6: the likeness of all anchors to the topic, or the PageRank (of unknown URLs the least)."""
        if self._options.ontology_context == "pagerank":
            return self._ranks.get(candidate.url, 0.0)
        return self._profile.text(" ".join(dict.fromkeys(e.anchor for e in candidate.evidence)))

    def _reinforcement(self, url: str) -> float:
        known = self._reinforced.get(url)
        if known is None:
            crawled = [u for u in self._links.get(url, ()) if u in self._content]
            known = self._reinforced[url] = reinforcement(sum(map(self._hits, crawled)), len(crawled))
        return known

    # -- explaining

    def explain(self, candidate: Candidate) -> Explanation:
        content, link = self._parts(candidate)
        evidence = candidate.evidence
        readings = [self._read(t) for t in _texts(evidence)]
        features = {"content": content, "link": link}
        if evidence:
            features |= {
                "content of the words": self._words(candidate),
                "content of the parents": sum(self._content.get(e.parent, 0.0) for e in evidence) / len(evidence),
                "context": self._context(candidate),
                "likeness of the parents": sum(self._likeness.get(e.parent, 0.0) for e in evidence) / len(evidence),
                "reinforcement": sum(self._reinforcement(e.parent) for e in evidence) / len(evidence),
            }
        return self._explanation(self._rank(content, link), candidate.url, evidence, readings, features)

    def explain_page(self, page: SeenPage) -> Explanation:
        content = self._content[page.url]
        features = {"content": content, "likeness": self._likeness[page.url]}
        return self._explanation(content, page.url, page.evidence, [self._readings[page.url]], features)

    def _explanation(
        self, rank: float, url: str, evidence: Sequence[Evidence], readings: list[Reading], features: dict[str, float]
    ) -> Explanation:
        """The classes that say most, with their weights before the crawl and now, and the words that named them."""
        knowledge = self.knowledge
        names = {c.iri: c.name for c in knowledge.ontology.classes}
        classes = knowledge.strongest(together(readings))
        words = words_by_class(match for reading in readings for match in reading.matches)
        matched = [(w, names[i], round(knowledge.weights[i], 4)) for i in classes for w in words[i]]
        weights = {names[i]: [round(knowledge.prior[i], 4), round(knowledge.weights[i], 4)] for i in classes}
        return Explanation(
            rank=rank,
            ext=features.get("link", 0.0),
            int_=features["content"],
            w=1 - self._options.ontology_content if "link" in features else 0.0,
            base_concept={"extent": [e.parent for e in evidence[:3]], "intent": [names[i] for i in knowledge.topics]},
            current_concept={"extent": [url], "intent": list(weights), "weights": weights},
            matched=tuple(matched[:MATCHED]),
            features=features,
        )


@lru_cache(maxsize=4)
def _sources(names: str, nouns: bool) -> tuple[Reader, Source]:
    """The ontology of a crawl, read once a process: a database may be large."""
    reader = Reader(terms, nouns)
    return reader, read_sources(names, reader)


def _texts(evidence: Sequence[Evidence]) -> list[str]:
    """Anchors and contexts, each once."""
    return list(dict.fromkeys([*(e.anchor for e in evidence), *(e.context for e in evidence)]))
