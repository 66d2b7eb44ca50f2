"""What is thought now of a crawl's pages, kept beside its store: JOBDIR/verdicts.npz, whole, in place of the last.

    crawl, every so often and at its end; scrapy rejudge ─► keep ─► kept ─► export, explain, draw: Opinion.item

Why so: decision 196.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.verdicts import Thought, short
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.page import canonical_url, key_of
from fcacrawler.values.errors import BadStore
from fcacrawler.values.verdicts import rounded

NAME = "verdicts.npz"
KINDS = {"keys": "u8", "ranks": "f8", "relevant": "b1", "came": "f8", "changed": "i4"}


class Held(NamedTuple):
    """What is thought of one page."""

    rank: float
    relevant: bool
    came: float  # its rank when it came
    changed: int  # how many pages were known when it became relevant or ceased to be; 0: it never did
    parts: Mapping[str, float]  # of the judge's opinion, by name


@dataclass(frozen=True, slots=True)
class Opinion:
    """What is thought of all pages of a crawl at one moment, for a topic and by a γ."""

    topic: str
    gamma: float
    thought: Thought
    names: Sequence[str]  # of parts
    parts: NDArray[np.float32]  # a row a page
    places: Mapping[int, int]  # short keys → places

    def of(self, url: str) -> Held | None:
        """None for a page that it does not know; a copy is known by its original."""
        canonical = canonical_url(url)
        n = self.places.get(short(key_of(canonical).key)) if canonical else None
        if n is None:
            return None
        thought = self.thought
        numbers = thought.ranks[n], thought.relevant[n], thought.came[n], thought.changed[n]
        rank, relevant, came, changed = (number.item() for number in numbers)
        return Held(rank, relevant, came, changed, rounded(dict(zip(self.names, self.parts[n].tolist(), strict=True))))

    def item(self, item: Mapping[str, Any]) -> dict[str, Any] | None:
        """An item with what is thought of its page now; None if nothing is known of that."""
        held = (
            self.of(str(item.get("duplicate_of") or item.get("url")))
            if {"semrank", "relevant"} <= item.keys()
            else None
        )
        if held is None:
            return None
        rank, relevant, parts = round(held.rank, 6), held.relevant, held.parts
        if isinstance(mark := item.get("mark"), str):  # which may have been said since
            rank = float(mark == "good")
            relevant, parts = rank > self.gamma, {**parts, "mark": rank}
        now = {**item, "semrank": rank, "relevant": relevant, "topic": self.topic}
        if isinstance(explanation := item.get("explanation"), dict):
            now["explanation"] = {**explanation, "rank": rank, "judge": parts}
        now["semrank_before"], now["relevant_before"] = item["semrank"], item["relevant"]
        now["changed_after"] = held.changed or None
        return now


def opinion_of(crawl: Crawl, topic: str) -> Opinion:
    """Of a crawl in memory."""
    thought, (names, parts) = crawl.thought(), crawl.judge.accounts()
    return _opinion(topic, crawl.options.gamma, thought, names, parts.astype(np.float32))


def _opinion(topic: str, gamma: float, thought: Thought, names: Sequence[str], parts: NDArray[np.float32]) -> Opinion:
    return Opinion(topic, gamma, thought, names, parts, {key: n for n, key in enumerate(thought.keys.tolist())})


def keep(opinion: Opinion, folder: Path) -> None:
    """Whoever reads it meanwhile has the last one; OSError if it cannot be written."""
    told = json.dumps({"topic": opinion.topic, "gamma": opinion.gamma, "names": list(opinion.names)})
    columns = {name: getattr(opinion.thought, name) for name in KINDS}
    part = folder / f"{NAME}.part"
    with part.open("wb") as file:
        np.savez(file, told=np.array(told), parts=opinion.parts, **columns)
    part.replace(folder / NAME)


def kept(folder: Path) -> Opinion | None:
    """The last that was kept of the crawl in this folder; None if none was."""
    path = folder / NAME
    if not path.is_file():
        return None
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            told = json.loads(str(file["told"]))
            columns = {name: file[name].astype(kind, casting="equiv") for name, kind in KINDS.items()}
            names, parts = list(map(str, told["names"])), file["parts"].astype("f4", casting="equiv")
        if {len(parts), *map(len, columns.values())} != {len(parts)} or parts.shape[1:] != (len(names),):
            raise ValueError("columns of different lengths")
        return _opinion(str(told["topic"]), float(told["gamma"]), Thought(**columns), names, parts)
    except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError) as error:
        raise BadStore(f"{path} is damaged ({error}): scrapy rejudge {folder} writes it anew") from None


def judge_lines(opinion: Opinion, source: Path, target: Path) -> tuple[int, int]:
    """A file of items as JSON lines once more, with what is thought of them now: how many are judged, and how many of
    those otherwise than before. What is no such item stands there as it did. None judged: no file."""
    judged = changed = 0
    if not source.is_file():  # a pipe, or a device
        return 0, 0
    part = target.with_name(f"{target.name}.part")
    with source.open("rb") as lines, part.open("wb") as file:
        for line in lines:
            item = _judged(opinion, line)
            if item is not None:
                judged, changed = judged + 1, changed + (item["relevant"] != item["relevant_before"])
                line = json.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
            file.write(line)
    if judged:
        part.replace(target)
    else:
        part.unlink()
    return judged, changed


def _judged(opinion: Opinion, line: bytes) -> dict[str, Any] | None:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):  # torn, or somebody else's
        return None
    return opinion.item(item) if isinstance(item, dict) else None


class ItemsNow:
    """The items of the crawl in a folder with what is thought of them now."""

    def __init__(self, folder: Path, opinion: Opinion | None = None) -> None:
        """``opinion``: the one that is kept there where none is given."""
        self._folder, self._items = folder, Items(folder)
        self._opinion = opinion
        self._damage = ""
        self.changed = self.late = 0  # when they were last read: judged otherwise than as they came; not judged since

    def __iter__(self) -> Iterator[str]:
        self.changed = self.late = 0
        opinion = self._opinion or self._kept()
        for line in self._items:
            item = opinion.item(json.loads(line)) if opinion else None
            if item is None:
                self.late += 1
                yield line
            else:
                self.changed += item["relevant"] != item["relevant_before"]
                yield json.dumps(item, ensure_ascii=False)

    def _kept(self) -> Opinion | None:
        try:
            return kept(self._folder)
        except BadStore as error:
            self._damage = str(error)
            return None

    @property
    def told(self) -> list[str]:
        """What whoever reads them is to be told."""
        remedy = f"scrapy rejudge {self._folder} judges them by all that is known"
        late = f"{self.late} pages are judged as when they came: {remedy}" if self.late else ""
        return [*filter(None, (self._items.told, self._damage, late))]
