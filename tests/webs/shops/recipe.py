"""The word lists, read: what the shops sell, how they speak, and which shops there are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from fcacrawler.worlds.demo.dice import Dice

_HOLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Kind:
    """A genre of books or a category of goods: the words that its pages are made of."""

    key: str  # "electronics.laptops", "crime"
    name: str
    language: str
    words: Mapping[str, tuple[str, ...]]
    low: int = 0  # price
    high: int = 0

    @property
    def label(self) -> str:
        """What its pages are about, as a topic."""
        if self.is_genre:
            return "book" if self.language == "en" else "buch"
        return self.key.split(".")[0]

    @property
    def is_genre(self) -> bool:
        return "form" in self.words


@cache
def read(name: str) -> dict[str, Any]:
    """A word list by its file's name."""
    return tomllib.loads(files("tests.webs.shops").joinpath(f"recipe/{name}.toml").read_text("utf-8"))


@cache
def kinds() -> dict[str, Kind]:
    """All genres and categories by key; German genres begin with ``de.``"""
    found: dict[str, Kind] = {}
    for key, words in read("books")["genres"].items():
        found[key] = _kind(key, "en", words)
    for key, words in read("german")["genres"].items():
        found[f"de.{key}"] = _kind(f"de.{key}", "de", words)
    for department, categories in (*read("goods").items(), ("werkzeug", read("german")["werkzeug"])):
        for key, words in categories.items():
            language = "de" if department == "werkzeug" else "en"
            found[f"{department}.{key}"] = _kind(f"{department}.{key}", language, words)
    return found


def _kind(key: str, language: str, words: dict[str, Any]) -> Kind:
    lists = {name: tuple(value) for name, value in words.items() if isinstance(value, list)}
    return Kind(key, words["name"], language, lists, words.get("low", 0), words.get("high", 0))


def trade(language: str) -> dict[str, Any]:
    """How books are called, bound, praised and judged in a language, and by whom they are written."""
    source = read("books" if language == "en" else "german")
    return {**source["trade"], **source["people"]}


def fill(template: str, words: Mapping[str, str]) -> str:
    """A sentence with its holes filled; a capital in the hole makes a capital in the text.

    >>> fill("{Trait} {thing}", {"trait": "oak", "thing": "chair"})
    'Oak chair'
    """

    def word(hole: re.Match[str]) -> str:
        name = hole.group(1)
        if name in words:
            return words[name]
        text = words[name.lower()]
        return text[:1].upper() + text[1:]

    return _HOLE.sub(word, template)


def drawn(kind: Kind, dice: Dice) -> dict[str, str]:
    """One word of each list of a kind, and a second one where sentences ask for it."""
    singular = {"things": "thing", "traits": "trait", "parts": "part", "uses": "use", "people": "person"}
    singular |= {"acts": "act", "matters": "matter", "nouns": "noun"}
    words: dict[str, str] = {}
    for name, choices in kind.words.items():
        one = singular.get(name, name)
        k = dice.below(len(choices))
        words[one] = choices[k]
        words[f"{one}2"] = choices[(k + 1 + dice.below(len(choices) - 1)) % len(choices)]
    words |= {"n": str(10 + dice.below(190)), "m": str(8 + dice.below(90)), "w": str(50 + 10 * dice.below(900))}
    return words
