"""What a page is called, in its heading and in its URL."""

from __future__ import annotations

import re
from functools import cache

from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.sites import Site
from fcacrawler.worlds.demo.vocabulary import Block, Grammar, grammar

_HOLE = re.compile(r"\{(\w)\}")
_VOWEL = re.compile(r"\b([Aa]) (?=[aeioAEIO]|u[^n]|un[^i])(?!one|eu|Eu)")


@cache
def parts(template: str) -> tuple[str, ...]:
    """A sentence with holes, taken apart: text, hole, text, hole … text.

    >>> parts("The {N} of {L}.")
    ('The ', 'N', ' of ', 'L', '.')
    """
    return tuple(_HOLE.split(template))


def fill(template: str, block: Block, dice: Dice, words: Grammar | None = None) -> str:
    """The template with something in each hole."""
    words = words or grammar()
    pieces = parts(template)
    if len(pieces) == 1:
        return template
    said = list(pieces)
    for i in range(1, len(said), 2):
        said[i] = _word(said[i], block, dice, words)
    whole = _VOWEL.sub(r"\1n ", "".join(said))
    return whole[0].upper() + whole[1:]


def _word(hole: str, block: Block, dice: Dice, words: Grammar) -> str:
    lexicon = block.lexicon
    if hole == "N":
        return dice.one(lexicon.nouns)
    if hole == "P":
        return dice.one(lexicon.phrases)
    if hole == "S":
        return dice.one(block.terms)
    if hole == "A":
        return dice.one(lexicon.acts)
    if hole == "X":
        return f"{dice.one(words.first)} {dice.one(words.last)}"
    if hole == "R":
        return dice.one(lexicon.roles)
    if hole == "T":
        return dice.one(lexicon.sides).replace("{town}", dice.one(lexicon.towns))
    return _rarer(hole, block, dice, words)


def _rarer(hole: str, block: Block, dice: Dice, words: Grammar) -> str:
    lexicon = block.lexicon
    if hole == "Q":
        return dice.one(lexicon.qualities)
    if hole == "E":
        return dice.one(lexicon.events)
    if hole == "V":
        return dice.one(lexicon.venues)
    if hole == "L":
        return dice.one(lexicon.towns)
    if hole == "K":
        return block.name
    if hole == "Y":
        return str(1896 + dice.below(130))
    if hole == "D":
        return str(2 + dice.below(90))
    return dice.one(words.months if hole == "M" else words.weekdays)


def title_of(kind: str, block: Block, site: Site, dice: Dice) -> str:
    if kind == "front":
        return site.name
    if kind == "section":
        return block.name.capitalize()
    if kind == "hub":
        return f"{block.name.capitalize()} links"
    words = grammar()
    return fill(dice.one(words.vague_titles if dice.chance(0.2) else words.titles), block, dice, words)


def url_of(kind: str, name: str, part: str, number: int, site: Site, scripted: bool, dice: Dice) -> str:
    root = f"http://{site.host}/"
    if kind == "front":
        return root
    if scripted:
        return f"{root}app/{name}"
    year = 2019 + dice.below(7)
    return root + site.path.format(part=part, name=name, number=1000 + number, year=year, month=1 + dice.below(12))
