"""A folder as Hugging Face's datasets has them: data/*.parquet, and a card that tells what is in it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from fcacrawler.formats import parquet
from fcacrawler.formats.card import Card

_SHOWN = 20  # rows of a table
_ESCAPED = str.maketrans({c: f"\\{c}" for c in "\\|<[]`*"})
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def write(items: Iterable[str], place: Path, card: Card) -> int:
    data = place / "data"
    data.mkdir()
    parquet.write_parts(items, data, card)
    parts = sorted(data.iterdir())
    for number, part in enumerate(parts):
        part.rename(data / f"train-{number:05}-of-{len(parts):05}.parquet")
    (place / "README.md").write_text(told(card), "utf-8", "replace")
    return card.items


def told(card: Card) -> str:
    """The data card."""
    size = next((name for most, name in _SIZES if card.items < most), "1M<n<10M")
    languages = [name for name, _ in card.languages.most_common() if len(name) == 2]
    head = [
        "---",
        f"pretty_name: {json.dumps(f'Web pages: {card.topic}', ensure_ascii=False)}",
        f"language: {json.dumps(languages)}",
        "license: other",
        f"size_categories: [{json.dumps(size)}]",
        'tags: ["web", "focused-crawl"]',
        "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/train-*.parquet",
        "---",
    ]
    facts = {
        "Topic": card.topic,
        "Order of the crawl": card.order,
        "Threshold γ": "" if card.gamma is None else f"{card.gamma:g}",
        "Chosen": card.chosen,
        "Pages": f"{card.items} ({card.relevant} judged relevant)",
        "Characters of text": str(card.characters),
        "Fetched": f"{card.first} to {card.last}",
        "Hosts": str(len(card.hosts)),
    }
    rows = [f"| {name} | {_cell(value)} |" for name, value in facts.items() if value]
    return "\n".join(
        (
            *head,
            f"# Web pages: {_cell(card.topic)}",
            "Made by a focused crawl of fcacrawler. The pages are their owners': what they say of licences and use is",
            "below and in the columns `licence` and `signals`. No licence said is no licence given.",
            "",
            "| | |",
            "| --- | --- |",
            *rows,
            *_table("Hosts", card.hosts),
            *_table("Languages", card.languages),
            *_table("Licences, as pages say", card.licences),
            *_table("What owners say of use", card.signals),
            *_table("Left out", Counter(card.left_out)),
            "",
        )
    )


def _table(name: str, counts: Counter[str]) -> list[str]:
    if not counts:
        return []
    rows = [f"| {_cell(what) or '(nothing said)'} | {n} |" for what, n in counts.most_common(_SHOWN)]
    more = len(counts) - _SHOWN
    rest = [f"| {more} more | {counts.total() - sum(n for _, n in counts.most_common(_SHOWN))} |"] if more > 0 else []
    return ["", f"## {name}", "", "| | pages |", "| --- | --- |", *rows, *rest]


def _cell(text: str) -> str:
    """A stranger's words do not become markup."""
    return " ".join(text.split()).translate(_ESCAPED)
