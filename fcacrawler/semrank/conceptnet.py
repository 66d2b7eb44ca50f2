"""ConceptNet as Ω: its CSV of assertions → keywords, ISA and Part-Of. *Speer, Chin & Havasi 2017*.

A line is URI, relation, start, end and JSON, by tabs. What stands for another (Synonym, SimilarTo, FormOf) is ISA, of
one layer; what is a kind or a part of another (IsA, PartOf, MannerOf; HasA the other way round) lies below it. f(n) is
how many of these assertions speak of n. The whole file is large: take the lines of a language first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fcacrawler.values.omega import Omega, Pair, Support, ordered

SAME = frozenset(("/r/Synonym", "/r/SimilarTo", "/r/FormOf"))
BELOW = frozenset(("/r/IsA", "/r/PartOf", "/r/MannerOf"))
ABOVE = frozenset(("/r/HasA",))


def read_conceptnet(lines: Iterable[str], language: str) -> Omega:
    """
    >>> lines = ["u /r/PartOf /c/en/wheel/n /c/en/racing_car {}", "u /r/Synonym /c/en/car /c/de/auto {}"]
    >>> omega = read_conceptnet((line.replace(" ", "\\t") for line in lines), "en")
    >>> list(omega.part_of), dict(omega.clicks)
    ([('racing car', 'wheel')], {'racing car': 1, 'wheel': 1})
    """
    said: Counter[str] = Counter()
    isa: Counter[Pair] = Counter()
    part_of: Counter[Pair] = Counter()
    for line in lines:
        fields = line.split("\t")
        if len(fields) < 4 or fields[1] not in SAME | BELOW | ABOVE:
            continue
        a, b = (_word(field, language) for field in fields[2:4])
        if not a or not b or a == b:
            continue
        said.update((a, b))
        if fields[1] in SAME:
            isa[ordered(a, b)] += 1
        else:
            part_of[(b, a) if fields[1] in BELOW else (a, b)] += 1
    return Omega(
        said,
        {pair: Support(pages=n) for pair, n in isa.items()},
        {pair: Support(pages=n) for pair, n in part_of.items() if ordered(*pair) not in isa},
    )


def _word(concept: str, language: str) -> str:
    """
    >>> _word("/c/en/racing_car/n/wn/artifact", "en"), _word("/c/de/auto", "en")
    ('racing car', '')
    """
    parts = concept.split("/")
    return parts[3].replace("_", " ") if len(parts) > 3 and parts[2] == language else ""
