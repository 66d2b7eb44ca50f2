"""When an order learns anew from all that it has seen."""

from __future__ import annotations


class Schedule:
    """When to learn again: after ``every`` more pages, later after a twentieth more."""

    def __init__(self, every: int) -> None:
        self._every = every
        self._due = 1

    def due(self, pages: int) -> bool:
        """
        >>> schedule = Schedule(10)
        >>> [n for n in range(1, 1200) if schedule.due(n)][:4], [n for n in range(1200, 1400) if schedule.due(n)]
        ([1, 11, 21, 31], [1232, 1293, 1357])
        """
        if pages < self._due:
            return False
        self._due = pages + max(self._every, pages // 20)
        return True
