"""An ontology and its lexicon as plain frozen values (Huang et al. 2010, Definitions 1 and 2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Word:
    """A lexical entry: a word or a phrase, and its language."""

    text: str
    language: str = ""  # ISO 639-1; "" for a word of every language


@dataclass(frozen=True, slots=True)
class OntologyClass:
    """A class with its words; the first is its name."""

    iri: str
    words: tuple[Word, ...] = ()
    parents: tuple[str, ...] = ()  # IRIs of the classes it is a sub-class of
    same_as: tuple[str, ...] = ()  # IRIs of the same class in other vocabularies
    related: tuple[str, ...] = ()  # IRIs of near terms in other vocabularies

    @property
    def name(self) -> str:
        """What people call it: its English or first word, else the end of its IRI."""
        english = next((w.text for w in self.words if w.language == "en"), "")
        return english or (self.words[0].text if self.words else local_name(self.iri))


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation from one class to another; "" where an end is left open."""

    iri: str
    domain: str
    range: str
    words: tuple[Word, ...] = ()
    parents: tuple[str, ...] = ()  # IRIs of the relations it is a sub-relation of
    inverse: str = ""  # IRI of the relation that goes the other way
    same_as: tuple[str, ...] = ()
    related: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.words[0].text if self.words else local_name(self.iri)


@dataclass(frozen=True)
class Ontology:
    """O = {C, R, Hc, Hr} with its lexicon L = {Lc, Lr, Fc, Fr} (Definitions 1 and 2).

    C and R are ``classes`` and ``relations``, sorted by IRI; Hc and Hr their ``parents``; the lexicon is their
    ``words``: many to many, as two classes may share a word. A parent need not be described itself.
    """

    name: str
    classes: tuple[OntologyClass, ...]
    relations: tuple[Relation, ...] = ()

    @cached_property
    def by_iri(self) -> Mapping[str, OntologyClass]:
        return {c.iri: c for c in self.classes}

    @cached_property
    def edges(self) -> Mapping[str, tuple[str, ...]]:
        """The graph that distances are measured in: sub-class and relation edges, walked both ways."""
        near: defaultdict[str, set[str]] = defaultdict(set)
        pairs = [(c.iri, p) for c in self.classes for p in c.parents] + [(r.domain, r.range) for r in self.relations]
        for one, other in pairs:
            if one in self.by_iri and other in self.by_iri and one != other:
                near[one].add(other)
                near[other].add(one)
        return {c.iri: tuple(sorted(near[c.iri])) for c in self.classes}

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """The direct sub-classes of each class."""
        below: defaultdict[str, list[str]] = defaultdict(list)
        for c in self.classes:
            for parent in c.parents:
                below[parent].append(c.iri)
        return {iri: tuple(sorted(iris)) for iri, iris in below.items()}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Languages that classes have words in, the richest first."""
        counts: defaultdict[str, int] = defaultdict(int)
        for c in self.classes:
            for word in c.words:
                counts[word.language] += 1
        return tuple(sorted(counts, key=lambda language: (-counts[language], language)))


def local_name(iri: str) -> str:
    """The end of an IRI.

    >>> local_name("https://schema.org/Book"), local_name("urn:shop#Book"), local_name("urn:shop:Book")
    ('Book', 'Book', 'Book')
    """
    return iri.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
