"""The recipe's word lists, read: what each topic talks about, and how the pages speak."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_APART = re.compile(r"[^a-z0-9]+")
SPORTS = ("rugby", "football", "baseball", "basketball", "tennis", "hockey", "cycling", "mma", "boxing", "olympics",
          "racing", "golf")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of a topic, or of a theme among the other pages."""

    key: str  # as it may stand in a URL
    towns: tuple[str, ...]
    sides: tuple[str, ...]
    nouns: tuple[str, ...]
    phrases: tuple[str, ...]
    roles: tuple[str, ...]
    acts: tuple[str, ...]
    qualities: tuple[str, ...]
    events: tuple[str, ...]
    venues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a label's pages that talks about one thing."""

    name: str
    lexicon: Lexicon
    terms: tuple[str, ...]
    hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """A class of pages of the table: a sport, the other pages, rubbish."""

    name: str
    words: str  # what a user would type; "" where nobody looks for it
    size: int  # pages at the world's natural size
    related: tuple[str, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Grammar:
    """Sentences with holes, and the words that fit every topic."""

    report: tuple[str, ...]
    guide: tuple[str, ...]
    history: tuple[str, ...]
    talk: tuple[str, ...]
    plain: tuple[str, ...]
    titles: tuple[str, ...]
    vague_titles: tuple[str, ...]
    vague_anchors: tuple[str, ...]
    things: tuple[str, ...]
    manners: tuple[str, ...]
    doings: tuple[str, ...]
    first: tuple[str, ...]
    last: tuple[str, ...]
    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    site_words: tuple[str, ...]
    sections: tuple[str, ...]
    service: tuple[str, ...]


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "recipe" / f"{name}.toml").read_text("utf-8"))


def _lexicon(key: str, table: Mapping[str, Any]) -> Lexicon:
    words = {f: tuple(table.get(f, ())) for f in Lexicon.__dataclass_fields__ if f != "key"}
    words["sides"] = words["sides"] or ("the people of {town}", "{town} today", "the {town} society")
    words["venues"] = words["venues"] or tuple(f"the old {n}" for n in words["nouns"][:4])
    return Lexicon(key, **words)


def _sport(key: str) -> Label:
    table = _read(key)
    lexicon = _lexicon(key, table)
    blocks = tuple(Block(name, lexicon, tuple(terms)) for name, terms in table["subs"].items())
    return Label(table.get("name", key), table["words"], table["size"], tuple(table["related"]), blocks)


def _rest(key: str) -> Label:
    table = _read(key)
    blocks = tuple(
        Block(name, _lexicon(name, theme), tuple(theme["phrases"]), tuple(theme["hosts"]))
        for name, theme in table["themes"].items()
    )
    return Label(key, "", table["size"], (), blocks)


@cache
def labels() -> tuple[Label, ...]:
    """All labels in the order of the table; the last two are the other pages and the rubbish."""
    return (*map(_sport, SPORTS), _rest("others"), _rest("rubbish"))


@cache
def grammar() -> Grammar:
    return Grammar(**{k: tuple(v) for k, v in _read("grammar").items()})


def slug(words: str) -> str:
    """As it may stand in a URL.

    >>> slug("Zoë Šimić, fly-half")
    'zoe-simic-fly-half'
    """
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return _APART.sub("-", plain.replace("'", "")).strip("-")
