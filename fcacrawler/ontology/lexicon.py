"""The lexicon as a trie over stems: which classes a text speaks of, how often (*Huang et al. 2010*, Definition 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fcacrawler.ontology.model import Ontology
from fcacrawler.ontology.words import Reader, Reading, Token

Surface = tuple[str, ...]  # a phrase as it is written


@dataclass(slots=True, eq=False)
class Node:
    """Where a path of stems has led: what may follow, and whose phrases end here."""

    then: dict[str, Node] = field(default_factory=dict)
    entries: dict[Surface, tuple[str, ...]] = field(default_factory=dict)  # surface → classes
    nearest: dict[Surface, tuple[str, ...]] = field(default_factory=dict)  # of surfaces that texts had, remembered


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase of the lexicon at a place of a text."""

    start: int
    phrase: Surface  # as the text has it
    classes: tuple[str, ...]


class Lexicon:
    """The words of an ontology in one language, found in a text in time linear in its length.

    >>> from fcacrawler.ontology.model import OntologyClass, Word
    >>> shop = Ontology("o", (OntologyClass("Book", (Word("book"),)), OntologyClass("Shelf", (Word("book shelf"),))))
    >>> reader = Reader(lambda text, language: [text])
    >>> lexicon, text = Lexicon(shop, "en", reader), reader.tokens("a book shelf without a book", "en")
    >>> lexicon.frequencies(text), lexicon.frequencies(text, overlapping=True)
    (Counter({'Shelf': 1, 'Book': 1}), Counter({'Book': 2, 'Shelf': 1}))
    """

    def __init__(self, ontology: Ontology, language: str, reader: Reader) -> None:
        """Words of ``language`` and those of no language; of all languages if there are none in this one."""
        self.language = language
        self.phrases = 0
        self._root = Node()
        own = language in ontology.languages
        for c in ontology.classes:
            for word in c.words:
                if not own or word.language in (language, ""):
                    self._add(reader.tokens(word.text, language), c.iri)

    def _add(self, tokens: Sequence[Token], iri: str) -> None:
        if all(t.reading is Reading.STOP for t in tokens):
            return
        node = self._root
        for token in tokens:
            node = node.then.setdefault(token.stem, Node())
        surface = tuple(t.surface for t in tokens)
        classes = node.entries.get(surface, ())
        self.phrases += not classes
        node.entries[surface] = classes if iri in classes else (*classes, iri)

    def matches(self, tokens: Sequence[Token], overlapping: bool = False) -> list[Match]:
        """The phrases in a text: the longest at each place, none inside another; or all of them."""
        found: list[Match] = []
        roots = self._root.then
        start, end = 0, len(tokens)
        while start < end:
            node = roots.get(tokens[start].stem)
            here = _at(tokens, start, node) if node else []
            if overlapping:
                found += here
            elif here:
                found.append(here[-1])
                start += len(here[-1].phrase) - 1
            start += 1
        return found

    def frequencies(self, tokens: Sequence[Token], overlapping: bool = False) -> Counter[str]:
        """f(Ck, D) = Σ N(ω, D) over the words ω of class Ck: how often the words of each class occur (Definition 3).

        A word of several classes counts for each. As printed a word also counts inside a longer phrase
        (``overlapping``): "book shelf" would then speak of books.
        """
        return count(self.matches(tokens, overlapping))

    def classes_of(self, tokens: Sequence[Token]) -> tuple[str, ...]:
        """The classes that a phrase, as a whole, names."""
        node: Node | None = self._root
        for token in tokens:
            node = node.then.get(token.stem) if node else None
        return _nearest(node, tuple(t.surface for t in tokens)) if node and node.entries else ()


def _at(tokens: Sequence[Token], start: int, node: Node | None) -> list[Match]:
    """The phrases that begin at a token, shortest first."""
    here: list[Match] = []
    stop = start + 1
    while node is not None:
        if node.entries:
            surface = tuple(t.surface for t in tokens[start:stop])
            if stop - start > 1 or _stands_alone(tokens[start], node):
                here.append(Match(start, surface, _nearest(node, surface)))
        node = node.then.get(tokens[stop].stem) if stop < len(tokens) else None
        stop += 1
    return here


def _stands_alone(token: Token, node: Node) -> bool:
    """A word that is part of no phrase names a class if it can be a noun here, or is written as the lexicon has it."""
    return token.reading is Reading.NOUN or (token.reading is Reading.DERIVED and (token.surface,) in node.entries)


def _nearest(node: Node, surface: Surface) -> tuple[str, ...]:
    """Of classes whose words have equal stems, those whose word is written most like the text's.

    "books" is nearer to "book" than to "booking", though one stem stands for all three.
    """
    classes = node.nearest.get(surface)
    if classes is None:
        least = min(_apart(surface, entry) for entry in node.entries)
        near = (c for entry, cs in node.entries.items() if _apart(surface, entry) == least for c in cs)
        classes = node.nearest[surface] = tuple(dict.fromkeys(near))
    return classes


def _apart(one: Surface, other: Surface) -> int:
    """Letters after the common beginning, over all words.

    >>> _apart(("books",), ("book",)), _apart(("books",), ("booking",))
    (1, 4)
    """
    letters = 0
    for a, b in zip(one, other, strict=True):
        same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        letters += len(a) + len(b) - 2 * same
    return letters


def count(matches: Iterable[Match]) -> Counter[str]:
    """Matches by class."""
    return Counter(iri for match in matches for iri in match.classes)


def words_by_class(matches: Iterable[Match]) -> Mapping[str, Counter[str]]:
    """Which phrases spoke for each class, and how often."""
    by_class: dict[str, Counter[str]] = {}
    for match in matches:
        for iri in match.classes:
            by_class.setdefault(iri, Counter())[" ".join(match.phrase)] += 1
    return by_class
