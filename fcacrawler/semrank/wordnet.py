"""WordNet's nouns as a taxonomy, from the lines of its standard database files: wndb(5WN) and cntlist(5WN)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fcacrawler.semrank.lexical import Taxonomy

ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)


def read_wordnet(data: Iterable[str], index: Iterable[str], counts: Iterable[str] = ()) -> Taxonomy:
    """The nouns of WordNet: ``data.noun``, ``index.noun``, and ``cntlist.rev`` for how often a sense was met.

    Classes are synsets, named by their offset; above one stand its hypernyms, of instances too. Words are lower case,
    with spaces. A line that is not of its format is refused by file and number.
    """
    parents: dict[str, list[str]] = {}
    for n, line in _lines(data):
        try:
            fields = line.split(" | ")[0].split()
            words = int(fields[3], 16)
            pointers = fields[4 + 2 * words + 1 :]
            found = [pointers[4 * k : 4 * k + 4] for k in range(int(fields[4 + 2 * words]))]
            parents[fields[0]] = [offset for symbol, offset, pos, _ in found if symbol in ("@", "@i") and pos == "n"]
        except (IndexError, ValueError):
            raise ValueError(f"data.noun, line {n}: not a synset: {line[:60]!r}") from None
    senses: dict[str, list[str]] = {}
    for n, line in _lines(index):
        fields = line.split()
        if len(fields) < 4 or fields[1] != "n" or not fields[2].isdigit() or len(fields) < int(fields[2]):
            raise ValueError(f"index.noun, line {n}: not a noun's entry: {line[:60]!r}")
        senses[fields[0].replace("_", " ")] = fields[-int(fields[2]) :]
    met: dict[str, int] = {}
    for n, line in _lines(counts):
        try:
            key, number, count = line.split()
            word, kind = key.split("%")
            sense, times = int(number) - 1, int(count)
        except ValueError:
            raise ValueError(f"cntlist.rev, line {n}: not the count of a sense: {line[:60]!r}") from None
        known = senses.get(word.replace("_", " "), [])
        if kind.startswith("1:") and sense < len(known):  # the files as released count senses that they have not
            met[known[sense]] = met.get(known[sense], 0) + times
    return Taxonomy(parents, senses, met)


def _lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines that count, by number: not the licence, which is set in by two spaces."""
    return ((n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("  "))


def noun_forms(word: str) -> list[str]:
    """A word, and what it may be the plural of. morphy(7WN), the rules of detachment for nouns.

    >>> noun_forms("Taxes")
    ['taxes', 'taxe', 'tax']
    """
    word = word.lower()
    return [word, *(word[: -len(end)] + stem for end, stem in ENDINGS if word.endswith(end) and len(word) > len(end))]
