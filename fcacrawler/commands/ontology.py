"""``scrapy ontology info|validate|export``: look into an ontology, check it, write it in another format."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.commands import OurCommand, plainly, say
from fcacrawler.ontology.model import Ontology
from fcacrawler.ontology.options import ENDINGS
from fcacrawler.ontology.relevance import distances
from fcacrawler.ontology.topics import topic_classes
from fcacrawler.ontology.words import Reader
from fcacrawler.page.text.words import terms

LEARNED = 20  # changes of weights that info tells, the greatest


class Command(OurCommand, ScrapyCommand):
    takes = "info|validate|export ONTOLOGY [options]"
    does = "Look into an ontology (ecommerce, or an RDF file), check it, or write it in another format"
    learned: tuple[str, ...] | list[str] = ()

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--topic", default="", help="info: show the classes by their distance to this topic")
        parser.add_argument("--out", default="", help=f"export: file to write; ends in {' '.join(ENDINGS)}")

    @plainly
    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 2 or args[0] not in ("info", "validate", "export"):
            raise UsageError("say what to do with which ontology, as in: scrapy ontology info ecommerce")
        from fcacrawler.ontology.history import learned_lines
        from fcacrawler.ontology.rdf import read_graph, read_ontology

        ontology = read_ontology(args[1])
        if args[0] == "info" and Path(args[1]).exists():
            names = {c.iri: c.name for c in ontology.classes}
            self.learned = learned_lines(read_graph(args[1]), names)[:LEARNED]
        {"info": self._info, "validate": self._validate, "export": self._export}[args[0]](ontology, opts)

    def _info(self, ontology: Ontology, opts: Namespace) -> None:
        words = {w for c in ontology.classes for w in c.words}
        per = ", ".join(f"{sum(w.language == x for w in words)} {x or 'of any language'}" for x in ontology.languages)
        say(f"{ontology.name}: {len(ontology.classes)} classes, {len(ontology.relations)} relations, ", end="")
        say(f"{len(words)} words ({per})")
        if opts.topic:
            for line in _by_distance(ontology, opts.topic):
                say(line)
        else:
            for line in _tree(ontology):
                say(line)
        for line in self.learned:
            say("learned:", line)

    def _validate(self, ontology: Ontology, opts: Namespace) -> None:
        from fcacrawler.ontology.validate import findings

        found = findings(ontology)
        for finding in found:
            say("error:" if finding.error else "note: ", finding.text)
        errors = sum(f.error for f in found)
        say(f"{ontology.name}: {errors} errors, {len(found) - errors} notes")
        self.exitcode = int(errors > 0)

    def _export(self, ontology: Ontology, opts: Namespace) -> None:
        from fcacrawler.ontology.export import graph_of, write_graph

        if opts.out:
            write_graph(graph_of(ontology), opts.out)
            say(f"{len(ontology.classes)} classes written to {opts.out}")
        else:
            sys.stdout.write(graph_of(ontology).serialize(format="turtle"))


def _by_distance(ontology: Ontology, topic: str) -> Iterator[str]:
    far = distances(ontology, topic_classes(ontology, topic, Reader(terms)))
    for d in range(max(far.values()) + 1):
        yield f"{d:3} {', '.join(sorted(ontology.by_iri[i].name for i in far if far[i] == d))}"


def _tree(ontology: Ontology) -> Iterator[str]:
    """Classes under their first parent, with their words; what hangs in a circle comes last."""
    shown: set[str] = set()
    tops = [c.iri for c in ontology.classes if not any(p in ontology.by_iri for p in c.parents)]
    for top in (*tops, *ontology.by_iri):
        stack = [(top, 0)]
        while stack:
            iri, indent = stack.pop()
            if iri in shown:
                continue
            shown.add(iri)
            c = ontology.by_iri[iri]
            yield "  " * indent + f"{c.name}: {', '.join(dict.fromkeys(w.text for w in c.words if w.text != c.name))}"
            stack += [(child, indent + 1) for child in reversed(ontology.children.get(iri, ()))]
