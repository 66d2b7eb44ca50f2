"""Rule learning: a relational database → classes, properties, a hierarchy (*Huang et al. 2010*, Rules 1 to 3)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fcacrawler.ontology.evidence import Evidence
from fcacrawler.ontology.relational import Columns, Table, Values

Progress = Callable[[str, int, int], None]  # (what, done, of)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a rule did, or did not do and why."""

    rule: int
    text: str


@dataclass(frozen=True, slots=True, order=True)
class Property:
    """An object property from one class to another."""

    name: str
    domain: str
    range: str
    inverse: str = ""  # name of the property that goes back


@dataclass(frozen=True, slots=True)
class Learned:
    """What the rules make of a database. A class is called by the chief of its tables."""

    classes: Mapping[str, tuple[str, ...]]  # class → its tables
    properties: tuple[Property, ...]
    parents: Mapping[str, tuple[str, ...]]  # class → the classes it is directly a sub-class of
    effects: tuple[Effect, ...]


def silent(what: str, done: int, of: int) -> None:
    """No progress is told."""


def learn(tables: Sequence[Table], values: Values, printed: bool = False, progress: Progress = silent) -> Learned:
    """Apply Rules 1, 2 and 3. ``printed``: to the letter, see ``Evidence``."""
    evidence = Evidence(tables, values, printed)
    classes, effects = learn_classes(tables, evidence, progress)
    of_table = {table: name for name, members in classes.items() for table in members}
    properties, more = learn_properties(tables, of_table, evidence, values, printed, progress)
    parents, most = learn_hierarchy(tables, of_table, evidence, progress)
    return Learned(classes, properties, parents, (*effects, *more, *most))


def learn_classes(
    tables: Sequence[Table], evidence: Evidence, progress: Progress = silent
) -> tuple[dict[str, tuple[str, ...]], list[Effect]]:
    """Rule 1: which tables are classes.

    Tables whose primary keys hold the same values, R1(P1) = R2(P2) = …, describe one entity and become one class.
    Another table becomes a class if (i) its key has one column, or (ii) its key has several, of which at least one is
    no foreign key. What is left are tables without a key, and those that only relate others.
    """
    keyed = [t for t in tables if t.key]
    effects = [Effect(1, f"table {t.name} left out: it has no primary key") for t in tables if not t.key]
    classes: dict[str, tuple[str, ...]] = {}
    for group in _groups(keyed, evidence, progress):
        chief, names = _chief(group, tables), tuple(t.name for t in group)
        if len(group) > 1:
            classes[chief] = names
            others = " and ".join(n for n in names if n != chief)
            effects.append(Effect(1, f"table {others} merged with {chief}: their primary keys hold the same values"))
        elif len(group[0].key) == 1 or not group[0].foreign_columns.issuperset(group[0].key):
            classes[chief] = names
            effects.append(Effect(1, f"table {chief} is a class"))
        else:
            ends = " and ".join(sorted({f.table for f in group[0].foreign}))
            effects.append(Effect(1, f"table {chief} is no class: all of its key refers elsewhere, it relates {ends}"))
    return classes, effects


def _groups(tables: Sequence[Table], evidence: Evidence, progress: Progress) -> Iterator[list[Table]]:
    """Tables that describe one entity, each group once, in order of their first."""
    left = list(tables)
    while left:
        progress("Rule 1", len(tables) - len(left), len(tables))
        first, *rest = left
        group = [first] + [t for t in rest if evidence.equal(t, t.key, first, first.key)]
        taken = {t.name for t in group}
        left = [t for t in rest if t.name not in taken]
        yield group


def _chief(group: Sequence[Table], tables: Sequence[Table]) -> str:
    """The table that most foreign keys refer to; the first of those."""
    referred = Counter(f.table for t in tables for f in t.foreign)
    return min(group, key=lambda t: (-referred[t.name], t.name)).name


