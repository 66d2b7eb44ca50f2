"""One door to all forms, and what is known of a harvest as a whole."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from fcacrawler.formats import folders, huggingface, parquet, wacz, wet
from fcacrawler.formats.card import Card
from fcacrawler.frontier.sqlite.export import write_csv, write_jsonl
from fcacrawler.values.errors import BadOptions


@dataclass(frozen=True, slots=True)
class Kind:
    """A form that a harvest is written in."""

    ending: str  # by which a file of it is known; "" for a folder
    write: Callable[[Iterable[str], Path, Card], int]


def _lines(items: Iterable[str], place: Path, card: Card) -> int:
    with place.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        return write_jsonl(items, file)


def _table(items: Iterable[str], place: Path, card: Card) -> int:
    with place.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        return write_csv(items, file, card.fields)


KINDS = {
    "jsonl": Kind(".jsonl", _lines),
    "csv": Kind(".csv", _table),
    "parquet": Kind(".parquet", parquet.write),
    "wet": Kind(".wet.gz", wet.write),
    "cdxj": Kind(".cdxj", wacz.write_cdxj),
    "wacz": Kind(".wacz", wacz.write),
    "markdown": Kind("", folders.write),
    "huggingface": Kind("", huggingface.write),
    "parts": Kind("", parquet.write_parts),
}


def kind_of(place: Path, named: str) -> str:
    """By its name, or by the ending of its place; raises BadOptions."""
    if named:
        return named
    found = next((name for name, kind in KINDS.items() if kind.ending and place.name.endswith(kind.ending)), "")
    if not found:
        endings = ", ".join(kind.ending for kind in KINDS.values() if kind.ending)
        folders_told = ", ".join(name for name, kind in KINDS.items() if not kind.ending)
        raise BadOptions([f"-o {place}: must end in one of {endings}; a folder needs --as one of {folders_told}"])
    return found


def write(name: str, items: Iterable[str], place: Path, card: Card) -> int:
    """How many items; the file or folder is there when it is whole. What stands there is replaced, but no folder that
    holds anything."""
    kind = KINDS[name]
    if not kind.ending and place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise BadOptions([f"-o {place}: is there already: name a new folder"])
    part = place.with_name(f"{place.name}.part")
    try:
        if kind.ending:
            written = kind.write(items, part, card)
            part.replace(place)
        else:
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            written = kind.write(items, part, card)
            if place.is_dir():
                place.rmdir()
            part.replace(place)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True) if part.is_dir() else part.unlink(missing_ok=True)
        raise
    return written
