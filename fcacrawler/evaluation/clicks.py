"""What a world's click log says, learned once and kept beside its library: click paths, and Ω."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from fcacrawler.page import canonical_url, normalise_query
from fcacrawler.values.omega import Omega
from fcacrawler.weblogs import LearnOptions, Thresholds, learn, load_omega

Walks = tuple[tuple[str, ...], ...]

LANGUAGE = "en"  # of the queries


def walks_in(lines: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The URLs that a user clicked one after the other for one query; paths of one page are left out.

    >>> lines = ["user time query url", "u1 7 car http://a.test/", "u1 7 car http://b.test/"]
    >>> list(walks_in(line.replace(" ", "\\t") for line in lines))
    [('http://a.test/', 'http://b.test/')]
    """
    rows = (line.split("\t") for line in lines)
    names = next(rows, [])
    if not {"user", "query", "url"} <= set(names):
        return
    by = [names.index(name) for name in ("user", "group", "time", "query") if name in names]
    url = names.index("url")
    whole = (row for row in rows if len(row) == len(names))
    for _, clicks in groupby(whole, key=lambda row: [row[n] for n in by]):
        walk = tuple(canonical_url(row[url]) or row[url] for row in clicks)
        if len(walk) > 1:
            yield walk


class ClickLog:
    """A world's log as orders are told it, in files next to the library of its pages."""

    def __init__(self, library: Path) -> None:
        self._walks = library.with_suffix(".walks.json")
        self._omega = library.with_suffix(".omega.parquet")

    @property
    def known(self) -> bool:
        """Has the log been read?"""
        return self._walks.exists()

    def learn(self, lines: Iterable[str], links: Iterable[tuple[str, str]]) -> None:
        """Read the log; ``links`` are those between the world's pages."""
        lines = list(lines)
        walks = list(walks_in(lines))
        if walks:
            with TemporaryDirectory(dir=self._omega.parent) as folder:
                log, omega = Path(folder) / "clicks.tsv", Path(folder) / "omega.parquet"
                log.write_text("\n".join(lines) + "\n", "utf-8")
                learn(
                    [log],
                    links,
                    omega,
                    lambda query: normalise_query(query, LANGUAGE),
                    lambda url: canonical_url(url) or url,
                    LearnOptions(),
                    Thresholds(),
                )
                omega.replace(self._omega)
        new = self._walks.with_suffix(".new")
        new.write_text(json.dumps(walks), "utf-8")
        new.replace(self._walks)

    def walks(self) -> Walks:
        return tuple(tuple(walk) for walk in json.loads(self._walks.read_text("utf-8"))) if self.known else ()

    def omega(self) -> Omega | None:
        return load_omega(self._omega) if self._omega.exists() else None
