"""Search engines are asked where to begin: none unless its user names it.

Doors:

- ``read_engines(path) -> tuple[Engine, …]``: who may be asked, from engines.toml
- ``ask(engines, words, keywords, …) -> Heard``: what they say, one that is down being a line
- ``expanded(words, …) -> list[Keyword]``: more words for the topic, each with where it comes from
- ``fused(heard, performance) -> list[Suggestion]``: pages to begin with, best first; ``look(…)``: which of them answer
- ``Performance``: what came of earlier answers; ``Said``: who said what, of one crawl

Why so: decisions 240 to 243.
"""

from __future__ import annotations

from dataclasses import dataclass

from fcacrawler.engines.asking import Heard, ask
from fcacrawler.engines.expansion import Keyword, expanded
from fcacrawler.engines.fusion import Suggestion, fused
from fcacrawler.engines.performance import Lesson, Performance, Said
from fcacrawler.engines.table import Engine, read_engines
from fcacrawler.values.options import option

__all__ = [
    "Engine", "EngineOptions", "Heard", "Keyword", "Lesson", "Performance", "Said", "Suggestion", "ask", "expanded",
    "fused", "read_engines",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Who is asked where to begin."""

    engines: str = option(
        "",
        "search engines that are asked where to begin, where no seeds are given: a TOML file, or none; by default "
        "engines.toml in the folder where the command runs, if it is there",
    )
