"""What a world's own log says, learned once and kept beside its library: Ω, and which pages its users clicked together.

The log lies with the world, so no click is left out of it for the users' sake; else it is what ``scrapy learn`` learns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from fcacrawler.evaluation.library import code_of
from fcacrawler.page import canonical_url, normalise_query
from fcacrawler.values.clicks import Clicks
from fcacrawler.values.omega import Omega
from fcacrawler.weblogs import LearnOptions, Thresholds, learn, load_clicks, load_omega

LANGUAGE = "en"  # of the queries
NONE, OWN, PERMUTED = "none", "own", "permuted"


@dataclass(frozen=True, slots=True)
class Heard:
    """What orders are told of a log."""

    omega: Omega | None = None
    clicks: Clicks | None = None


class ClickLog:
    """A world's log as orders are told it, in files next to the library of its pages."""

    def __init__(self, library: Path) -> None:
        self._omega = library.with_suffix(f".{code_of(('weblogs',))[:8]}.parquet")

    def learn(self, lines: Iterable[str], links: Iterable[tuple[str, str]]) -> bool:
        """Read the log, if that has not been done; ``links`` are those between the world's pages. False: no log."""
        if self._omega.exists():
            return True
        lines = iter(lines)
        first = list(islice(lines, 2))  # the header, and a click
        if len(first) < 2:
            return False
        with TemporaryDirectory(dir=self._omega.parent) as folder:
            log, omega = Path(folder) / "clicks.tsv", Path(folder) / "omega.parquet"
            with log.open("w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for part in (first, lines) for line in part)
            learn(
                [log],
                links,
                omega,
                lambda query: normalise_query(query, LANGUAGE),
                lambda url: canonical_url(url) or url,
                LearnOptions(),
                Thresholds(click_users=1),
            )
            for learned in sorted(Path(folder).glob("omega*.parquet")):  # the clicks, and then Ω
                learned.replace(self._omega.with_name(learned.name.replace("omega", self._omega.stem)))
        return True

    def heard(self, how: str) -> Heard:
        """``own``: as it is; ``permuted``: with the clicked pages dealt out anew, as a control; ``none``: nothing."""
        if how == NONE:
            return Heard()
        clicks = load_clicks(self._omega)
        return Heard(load_omega(self._omega), clicks.permuted(0) if how == PERMUTED else clicks)
