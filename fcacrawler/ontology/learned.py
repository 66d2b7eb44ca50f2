"""What the rules have learned → an ontology, and two ontologies → one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar
from urllib.parse import quote

from fcacrawler.ontology.lexicon import Lexicon
from fcacrawler.ontology.model import Ontology, OntologyClass, Relation, Word
from fcacrawler.ontology.rdf import spaced
from fcacrawler.ontology.relational import Table, Values
from fcacrawler.ontology.rules import Learned
from fcacrawler.ontology.words import Reader

T = TypeVar("T")
NAMESPACE = "urn:fcacrawler:database:"
MOST_NAMES = 200  # names of things that become words of their class


def ontology_of_rules(
    learned: Learned, tables: Sequence[Table], values: Values, name: str, language: str = "", names: int = MOST_NAMES
) -> Ontology:
    """Classes with the names of their tables and of what these hold; properties with the names of their columns.

    Names of things become words where a table holds at most ``names`` of them, as a table of genres does.
    """
    by_name = {t.name: t for t in tables}

    def words(members: Sequence[str]) -> tuple[Word, ...]:
        things = [thing for member in members for thing in values.names(by_name[member], names)]
        return tuple(dict.fromkeys(Word(text, language) for n in (*members, *things) if (text := _readable(n))))

    classes = tuple(
        OntologyClass(
            _iri(c), words((c, *(m for m in members if m != c))), tuple(map(_iri, learned.parents.get(c, ())))
        )
        for c, members in sorted(learned.classes.items(), key=lambda item: _iri(item[0]))
    )
    relations = tuple(
        Relation(
            f"{_iri(p.domain)}.{quote(p.name, safe='')}",
            _iri(p.domain),
            _iri(p.range),
            (Word(_readable(p.name), language),),
            inverse=f"{_iri(p.range)}.{quote(p.inverse, safe='')}" if p.inverse else "",
        )
        for p in learned.properties
        if _readable(p.name)
    )
    return Ontology(name, classes, relations)


def _iri(name: str) -> str:
    """
    >>> _iri('order "line"')
    'urn:fcacrawler:database:order%20%22line%22'
    """
    return NAMESPACE + quote(name, safe="")


def _readable(name: str) -> str:
    return " ".join(spaced(name).split())


def join(one: Ontology, other: Ontology, reader: Reader) -> Ontology:
    """Both ontologies as one: a class of ``other`` whose first word in some language names a class of ``one``, or that
    is declared the same, joins that class with its words, parents and relations; the others come along.

    >>> from fcacrawler.ontology.model import OntologyClass, Word
    >>> a = Ontology("a", (OntologyClass("a:Book", (Word("book"),)),))
    >>> b = Ontology("b", (OntologyClass("b:book", (Word("book"), Word("tome"))), OntologyClass("b:cd", (Word("cd"),))))
    >>> [(c.iri, [w.text for w in c.words]) for c in join(a, b, Reader(lambda text, language: [text])).classes]
    [('a:Book', ['book', 'tome']), ('b:cd', ['cd'])]
    """
    lexicons = {language: Lexicon(one, language, reader) for language in one.languages}
    identities = {iri: c.iri for c in reversed(one.classes) for iri in (*c.same_as, c.iri)}

    def home(c: OntologyClass) -> str:
        declared = next((identities[iri] for iri in (c.iri, *c.same_as) if iri in identities), "")
        return declared or next(_named(c, lexicons, reader), c.iri)

    homes = {c.iri: home(c) for c in other.classes}
    classes = {c.iri: c for c in one.classes}
    for c in other.classes:
        parents = (homes.get(p, p) for p in c.parents)
        known = classes.get(homes[c.iri], OntologyClass(homes[c.iri]))
        classes[known.iri] = replace(
            known,
            words=_both(known.words, c.words),
            parents=tuple(p for p in _both(known.parents, parents) if p != known.iri),
            same_as=_both(known.same_as, c.same_as),
            related=_both(known.related, c.related),
        )
    moved = (
        replace(r, domain=homes.get(r.domain, r.domain), range=homes.get(r.range, r.range)) for r in other.relations
    )
    relations = sorted({*one.relations, *moved}, key=lambda r: (r.iri, r.domain, r.range))
    by_iri = sorted(classes.values(), key=lambda c: c.iri)
    return Ontology(f"{one.name}+{other.name}", tuple(by_iri), tuple(relations))


def _named(c: OntologyClass, lexicons: Mapping[str, Lexicon], reader: Reader) -> Iterator[str]:
    """The classes that the first word of c in each of its languages names."""
    firsts: dict[str, str] = {}
    for word in c.words:
        firsts.setdefault(word.language, word.text)
    for own, text in firsts.items():
        for language, lexicon in lexicons.items():
            if own in (language, "") or language == "":
                yield from lexicon.classes_of(reader.tokens(text, language))


def _both(some: Iterable[T], more: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*some, *more)))
