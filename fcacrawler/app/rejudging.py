"""A crawl's pages judged again by all that it knows in the end: what is thought of them now, without fetching."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from fcacrawler.app.explain import Job
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.values.topics import Topic


class Rejudged:
    """The items of the crawl in a folder, with the verdicts of now: ``semrank``, ``relevant`` and what the explanation
    says of the judge are changed; where ``relevant`` is, ``relevant_before`` says what it was."""

    def __init__(
        self,
        folder: Path,
        gamma: float | None = None,
        topic: Topic | None = None,
        least: float = 0.0,
        relevant: bool = False,
        progress: Callable[[int, int], None] = lambda n, count: None,
    ) -> None:
        """``gamma``: the crawl's own where none is given; ``least``, ``relevant``: items that are less, or are
        not, are left out."""
        with closing(Job(folder, progress, topic)) as job:
            self._crawl: Crawl = job.replayed()
            self.gamma = job.config.crawl.gamma if gamma is None else gamma
            self.topic = job.topic
        self._items = Items(folder)
        self._least, self._relevant = least, relevant
        self.changed = 0  # so many were relevant and are not, or the other way round, when they were last read
        self.told = ""  # of what could not be read

    def __iter__(self) -> Iterator[str]:
        self.changed = 0
        for line in self._items:
            item = json.loads(line)
            judge, url = self._crawl.judge, item.get("duplicate_of") or item["url"]
            relevance = judge.relevance(url)
            if relevance is not None:
                before, now = item["relevant"], relevance > self.gamma
                item |= {"semrank": round(relevance, 6), "relevant": now, "topic": self.topic.words}
                item["explanation"] = {**item["explanation"], "rank": round(relevance, 6), "judge": judge.parts(url)}
                if now != before:
                    self.changed += 1
                    item["relevant_before"] = before
            if item["semrank"] >= self._least and (item["relevant"] or not self._relevant):
                yield json.dumps(item, ensure_ascii=False)
        self.told = self._items.told
