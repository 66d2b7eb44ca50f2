"""What a page says: sentences of its topic, some of them of another one."""

from __future__ import annotations

from collections.abc import Iterator

from fcacrawler.worlds.demo.atlas import HUB, SECTION, Atlas, Spot
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.titles import fill
from fcacrawler.worlds.demo.vocabulary import Block, grammar


def registers(kind: str, site_kind: str, dice: Dice) -> tuple[tuple[str, ...], ...]:
    """Which kinds of sentences a page is made of; one out of seven says nothing about its topic."""
    words = grammar()
    if site_kind == "forum":
        return (words.talk, words.talk, words.talk, words.guide, words.plain)
    if kind in (HUB, SECTION):
        return (words.guide, words.plain, words.plain)
    main = dice.one((words.report, words.report, words.guide, words.history))
    return (main, main, main, words.report, words.history, words.guide, words.plain)


def sentences(atlas: Atlas, spot: Spot) -> Iterator[str]:
    """The sentences of a page; a tenth of all pages speak about two things."""
    dice = Dice(atlas.seed, 8, spot.id)
    label = atlas.regions[spot.label].label
    block = label.blocks[spot.block]
    other = _second(atlas, spot, dice)
    ways = registers(spot.kind, spot.site.kind, dice)
    for _ in range(10 + dice.below(14) + dice.low(40)):
        about = other if other is not None and dice.chance(0.4) else block
        yield fill(dice.one(dice.one(ways)), about, dice)


def _second(atlas: Atlas, spot: Spot, dice: Dice) -> Block | None:
    """The other thing that a page is about."""
    if not dice.chance(0.12):
        return None
    region = atlas.regions[spot.label]
    if region.label.related and dice.chance(0.6):
        name = dice.one(region.label.related)
        return dice.one(next(r.label.blocks for r in atlas.regions if r.label.name == name))
    return dice.one(atlas.regions[dice.below(len(atlas.regions))].label.blocks)


def paragraphs(said: Iterator[str], dice: Dice) -> Iterator[str]:
    """Sentences, a few a paragraph."""
    held: list[str] = []
    want = 2 + dice.below(5)
    for sentence in said:
        held.append(sentence)
        if len(held) == want:
            yield " ".join(held)
            held, want = [], 2 + dice.below(5)
    if held:
        yield " ".join(held)
