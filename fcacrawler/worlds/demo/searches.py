"""A search log of the demo web: what users of some interests asked for, and what they clicked.

Users of a group search for the sports and themes that it likes, in the words of these; they click pages about them,
the well-known ones more often, and now and then something else. A group shares its words: who follows motor sport
asks for a "driver" and clicks races, who plays golf asks for one and clicks clubs.
"""

from __future__ import annotations

from collections.abc import Iterator

from fcacrawler.worlds.demo.atlas import Atlas, Region
from fcacrawler.worlds.demo.dice import Dice
from fcacrawler.worlds.demo.vocabulary import Block, Lexicon

HEADER = "user\tgroup\ttime\tquery\tstep\turl"
USERS = 600
BEGIN, DAYS = 1_704_067_200, 120  # 2024-01-01, UTC

# interest group → what it likes, the dearest first
GROUPS: dict[str, tuple[str, ...]] = {
    "motor": ("auto racing", "motoring", "cycling"),
    "oval ball": ("rugby", "football", "town"),
    "terraces": ("football", "rugby", "news"),
    "ballpark": ("baseball", "basketball", "cooking"),
    "hoops": ("basketball", "baseball", "music"),
    "ice": ("hockey", "olympics", "basketball"),
    "clubhouse": ("golf", "tennis", "garden"),
    "fight night": ("boxing", "mixed martial arts", "film"),
    "games": ("olympics", "cycling", "tennis"),
    "home": ("cooking", "garden", "health"),
    "desk": ("computing", "money", "science"),
    "away": ("travel", "film", "music"),
}


def lines(atlas: Atlas) -> Iterator[str]:
    """The log without its header, user by user, each user's searches in the order of time."""
    liked = {name: _likings(atlas, names) for name, names in GROUPS.items()}
    for user in range(USERS):
        dice = Dice(atlas.seed, 19, user)
        group = list(GROUPS)[user % len(GROUPS)]
        time = BEGIN + dice.below(86_400 * 10)
        for _ in range(3 + dice.low(20)):
            region, block = liked[group][dice.low(len(liked[group]))]
            query = _query(block, region, dice)
            for step, place in enumerate(_clicked(atlas, region, block, dice)):
                yield f"u{user + 1}\t{group}\t{time + 20 * step}\t{query}\t{step}\t{atlas.spot(place).url}"
            time += 600 + dice.below(86_400 * DAYS // 10)


def _likings(atlas: Atlas, names: tuple[str, ...]) -> list[tuple[Region, Block]]:
    """The blocks that a group searches for."""
    others = atlas.named["others"]
    found = []
    for name in names:
        region = atlas.named.get(name, others)
        blocks = region.label.blocks if region is not others else [b for b in others.label.blocks if b.name == name]
        found += [(region, block) for block in blocks]
    return found


def _query(block: Block, region: Region, dice: Dice) -> str:
    """One to four words: the topic's, the block's, a thing and what one does with it."""
    words: Lexicon = block.lexicon
    topic = region.label.words or block.name
    noun, role, term, phrase = (
        dice.one(words.nouns),
        dice.one(words.roles),
        dice.one(block.terms),
        dice.one(words.phrases),
    )
    return dice.one((
        topic, block.name, noun, phrase, term, f"{topic} {noun}", f"{noun} {role}", f"{term} {topic}",
        f"{dice.one(words.towns)} {topic}", f"best {noun}", f"{phrase} {topic}", role,
    )).lower()  # fmt: skip


def _clicked(atlas: Atlas, region: Region, block: Block, dice: Dice) -> Iterator[int]:
    """One to five pages, mostly of the block that was asked for."""
    pages = region.blocks[region.label.blocks.index(block)] or region.main
    for _ in range(1 + dice.low(6)):
        p = dice.below(100)
        if p < 80:
            yield pages[dice.low(len(pages))]
        elif p < 92:
            yield region.main[dice.low(len(region.main))]
        else:
            yield dice.below(len(atlas.spots))
