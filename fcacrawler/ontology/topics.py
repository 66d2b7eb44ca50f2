"""The user's topic → classes of the ontology."""

from __future__ import annotations

from difflib import get_close_matches

from fcacrawler.ontology.lexicon import Lexicon
from fcacrawler.ontology.model import Ontology, local_name
from fcacrawler.ontology.words import Reader
from fcacrawler.values.errors import FcaError


class UnknownTopic(FcaError):
    """No class of the ontology has the topic's name."""


def topic_classes(ontology: Ontology, topic: str, reader: Reader) -> tuple[str, ...]:
    """The classes that have the topic as a word, in any language and any inflection; or whose IRI it is, or ends in.

    Several, where a word is of several classes: the distance to the topic is then that to the nearest.
    """
    said = topic.strip()
    exact = tuple(c.iri for c in ontology.classes if said in (c.iri, local_name(c.iri)))
    if exact:
        return exact
    for language in ontology.languages:
        lexicon = Lexicon(ontology, language, reader)
        named = lexicon.classes_of(reader.tokens(said, language))
        if named:
            return named
    raise UnknownTopic(f"topic {topic!r} is no class of ontology {ontology.name!r}; {_nearest(ontology, said)}")


def _nearest(ontology: Ontology, said: str) -> str:
    """What the user may have meant: names written alike, else names that share a word, else the top of the ontology."""
    names = {w.text.lower(): w.text for c in ontology.classes for w in c.words}
    alike = get_close_matches(said.lower(), sorted(names), n=3, cutoff=0.6)
    if not alike:
        asked = set(said.lower().split())
        alike = [n for n in sorted(names) if asked & set(n.split())][:3]
    if alike:
        return f"the nearest names are {', '.join(names[a] for a in alike)}"
    tops = [c.name for c in ontology.classes if not c.parents]
    return f"its topmost classes are {', '.join(tops[:8])}"
