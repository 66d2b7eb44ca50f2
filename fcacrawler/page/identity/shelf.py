"""The latest of many texts, in little room."""

from __future__ import annotations

import zlib
from collections import deque


class Shelf:
    """The latest ``most`` texts by number, in order of arrival, or some more. They lie compressed, a thousand together:
    a URL takes 15 to 20 bytes, and a look at an old one 0.2 ms.

    >>> shelf = Shelf(3000)
    >>> for n in range(2500): shelf.add(f"http://a.test/{n}")
    >>> shelf[7], shelf[2400]
    ('http://a.test/7', 'http://a.test/2400')
    """

    BOX = 1000

    def __init__(self, most: int) -> None:
        self._most = most
        self._first = 0  # number of the first text that is there
        self._boxes: deque[bytes] = deque()
        self._open: list[str] = []

    def __len__(self) -> int:
        """How many there have been."""
        return self._first + self.BOX * len(self._boxes) + len(self._open)

    def add(self, text: str) -> None:
        """The next number is this line's."""
        self._open.append(text)
        if len(self._open) == self.BOX:
            self._boxes.append(zlib.compress("\n".join(self._open).encode("utf-8", "surrogatepass"), 1))
            self._open = []
            if self.BOX * (len(self._boxes) - 1) >= self._most:
                self._boxes.popleft()
                self._first += self.BOX

    def __getitem__(self, number: int) -> str:
        box, at = divmod(number - self._first, self.BOX)
        if box == len(self._boxes):
            return self._open[at]
        return zlib.decompress(self._boxes[box]).decode("utf-8", "surrogatepass").split("\n")[at]
