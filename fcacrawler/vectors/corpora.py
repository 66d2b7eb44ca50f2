"""What the shipped vectors were fitted to, out of two public sources.

WordNet 3.0's noun compounds and glosses (Debian's package wordnet-base), and the descriptions of Debian's packages in
other languages (Translation-de.bz2 …, as they lie on its mirrors below dists/bookworm/main/i18n).
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from zlib import crc32

from fcacrawler.values.errors import FcaError
from fcacrawler.vectors.abroad import LISTED, Text

GLOSSES, SENTENCES = 9_000, 2_600  # of English, and of each other language
_COMPOUND = re.compile("[a-z]{2,}(?:_[a-z]{2,})+")
_SENTENCE = re.compile(r"(?<=[.!?;:。])\s+|(?<=。)|, ")
_SHORTEST, _LONGEST, _GLOSS = 13, 139, 109  # characters


def compounds(wordnet: Path) -> list[str]:
    """Its nouns that are several words."""
    names = {line.partition(" ")[0] for line in _lines(wordnet / "index.noun")}
    return sorted(name.replace("_", " ") for name in names if _COMPOUND.fullmatch(name))


def glosses(wordnet: Path, most: int = GLOSSES) -> list[Text]:
    """What it says that nouns, verbs and adjectives mean, examples and remarks left out."""
    found = set()
    for kind in ("noun", "verb", "adj"):
        for line in _lines(wordnet / f"data.{kind}"):
            gloss = re.sub(r"\([^)]*\)", "", line.partition("|")[2].partition('"')[0].strip(" ;\n")).strip()
            if _SHORTEST <= len(gloss) <= _GLOSS:
                found.add(gloss)
    return [("en", gloss) for gloss in _some(found, most)]


def sentences(descriptions: Path, most: int = SENTENCES) -> list[Text]:
    """Of each language some lines and sentences, the same ones whenever they are asked for."""
    found: dict[str, set[str]] = {}
    for file in sorted(descriptions.glob("Translation-*.bz2")):
        language = file.name.removeprefix("Translation-")[:2]
        if language in LISTED:
            found.setdefault(language, set()).update(_described(file))
    if not found:
        raise FcaError(f"{descriptions} holds no Translation-de.bz2 or the like: they are on Debian's mirrors")
    return [(language, text) for language in sorted(found) for text in _some(found[language], most)]


def _described(file: Path) -> Iterator[str]:
    """A description's first line, and the sentences of its paragraphs."""
    paragraph: list[str] = []
    for line in bz2.decompress(file.read_bytes()).decode("utf-8", "replace").splitlines():
        if line.startswith(" ") and line != " .":
            paragraph.append(line.strip())
            continue
        yield from (s for s in _SENTENCE.split(" ".join(paragraph)) if _SHORTEST <= len(s) <= _LONGEST)
        paragraph = []
        name, _, said = line.partition(": ")
        if name.startswith("Description-") and not name.endswith("-md5") and said:
            yield said


def _some(texts: Iterable[str], most: int) -> list[str]:
    return sorted(texts, key=lambda text: (crc32(text.encode()), text))[:most]


def _lines(file: Path) -> list[str]:
    if not file.is_file():
        raise FcaError(f"{file} is not there: WordNet's files are in Debian's package wordnet-base")
    return file.read_text(encoding="latin-1").splitlines()
