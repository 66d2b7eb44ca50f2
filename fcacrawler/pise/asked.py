"""A question as its address has it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from fcacrawler.search import Filter
from fcacrawler.search.index import KEYWORDS

DEEPEST = 50  # pages of hits


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for, and which page of the hits."""

    words: str = ""
    job: str = ""  # "": all
    host: str = ""
    language: str = ""
    relevant: bool = False
    least: float = 0.0  # relevance
    since: str = ""
    concept: tuple[str, ...] = ()  # keywords
    place: int = 1  # which page of hits

    @classmethod
    def read(cls, params: Mapping[str, str]) -> Asked:
        place = params.get("p", "1")
        number = int(place) if place.isascii() and place.isdigit() and len(place) < 4 else 1
        job, host, language = (params.get(name, "")[:300] for name in ("job", "host", "language"))
        relevant = params.get("relevant", "") == "1"
        words, since = params.get("q", "")[:3000].strip(), params.get("since", "")[:30]
        concept = tuple(word[:100] for word in params.get("concept", "").split(",")[:KEYWORDS] if word.strip())
        return cls(
            words, job, host, language, relevant, _least(params.get("least", "")), since, concept,
            min(max(number, 1), DEEPEST),
        )  # fmt: skip

    def params(self, **other: Any) -> dict[str, str]:
        """Of its address, or of one that differs in this."""
        new = replace(self, **{"place": 1, **other})
        values = {"q": new.words, "job": new.job, "host": new.host, "language": new.language, "since": new.since}
        values |= {"relevant": "1" if new.relevant else "", "p": str(new.place) if new.place > 1 else ""}
        values |= {"least": f"{new.least:g}" if new.least else "", "concept": ",".join(new.concept)}
        return {name: value for name, value in values.items() if value}

    def address(self) -> str:
        """Of its hits."""
        return f"/search?{urlencode(self.params(place=self.place), errors='replace')}"

    def page(self, job: str, number: str) -> str:
        """The address of a page that was found."""
        return f"/page?{urlencode({'job': job, 'n': number, 'q': self.words}, errors='replace')}"

    @property
    def only(self) -> Filter:
        return Filter(self.host, self.language, self.relevant, self.least, self.since, self.concept)


def _least(text: str) -> float:
    """
    >>> _least("0.7"), _least("1e9"), _least("much")
    (0.7, 0.0, 0.0)
    """
    return float(text) if re.fullmatch(r"[01](\.\d{1,6})?", text) and float(text) <= 1 else 0.0
