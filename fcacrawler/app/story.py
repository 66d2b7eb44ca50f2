"""What is known of a URL of a crawl, in values and in words; of a fetched page its item says it all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from fcacrawler.values.files import check_plain

MOST = 20_000  # URLs that a misspelt one is compared with


@dataclass(slots=True)
class Story:
    """All that is known of a URL. Empty: nothing, or it does not apply."""

    url: str
    state: str = "unknown"  # fetched, waits, not reached, in flight, done, given up, evicted, left out or unknown
    why: str = "no page that was read links to it"
    gamma: float = 0.0
    rank: float | None = None  # for which it was fetched, or with which it waits
    ahead: int | None = None  # how many links leave before it
    depth: int | None = None
    attempts: int = 0
    path: list[dict[str, Any]] = field(default_factory=list)  # url and anchor of each page from the seed to this one
    links: list[dict[str, Any]] = field(default_factory=list)  # by which it was found, with what is thought of the page
    explanation: dict[str, Any] = field(default_factory=dict)  # the parts of the rank, as in an item
    nearest: list[dict[str, Any]] = field(default_factory=list)  # judged pages that mean nearly the same
    marks: list[dict[str, Any]] = field(default_factory=list)  # that matter most, and what each adds to the log odds
    left_out: list[dict[str, Any]] = field(default_factory=list)  # pages that link there, and the rule against each
    similar: list[str] = field(default_factory=list)  # URLs that are known


def of_items(path: Path, url: str, gamma: float = 0.0) -> Story:
    """The same from a file of items (JSON lines): only what was fetched is known there."""
    check_plain(path)
    known: list[str] = []
    story = Story(url, gamma=gamma, why="it is not among the pages of this file")
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            try:
                item = json.loads(line)
                known.append(item["url"])
            except (ValueError, KeyError, TypeError, RecursionError):
                continue  # torn by a kill
            if url in (item["url"], item.get("final_url")):
                story = Story(url, "fetched", fetched(item, None), rank=item["rank_before_fetch"], depth=item["depth"])
                story.path = [{"url": u, "anchor": ""} for u in item["path"]]
                story.explanation = item["explanation"]
    if story.state == "unknown":
        story.similar = get_close_matches(url, known[-MOST:], 3, 0.5)
    return story


def fetched(item: dict[str, Any], gamma: float | None) -> str:
    before = item["rank_before_fetch"]
    how = "it is a seed" if item["parent"] is None else f"its rank was {before:.3f}"
    if gamma is not None and item["parent"] is not None:
        how += f", {'above' if before > gamma else 'not above'} γ = {gamma:g}" + (
            "" if before > gamma else ": a tunnel"
        )
    if item["duplicate_of"]:
        return f"{how}; it says what {item['duplicate_of']} says, so nothing was learned from it"
    found = f"{'relevant' if item['relevant'] else 'not relevant'}{_because(item['explanation'].get('judge') or {})}"
    return f"{how}; read, it ranks {item['semrank']:.3f}: {found}{_changed(item)}"


def _changed(item: Mapping[str, Any]) -> str:
    """What was thought of it before, if that was something else.

    >>> _changed({"relevant": True, "relevant_before": False, "semrank_before": 0.4, "changed_after": 120})
    '; when it came it was not relevant (0.400), which changed when 120 pages were known'
    """
    before = item.get("relevant_before", item["relevant"])
    if before == item["relevant"]:
        return ""
    when = f", which changed when {item['changed_after']} pages were known" if item["changed_after"] else ""
    return f"; when it came it was {'' if before else 'not '}relevant ({item['semrank_before']:.3f}){when}"


def _because(judge: Mapping[str, float]) -> str:
    """What the judge's opinion is made of, in words.

    >>> _because({"text": 0.6, "query": 0.1, "seeds": 0.1, "company": 0.4, "reach": 1.2, "part": 3})
    ': its text says 0.60, its title 0.20, the pages around it 0.40, where the best come to 1.20; part 3 of a series'
    """
    if not judge:
        return ""
    title = judge.get("query", 0.0) + judge.get("seeds", 0.0)
    said = f": its text says {judge['text']:.2f}, its title {title:.2f}, the pages around it {judge['company']:.2f}"
    series = f"; part {judge['part']:.0f} of a series" if judge["part"] > 1 else ""
    return f"{said}, where the best come to {judge['reach']:.2f}{series}"
