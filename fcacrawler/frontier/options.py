"""What a user may say about the frontier."""

from __future__ import annotations

from dataclasses import dataclass

from fcacrawler.options import at_least, option


@dataclass(frozen=True, slots=True)
class FrontierOptions:
    """How much a frontier keeps."""

    frontier_size: int = option(
        1_000_000,
        "how many links may wait; beyond it the worst tenth is evicted. 0: no limit",
        at_least(0),
    )
    evidence: int = option(
        8, "how many links to one URL are remembered while it waits: the first and the latest", at_least(1)
    )
    attempts: int = option(5, "a link given back unfinished so many times is dead", at_least(1))
