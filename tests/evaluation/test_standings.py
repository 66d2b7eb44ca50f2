"""How sure a comparison is."""

from __future__ import annotations

from fcacrawler.commands.compare import shown
from fcacrawler.evaluation.standings import COLUMNS, sentence, standings


def told(topics: str) -> str:
    """What is said where the order a finds .5 and b .25 on each of the topics."""
    rest = dict.fromkeys((*COLUMNS, "cpu_ms_per_page"), 0.1)
    records = [{"topic": t, "order": o, **rest, "auc": auc} for t in topics for o, auc in (("a", 0.5), ("b", 0.25))]
    table = standings(records, "b")
    return shown(table, "b") + sentence("web", table, "b")


def test_one_topic_tells_no_interval() -> None:
    assert "…" not in told("x").partition("topics won")[2]
    assert "one topic tells no interval" in told("x")
    assert "not surely more than b: +0.250 (+100 %) and wins 1 of 1" in told("x")
    assert "(+0.250 … +0.250), 3 of 3" in told("xyz")
    assert "more than b: +0.250 (+100 %), 95 % interval +0.250 to +0.250, and wins 3 of 3" in told("xyz")
