"""A worker's line to Redis: it may be down for a while, and what is said need not be waited for."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from math import inf
from time import monotonic
from typing import Any

from fcacrawler.frontier.redis.server import Away, Call, Server
from fcacrawler.values.errors import FcaError

logger = logging.getLogger(__name__)

BREATH = 1.0  # seconds between two attempts to reach a Redis that is away
QUESTIONS = ("hold", "learn", "lease")
Heard = list[tuple[str, Any]]  # scripts and what they answered


class Line:
    """While Redis is away nothing is asked but once in a breath, and both ends are told. Scripts bear being run twice:
    what may not have been heard is said again, but for questions, whose time is over."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.away_until = -inf
        self._away_since: float | None = None
        self._told: list[Call] = []  # and not yet answered
        self._lost: list[Call] = []  # told before Redis went away
        self._failed: FcaError | None = None

    @property
    def away(self) -> bool:
        return self._away_since is not None

    @property
    def busy(self) -> bool:
        """Has something been told and not been heard?"""
        return bool(self._told)

    @property
    def waiting(self) -> bool:
        """Has something been told, and not been answered yet?"""
        return bool(self._told) and not self.server.arrived()

    def tell(self, calls: Sequence[Call]) -> bool:
        """Say this, and go on; False: it is not the time. What was told before is to be ``heard`` first."""
        if self._told or self._lost or self._failed or self.away:
            return False
        try:
            self.server.send(calls)
        except Away as e:
            self._goes(e)
            return False
        self._told = list(calls)
        return True

    def heard(self) -> Heard:
        """The answers to what was told. After a failure nothing is said any more: every ``run`` raises it."""
        told, self._told = self._told, []
        if told:
            try:
                return _heard(told, self.server.received(told))
            except Away as e:
                self._lost = [call for call in told if call[0] not in QUESTIONS]
                self._goes(e)
            except FcaError as e:
                self._failed = e
        return []

    def run(self, calls: Sequence[Call]) -> Heard | None:
        """The answers to these, when what was told has been ``heard``; None: Redis is away."""
        if self._failed is not None:
            raise self._failed
        if monotonic() < self.away_until:
            return None
        calls = [*self._lost, *calls]
        try:
            answers = self.server.run(calls)
        except Away as e:
            self._goes(e)
            return None
        self._lost = []
        self._comes()
        return _heard(calls, answers)

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


def _heard(calls: Sequence[Call], answers: Sequence[Any]) -> Heard:
    return [(name, answer) for (name, _), answer in zip(calls, answers, strict=True)]
