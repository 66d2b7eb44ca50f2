"""How crawls go, as Prometheus reads it: the text format, version 0.0.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

MEANINGS = {
    "up": "1: the crawl runs and answers",
    "pages": "responses so far, of all runs",
    "budget": "responses after which it ends; 0: none",
    "relevant": "pages that are thought to be relevant now",
    "lately": "share of relevant pages among the last",
    "recall": "estimated share of all relevant pages that has been found",
    "gamma": "the threshold",
    "paused": "1: paused",
    "marks": "pages that users have marked",
    "urls": "URLs by their state",
    "left_out": "links not followed, by rule",
}
STATES = ("running", "waiting", "leased", "done", "dead", "evicted")


def metrics(crawls: Mapping[str, Mapping[str, Any] | None]) -> str:
    """Of the states that crawls tell (``scrapy control … status``), by name; None: it does not run.

    >>> print(metrics({'a "b"': None}), end="")
    # HELP fcacrawler_up 1: the crawl runs and answers
    # TYPE fcacrawler_up gauge
    fcacrawler_up{crawl="a \\"b\\""} 0
    """
    found: dict[str, list[str]] = {name: [] for name in MEANINGS}
    for crawl, state in crawls.items():
        for name, labels, value in _values(state):
            pairs = ",".join(f'{k}="{_escaped(v)}"' for k, v in {"crawl": crawl, **labels}.items())
            found[name].append(f"fcacrawler_{name}{{{pairs}}} {value:g}")
    return "".join(
        f"# HELP fcacrawler_{name} {MEANINGS[name]}\n# TYPE fcacrawler_{name} gauge\n"
        + "".join(f"{x}\n" for x in lines)
        for name, lines in found.items()
        if lines
    )


def _values(state: Mapping[str, Any] | None) -> Iterator[tuple[str, dict[str, str], float]]:
    yield "up", {}, float(state is not None)
    if state is None:
        return
    for name in ("pages", "budget", "relevant", "lately", "gamma", "paused", "marks"):
        yield name, {}, float(state[name])
    if state["recall"] is not None:
        yield "recall", {}, float(state["recall"]["share"])
    for name in STATES:
        yield "urls", {"state": name}, float(state[name])
    for rule, links in sorted(state["dropped"].items()):
        yield "left_out", {"rule": rule}, float(links)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
