"""What an ontology crawl knows of its topic: which classes a text speaks of, what they weigh, and what pages taught."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from fcacrawler.ontology.lexicon import Lexicon, Match, count
from fcacrawler.ontology.model import Ontology
from fcacrawler.ontology.options import OntologyOptions
from fcacrawler.ontology.relevance import class_weights, raw_relevance, squash
from fcacrawler.ontology.statistics import NO_COUNTS, Counts, counts_of, learned_weights
from fcacrawler.ontology.topics import topic_classes
from fcacrawler.ontology.words import Reader, content

RAW_HALF = 10.0  # raw relevance that makes 1/2, where a rank in [0, 1] is asked for
NOTICED = 0.05  # a weight that moves by less is not told as a change


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as the ontology sees it."""

    matches: tuple[Match, ...]
    frequencies: Mapping[str, int]  # f(Ck, D)
    stems: tuple[str, ...]  # stop words left out


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the pages so far have changed."""

    pages: int  # Nc
    on_topic: int  # Nt
    weights: Mapping[str, float]  # W' of the classes that have moved noticeably since they were last told


class TopicKnowledge:
    """Reads texts and weighs them; learns the weights of the classes from the pages crawled."""

    def __init__(
        self,
        ontology: Ontology,
        topic: str,
        reader: Reader,
        options: OntologyOptions,
        counted_for: Collection[str] = (),
        counts: Counts = NO_COUNTS,
    ) -> None:
        """``counts`` are of an earlier crawl: where it starts from, if that was about the same classes."""
        self.ontology = ontology
        self.options = options
        self.topics = topic_classes(ontology, topic, reader)
        self.prior = class_weights(ontology, self.topics, options.ontology_discount)
        self.weights = dict(self.prior)
        self.counts = self._before = counts if set(counted_for) == set(self.topics) else NO_COUNTS
        self.history: list[Lesson] = []
        self._told = dict(self.prior)
        self._reader = reader
        self._lexicons: dict[str, Lexicon] = {}
        self._classes: dict[str, tuple[str, ...]] = {}  # on each page crawled
        if self.counts.pages:
            self._evolve()

    def grow(self, ontology: Ontology) -> None:
        """The ontology has changed: distances, words and weights are those of the new one, and its new classes count
        on the pages that are read from now on. The topic's classes stay; it must have them still."""
        self.ontology = ontology
        self.prior = class_weights(ontology, self.topics, self.options.ontology_discount)
        self._lexicons.clear()
        self._told = self.prior | {i: w for i, w in self._told.items() if i in self.prior}
        self._evolve()

    def read(self, text: str, language: str) -> Reading:
        """The classes that a text speaks of."""
        lexicon = self._lexicons.get(language)
        if lexicon is None:
            lexicon = self._lexicons[language] = Lexicon(self.ontology, language, self._reader)
        tokens = self._reader.tokens(text, language)
        matches = lexicon.matches(tokens, self.options.ontology_matches == "all")
        return Reading(tuple(matches), count(matches), tuple(content(tokens)))

    def raw(self, reading: Reading) -> float:
        """Σ f·W' with the weights of now."""
        return raw_relevance(reading.frequencies, self.weights)

    def relevance(self, raw: float, tokens: int) -> float:
        """S_pc in [0, 1] of a text with this raw relevance and so many words."""
        options = self.options
        if options.ontology_relevance == "raw":
            return squash(raw, RAW_HALF)
        words = tokens + options.ontology_short
        return squash(raw / words, options.ontology_half) if words else 0.0

    def remember(self, page: str, reading: Reading) -> None:
        """The page has been crawled."""
        self._classes[page] = tuple(reading.frequencies)

    def learn(self, on_topic: Callable[[str], bool]) -> None:
        """Learn all weights anew from all pages crawled."""
        if self.options.ontology_learning != "off":
            self.counts = self._before + counts_of((classes, on_topic(p)) for p, classes in self._classes.items())
            self._evolve()

    def _evolve(self) -> None:
        o = self.options
        if o.ontology_learning == "off":
            self.weights = dict(self.prior)
            return
        self.weights = learned_weights(
            self.prior,
            self.counts,
            o.ontology_learning,
            o.ontology_smoothing,
            o.ontology_bound,
            self.ontology.edges,
            o.ontology_propagation,
        )
        moved = {i: w for i, w in self.weights.items() if abs(w - self._told[i]) > NOTICED * self._told[i]}
        if moved:
            self._told.update(moved)
            self.history.append(Lesson(self.counts.pages, self.counts.on_topic, moved))

    def strongest(self, frequencies: Mapping[str, int], most: int = 8) -> list[str]:
        """The classes that add most to a relevance."""
        adding = {i: n * self.weights.get(i, 0.0) for i, n in frequencies.items()}
        return sorted((i for i, part in adding.items() if part), key=lambda i: (-adding[i], i))[:most]


def together(readings: list[Reading]) -> Counter[str]:
    """Class frequencies of several texts as of one."""
    total: Counter[str] = Counter()
    for reading in readings:
        total.update(reading.frequencies)
    return total
