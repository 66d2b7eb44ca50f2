"""What a page says: sentences about its topic, sentences about nothing, and now and then about something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fcacrawler.worlds.demo.atlas import ARTICLE, HEAD, Atlas, Spot
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.speech import Palette, fill, palette
from fcacrawler.worlds.demo.vocabulary import grammar


def sentences(atlas: Atlas, spot: Spot) -> Iterator[str]:
    """The sentences of a page."""
    dice = Dice(atlas.seed, 8, spot.source)
    if spot.source != spot.id:
        yield "This story appeared elsewhere first."
    words = atlas.palette(spot)
    other = _second(atlas, spot, dice)
    ways = _registers(spot, dice)
    for _ in range(9 + dice.below(14) + dice.low(50)):
        about = other if other is not None and dice.chance(0.4) else words
        yield fill(dice.one(dice.one(ways)), about, dice)


def _registers(spot: Spot, dice: Dice) -> tuple[tuple[str, ...], ...]:
    """Which kinds of sentences a page is made of."""
    words = grammar()
    if spot.site.kind == "forum":
        return (words.talk, words.talk, words.plain)
    if spot.kind not in (ARTICLE, HEAD):
        return (words.guide, words.plain, words.plain)
    main = dice.one((words.report, words.report, words.guide, words.history))
    return (main, main, dice.one((words.report, words.history)), words.plain, words.plain)


def _second(atlas: Atlas, spot: Spot, dice: Dice) -> Palette | None:
    """The other thing that a page is about: one out of eight has one."""
    if not dice.chance(0.12):
        return None
    related = atlas.regions[spot.label].label.related
    region = atlas.named[dice.one(related)] if related and dice.chance(0.6) else dice.one(atlas.regions)
    return palette(dice.one(region.label.blocks), dice)


def paragraphs(said: Iterable[str], dice: Dice) -> Iterator[str]:
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
