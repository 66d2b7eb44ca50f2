"""What a topic is, as one vector of word weights. Every order and the judge are given the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic

QUERY = 0.8  # weight of the user's words beside the seeds'
REMEMBERED = 50_000  # texts whose cosine is kept

Vector = Mapping[str, float]


class Profile:
    """P = norm(Q + (1 - f)·s·E), Q = norm(f·norm(Σ t·seed) + 0.8·norm(words) - 0.8·norm(words to avoid)).

    f = Σ t² / Σ t: how firmly seeds are believed.
    Seeds are the pages at depth 0, the examples that the user gave, and pages that a user has called good (``marked``).
    How much each says, t, is found out while crawling (``trust``). As far as they are not believed, what the pages say
    that say most of the words counts instead, E, with the weight s that it has earned (``echo``). Relevance feedback
    hurts, so nothing else is learned.
    ``vector_of(text, language)`` makes a text's vector of norm 1, ``url_words(urls, language, said)`` each URL's
    text, said the topic's words,
    ``translate(words, language)`` the topic's words in that language, none if they are of it; ``spoken(language)`` the
    language of the pages that are wanted, where the first seed's is this one.
    """

    def __init__(
        self,
        topic: Topic,
        vector_of: Callable[[str, str], Vector],
        url_words: Callable[[Sequence[str], str, str], list[str]],
        translate: Callable[[str, str], Mapping[str, str]] = lambda words, language: {},
        spoken: Callable[[str], str] = lambda language: language,
        language: str = "en",
    ) -> None:
        self.topic = topic
        self.language = language  # of links, and of the topic's words: their own until the first seed is read
        self.translated: Mapping[str, str] = {}  # each word of the topic in that language, if they are of another
        self._vector_of, self._url_words, self._translate = vector_of, url_words, translate
        self._spoken = spoken
        self.seeds_read: list[SeenPage] = []
        self.trusts: tuple[float, ...] = ()  # of the first of them, in [0, 1]: how much it speaks for the topic
        self._echo: Vector = {}
        self._heard = 0.0  # s
        self._marked: Sequence[tuple[Vector, float]] = ()
        self._cosines: dict[str, float] = {}
        self._rebuild()

    def learn(self, seed: SeenPage) -> None:
        """A seed has been read, which says nothing before it is trusted."""
        if not self.seeds_read and seed.language:
            self.language = self._spoken(seed.language)
            self.translated = self._translate(self.topic.words, self.language)
            self._rebuild()
        self.seeds_read.append(seed)

    def trust(
        self,
        trusts: Sequence[float],
        echo: Vector = MappingProxyType({}),
        share: float = 0.0,
        marked: Sequence[tuple[Vector, float]] = (),
    ) -> None:
        """So much the seeds speak for the topic, by what is known now, and so pages speak that say its words, and those
        that a user has called good."""
        if (tuple(trusts), echo, marked) != (self.trusts, self._echo, self._marked):
            self.trusts = tuple(trusts)
            self._echo, self._heard, self._marked = echo, share, marked
            self._rebuild()

    def _rebuild(self) -> None:
        self.words = self.vector_of(self._said)
        told = [(p.terms, t) for p, t in zip(self.seeds_read, self.trusts, strict=False)]
        told += [(self.vector_of(text), 1.0) for text in self.topic.texts]
        self.firm = _firm(told)
        told += self._marked
        self.sure = sure = _firm(told)
        self.seeds = norm(total(told))
        avoid = self.vector_of(" ".join(self.topic.avoid))
        self.asked = norm(total([(self.words, 1.0), (avoid, -1.0)]))
        said = norm(total([(self.seeds, sure), (self.words, QUERY), (avoid, -QUERY)]))
        heard = (1 - sure) * self._heard
        self.known = sure + heard  # how far the topic is known by whole pages
        self.vector = norm(total([(said, 1.0), (self._echo, heard)])) if heard else said
        self._cosines.clear()

    @property
    def _said(self) -> str:
        return " ".join(self.translated.values()) or self.topic.words

    def vector_of(self, text: str) -> Vector:
        """A text's vector, read in the topic's language."""
        return self._vector_of(text, self.language)

    def cosine(self, terms: Vector) -> float:
        """How near a vector of norm 1 is to the topic, in [0, 1]."""
        return min(1.0, max(0.0, dot(terms, self.vector)))

    def text(self, text: str) -> float:
        """How near a text is to the topic, in [0, 1]; 0 for a text without words."""
        known = self._cosines.get(text)
        if known is None:
            if len(self._cosines) >= REMEMBERED:
                self._cosines.clear()
            known = self._cosines[text] = self.cosine(self.vector_of(text))
        return known

    def url_words(self, *urls: str) -> list[str]:
        """What can be read in each URL, in the topic's language."""
        return self._url_words(urls, self.language, self._said)

    def url(self, url: str) -> float:
        """How near the words in a URL are to the topic, in [0, 1]."""
        return self.text(*self.url_words(url))

    def shared(self, text: str) -> list[str]:
        """The words of a text (or URL) that speak for the topic, those that weigh most first."""
        found = self.vector_of(self.url_words(text)[0] if "://" in text else text)
        weights = {t: w * v for t, w in found.items() if (v := self.vector.get(t, 0.0)) > 0}
        return sorted(weights, key=lambda t: (-weights[t], t))


def _firm(told: Sequence[tuple[Vector, float]]) -> float:
    weights = [t for _, t in told]
    return sum(t * t for t in weights) / sum(weights) if sum(weights) else 0.0


def dot(a: Vector, b: Vector) -> float:
    """
    >>> dot({"car": 0.6, "race": 0.8}, {"race": 0.5, "dog": 0.5})
    0.4
    """
    if len(b) < len(a):
        a, b = b, a
    return sum(w * b[t] for t, w in a.items() if t in b)


def total(weighted: Iterable[tuple[Vector, float]]) -> dict[str, float]:
    """Σ weight·vector.

    >>> total([({"a": 1.0}, 0.5), ({"a": 2.0, "b": 1.0}, 1.0)])
    {'a': 2.5, 'b': 1.0}
    """
    out: dict[str, float] = {}
    for vector, weight in weighted:
        for t, w in vector.items():
            out[t] = out.get(t, 0.0) + weight * w
    return out


def norm(vector: Vector) -> dict[str, float]:
    """The vector with L2 norm 1; the empty (or zero) vector is empty.

    >>> norm({"a": 3.0, "b": 4.0}), norm({}), norm({"a": 0.0})
    ({'a': 0.6, 'b': 0.8}, {}, {})
    """
    length = math.sqrt(sum(w * w for w in vector.values()))
    return {t: w / length for t, w in vector.items()} if length else {}