def learn_properties(
    tables: Sequence[Table],
    of_table: Mapping[str, str],
    evidence: Evidence,
    values: Values,
    printed: bool = False,
    progress: Progress = silent,
) -> tuple[tuple[Property, ...], list[Effect]]:
    """Rule 2: which classes are related.

    A column Ai outside the key of Ri with Ri(Ai) ⊆ Rj(Aj) gives an object property from Ci to Cj. Aj is a column that
    names a row of Rj (its key, or unique), and of several the one with fewest values; a declared foreign key decides.
    As printed Aj is any column of another table, declared or not. A key of several columns with a foreign key to Rj in
    it gives is-part-of from Ci to Cj, and has-part back.
    """
    found: dict[Property, str] = {}
    targets = _targets(tables, of_table, printed)
    by_name = {t.name: t for t in tables}
    sources = [t for t in tables if t.name in of_table]
    for done, table in enumerate(sources):
        progress("Rule 2", done, len(sources))
        for column in (c for c in table.columns if c.name not in table.key):
            ends = None if printed else _declared_ends(table, (column.name,), by_name, evidence)
            if ends is None:
                ends = _included_ends(table, (column.name,), targets[column.family], evidence, values, printed)
            for other, others in ends:
                if other.name in of_table:
                    because = f"its values are among those of {other.name}.{others[0]}"
                    made = Property(column.name, of_table[table.name], of_table[other.name])
                    found.setdefault(
                        made, f"column {table.name}.{column.name} is a property to {made.range}: {because}"
                    )
        for made, text in _parts(table, of_table):
            found.setdefault(made, text)
    return tuple(sorted(found)), [Effect(2, text) for text in found.values() if text]


def _targets(
    tables: Sequence[Table], of_table: Mapping[str, str], printed: bool
) -> Mapping[str, list[tuple[Table, Columns]]]:
    """Columns that a property may lead to, by family."""
    targets: defaultdict[str, list[tuple[Table, Columns]]] = defaultdict(list)
    for table in tables:
        for column in table.columns:
            names_a_row = column.unique or table.key == (column.name,)
            if column.family and table.name in of_table and (printed or names_a_row):
                targets[column.family].append((table, (column.name,)))
    return targets


def _declared_ends(
    table: Table, columns: Columns, by_name: Mapping[str, Table], evidence: Evidence
) -> list[tuple[Table, Columns]] | None:
    """Where declared foreign keys lead whose values are there indeed; None if none is declared."""
    keys = [f for f in table.foreign if f.columns == columns and f.table in by_name]
    if not keys:
        return None
    ends = [(by_name[f.table], f.to) for f in keys]
    return [(other, to) for other, to in ends if evidence.included(table, columns, other, to)]


def _included_ends(
    table: Table,
    columns: Columns,
    targets: Sequence[tuple[Table, Columns]],
    evidence: Evidence,
    values: Values,
    printed: bool,
) -> list[tuple[Table, Columns]]:
    ends = [(o, to) for o, to in targets if o.name != table.name and evidence.included(table, columns, o, to)]
    if printed or not ends:
        return ends
    fewest = min(values.distinct(other, to) for other, to in ends)
    return [(other, to) for other, to in ends if values.distinct(other, to) == fewest]


def _parts(table: Table, of_table: Mapping[str, str]) -> Iterator[tuple[Property, str]]:
    if len(table.key) < 2:
        return
    for key in table.foreign:
        if set(key.columns) <= set(table.key) and key.table in of_table:
            part, whole = of_table[table.name], of_table[key.table]
            text = f"{part} is part of {whole}: its key contains the foreign key {', '.join(key.columns)}"
            yield Property("is-part-of", part, whole, "has-part"), text
            yield Property("has-part", whole, part, "is-part-of"), ""


def learn_hierarchy(
    tables: Sequence[Table], of_table: Mapping[str, str], evidence: Evidence, progress: Progress = silent
) -> tuple[dict[str, tuple[str, ...]], list[Effect]]:
    """Rule 3: where Rule 1 has not merged them and Ri(Pi) ⊆ Rj(Pj), Ci is a sub-class of Cj.

    What follows from the rest is left out: of e-book ⊑ book ⊑ product, e-book ⊑ product.
    """
    above: defaultdict[str, set[str]] = defaultdict(set)
    sources = [t for t in tables if t.name in of_table]
    for done, table in enumerate(sources):
        progress("Rule 3", done, len(sources))
        for other in sources:
            one, two = of_table[table.name], of_table[other.name]
            if one != two and two not in above[one] and evidence.included(table, table.key, other, other.key):
                above[one].add(two)
    direct = {c: sorted(p for p in ps if not any(p in above[q] for q in ps if q != p)) for c, ps in above.items() if ps}
    effects = [
        Effect(3, f"{c} is a sub-class of {p}: its keys are among those of {p}")
        for c in sorted(direct)
        for p in direct[c]
    ]
    return {c: tuple(ps) for c, ps in direct.items()}, effects
