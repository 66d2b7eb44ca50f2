"""When equal or included values in two tables mean that they speak of the same things."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from fcacrawler.ontology.relational import Columns, Table, Values

Place = tuple[str, Columns]  # columns of a table
MEANS_NOTHING = re.compile(r"(?i)(id|pk|key|code|nr|no|num|number|uid|uuid|oid|rowid|row)")


class Evidence:
    """R(A) ⊆ R'(A') and R(A) = R'(A'), where the values are worth believing.

    Numbers that merely count rows are equal everywhere. So, unless ``printed``, integers are evidence only where a
    foreign key is declared between the columns, directly or by way of others, or where the columns share a name that
    means something ("author_no", not "id"); and fewer than ``least`` values are evidence only where a key is declared.
    A declared key is believed of an empty table too. As printed, every set of values is believed but the empty one.
    """

    def __init__(self, tables: Sequence[Table], values: Values, printed: bool = False, least: int = 3) -> None:
        self._values = values
        self._printed = printed
        self._least = least
        self._steps: defaultdict[Place, set[Place]] = defaultdict(set)
        for table in tables:
            for key in table.foreign:
                self._steps[table.name, key.columns].add((key.table, key.to))
        self._reached: dict[Place, frozenset[Place]] = {}

    def included(self, one: Table, columns: Columns, other: Table, others: Columns) -> bool:
        """R(A) ⊆ R'(A')."""
        if not _comparable(one, columns, other, others):
            return False
        declared = not self._printed and self.declared(one, columns, other, others)
        if not declared and not self._believable(one, columns, others):
            return False
        if not self._values.distinct(one, columns):
            return declared
        return self._values.included(one, columns, other, others)

    def equal(self, one: Table, columns: Columns, other: Table, others: Columns) -> bool:
        """R(A) = R'(A'), declared either way round or believable."""
        if not _comparable(one, columns, other, others):
            return False
        declared = self.declared(one, columns, other, others) or self.declared(other, others, one, columns)
        if not (declared and not self._printed) and not self._believable(one, columns, others):
            return False
        count = self._values.distinct(one, columns)
        same = count > 0 and count == self._values.distinct(other, others)
        return same and self._values.included(one, columns, other, others)

    def declared(self, one: Table, columns: Columns, other: Table, others: Columns) -> bool:
        """A foreign key leads from the one to the other, perhaps by way of others."""
        return (other.name, others) in self._reach((one.name, columns))

    def _reach(self, start: Place) -> frozenset[Place]:
        known = self._reached.get(start)
        if known is None:
            seen: set[Place] = set()
            ahead = [start]
            while ahead:
                new = self._steps.get(ahead.pop(), set()) - seen
                seen |= new
                ahead += new
            known = self._reached[start] = frozenset(seen)
        return known

    def _believable(self, one: Table, columns: Columns, others: Columns) -> bool:
        if self._printed:
            return True
        kinds = one.family(columns)
        tell = all(k == "text" or _same_name(a, b) for k, a, b in zip(kinds, columns, others, strict=True))
        return tell and self._values.distinct(one, columns) >= self._least


def _comparable(one: Table, columns: Columns, other: Table, others: Columns) -> bool:
    family = one.family(columns)
    return family == other.family(others) and "" not in family


def _same_name(one: str, other: str) -> bool:
    """
    >>> _same_name("author_no", "Author_No"), _same_name("id", "id"), _same_name("author_no", "colour_no")
    (True, False, False)
    """
    return one.lower() == other.lower() and not MEANS_NOTHING.fullmatch(one)
