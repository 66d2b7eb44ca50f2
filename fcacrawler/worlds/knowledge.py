"""What is known about a recorded web's pages: labels.tsv and topics.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fcacrawler.values.errors import BadWorld
from fcacrawler.values.names import nearest_of
from fcacrawler.worlds import WorldTopic


@dataclass(slots=True)
class Labels:
    """Which pages of the world carry which label."""

    pages: dict[str, list[str]] = field(default_factory=dict)  # label: URLs, both in the order of the file
    notes: list[str] = field(default_factory=list)

    def under(self, label: str) -> list[str]:
        """The URLs of a label and of those beneath it (``Music`` holds ``Music.Jazz``)."""
        found = (urls for name, urls in self.pages.items() if name == label or name.startswith(f"{label}."))
        return [url for urls in found for url in urls]


def read_labels(path: Path, spelt: Callable[[str], str | None]) -> Labels:
    """Read ``url, topic`` as TSV. ``spelt`` answers how the world spells a URL, None if it has no such page."""
    labels = Labels()
    if not path.is_file():
        labels.notes.append(f"{path.name} is missing: no page is known to be relevant to anything")
        return labels
    unknown: list[str] = []
    odd: list[int] = []
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        url, tab, label = line.partition("\t")
        if not line.strip() or (url, label) == ("url", "topic"):
            continue
        known = spelt(url) if tab and label.strip() else None
        if known is not None:
            labels.pages.setdefault(label.strip(), []).append(known)
        else:
            odd.append(number) if not (tab and label.strip()) else unknown.append(url)
    if odd:
        labels.notes.append(f"{path.name}: {len(odd)} lines are not url, tab, topic; the first is line {odd[0]}")
    if unknown:
        labels.notes.append(f"{path.name}: {len(unknown)} labelled pages are not in this world, such as {unknown[0]}")
    return labels


def read_topics(path: Path, labels: Labels, spelt: Callable[[str], str | None]) -> dict[str, WorldTopic]:
    """The topics of topics.toml; without one every label is a topic. What is odd is noted with the labels."""
    if not path.is_file():
        return {name: _own_topic(name, urls) for name, urls in labels.pages.items()}
    try:
        tables = tomllib.loads(path.read_text("utf-8")).get("topics", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise BadWorld(f"{path}: {why}") from None
    return {name: _topic(f"{path}: topic {name}", name, table, labels, spelt) for name, table in tables.items()}


def _own_topic(label: str, urls: list[str]) -> WorldTopic:
    words = label.rpartition(".")[2].replace("_", " ").lower()
    return WorldTopic(label, words, tuple(urls[:3]), frozenset([label]))


def _topic(
    where: str, name: str, table: Mapping[str, Any], labels: Labels, spelt: Callable[[str], str | None]
) -> WorldTopic:
    words, wanted, seeds = table.get("words", name), table.get("labels", [name]), table.get("seeds", [])
    if not isinstance(words, str) or not all(isinstance(x, list) for x in (wanted, seeds)):
        raise BadWorld(f'{where}: expected words = "…", labels = ["…"] and seeds = ["…"]')
    for label in wanted:
        if labels.pages and not labels.under(label):
            close = nearest_of(label, labels.pages)
            hint = f"; did you mean {close}?" if close else ""
            labels.notes.append(f"{where}: no page is labelled {label!r}{hint}")
    lost = [seed for seed in seeds if spelt(seed) is None]
    if lost:
        labels.notes.append(f"{where}: {len(lost)} seeds are not in this world, such as {lost[0]}")
    return WorldTopic(name, words, tuple(seed for seed in seeds if seed not in lost), frozenset(wanted))
