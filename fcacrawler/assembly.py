"""The composition root: which parts a crawl is made of. Every choice by name is a dict literal here."""

from __future__ import annotations

from fcacrawler.strategies import StrategyFactory
from fcacrawler.strategies.bfs import BreadthFirst
from fcacrawler.strategies.semrank import SemRank

ORDERS: dict[str, StrategyFactory] = {
    "semrank": SemRank,
    "bfs": lambda given: BreadthFirst(),
}
