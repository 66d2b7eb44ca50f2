"""A worker's line to Redis: it may be down for a while, and the crawl pauses as long."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from math import inf
from time import monotonic
from typing import Any

from fcacrawler.frontier.redis.server import Away, Call, Server

logger = logging.getLogger(__name__)

BREATH = 1.0  # seconds between two attempts to reach a Redis that is away


class Line:
    """While Redis is away nothing is asked but once in a breath, and both ends are told."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.away_until = -inf
        self._away_since: float | None = None

    @property
    def away(self) -> bool:
        return self._away_since is not None

    def run(self, calls: Sequence[Call], kept: bool = False) -> list[Any] | None:
        """Each script's answer; None: Redis is away. It may have heard all the same: scripts bear being run twice."""
        if monotonic() < self.away_until:
            return None
        try:
            answers = self.server.run(calls, kept)
        except Away as e:
            self._goes(e)
            return None
        self._comes()
        return answers

    def _goes(self, why: Away) -> None:
        now = monotonic()
        self.away_until = now + BREATH
        if self._away_since is None:
            self._away_since = now
            logger.warning("Redis does not answer (%s): the crawl pauses until it does", why)

    def _comes(self) -> None:
        if self._away_since is not None:
            away = monotonic() - self._away_since
            logger.warning("Redis answers again after %.0f s: the crawl goes on", away)
            self._away_since = None
            self.server.look_again()
