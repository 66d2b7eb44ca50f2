"""Sentences and titles: templates with holes, filled from the few words that one page uses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.vocabulary import Block, grammar

_HOLE = re.compile(r"\{(\w)\}")
_VOWEL = re.compile(r"\b([Aa]) (?=[aeioAEIO]|u[^n]|un[^i])(?!one|eu|Eu)")

Palette = Mapping[str, Sequence[str]]


def palette(block: Block, dice: Dice) -> Palette:
    """The words of one page: a few of its topic's, its own people, places and years."""
    words, lexicon = grammar(), block.lexicon
    towns = dice.some(lexicon.towns, 3)
    sides = [dice.one(lexicon.sides).replace("{town}", town) for town in towns]
    people = [f"{dice.one(words.first)} {dice.one(words.last)}" for _ in range(3)]
    return {
        "N": dice.some(lexicon.nouns, 6),
        "P": dice.some(lexicon.phrases, 4),
        "S": dice.some(block.terms, 3),
        "A": dice.some(lexicon.acts, 4),
        "R": dice.some(lexicon.roles, 3),
        "Q": dice.some(lexicon.qualities, 2),
        "E": dice.some(lexicon.events, 2),
        "V": dice.some(lexicon.venues, 2),
        "T": sides[:2],
        "U": sides[-1:],
        "L": towns,
        "K": (block.name,),
        "X": people[:2],
        "Z": people[2:],
        "Y": [str(1896 + dice.below(130)) for _ in range(3)],
        "D": [str(2 + dice.below(90)) for _ in range(4)],
        "M": dice.some(words.months, 2),
        "W": dice.some(words.weekdays, 2),
        "G": dice.some(words.things, 9),
        "J": dice.some(words.manners, 6),
        "B": dice.some(words.doings, 6),
    }


@cache
def parts(template: str) -> tuple[str, ...]:
    """A template taken apart: text, hole, text, hole … text.

    >>> parts("The {N} of {L}.")
    ('The ', 'N', ' of ', 'L', '.')
    """
    return tuple(_HOLE.split(template))


def fill(template: str, words: Palette, dice: Dice) -> str:
    """The template with a word of the palette in each hole.

    >>> fill("a {N}, a {G}.", {"N": ["union"], "G": ["idea"]}, Dice(1))
    'A union, an idea.'
    """
    said = list(parts(template))
    for i in range(1, len(said), 2):
        said[i] = dice.one(words[said[i]])
    whole = _VOWEL.sub(r"\1n ", "".join(said))
    return whole[0].upper() + whole[1:]
