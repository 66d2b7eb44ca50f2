"""What people see first of a harvest: which of its topic's sides the first ten pages show, and whether its map is a
lattice.

python bench/bench_map.py WORLD [--topics a,b] [--seeds hub] [--jobs 1] [-s FCA_VECTORS=none]
WORLD is demo or a recorded web's folder. A side is a label of the topic, on the demo web a sub-topic; topics of one
side say nothing of the first ten. By rank, and by cover of concepts (decision 206); the map with keywords in ISA
merged (decision 233) and without. A line of JSON each.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.planned import arguments, picks, planned
from fcacrawler.app.config import Config
from fcacrawler.evaluation.merged import isa_of
from fcacrawler.evaluation.plan import Start
from fcacrawler.evaluation.topic_map import KEYWORDS, Harvested, drawn_concepts, harvested
from fcacrawler.page import canonical_url
from fcacrawler.semrank.context import table
from fcacrawler.semrank.cover import cover
from fcacrawler.semrank.draw import covers
from fcacrawler.worlds import World
from fcacrawler.worlds.demo import DemoWorld

FIRST = 10
BOXES = 40


def sides(world: World) -> Mapping[str, Mapping[str, set[str]]]:
    """Topic → relevant page → its sides."""
    found: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in world.topics}
    if isinstance(world, DemoWorld):
        atlas = world.atlas
        labelled = [(s.url, atlas.labels[s.label].name, atlas.block(s).name) for s in atlas.spots]
    else:
        labelled = [(canonical_url(url) or url, label, label) for url, label in world.labels()]
    for url, label, side in labelled:
        for name, topic in world.topics.items():
            if any(f"{label}.".startswith(f"{wanted}.") for wanted in topic.labels):
                found[name][url].add(side)
    return found


def crawled(world: str, config: Config, start: Start) -> tuple[list[dict[str, Any]], list[Any]]:
    """The items of a crawl as they are judged in the end, and its pages."""
    done = [pick for pick in picks(world, config, start) if pick.fetched.page is not None]
    items = []
    for pick in done:
        page, now = pick.fetched.page, pick.judge.relevance(pick.url) or 0.0
        assert page is not None
        told = {"url": pick.url, "title": page.title, "language": page.language, "semrank": now}
        items.append(told | {"relevant": now > config.crawl.gamma, "keywords": dict(page.keywords)})
    return items, [replace(pick.fetched.page, url=pick.url) for pick in done if pick.fetched.page]


def shown(places: Sequence[int], items: Sequence[dict[str, Any]], about: Mapping[str, set[str]]) -> tuple[float, float]:
    """The part of the sides that these pages show, and how many of them are about the topic."""
    urls = [str(items[i]["url"]) for i in places]
    every = set().union(*about.values())
    return len(set().union(*(about.get(u, set()) for u in urls))) / len(every), mean(u in about for u in urls)


def lattice(pages: Sequence[Harvested]) -> dict[str, int]:
    """Boxes of the map, those of two keywords and more, those below two others; keywords that are of groups."""
    drawn, _ = drawn_concepts(t := table({p.url: p.keywords for p in pages}, KEYWORDS), BOXES)
    found = [c for c in drawn if c.extent]
    below = [k for _, k in covers(found)]
    named = {k for c in found for k in range(len(t.keywords)) if c.intent >> k & 1 and "~" in t.keywords[k]}
    two = sum(c.intent.bit_count() > 1 for c in found)
    return {"boxes": len(found), "two": two, "below": sum(below.count(k) > 1 for k in set(below)), "merged": len(named)}


def main() -> None:
    given = arguments(__doc__).parse_args()
    world, config, plan = planned(given)
    about = sides(world)
    first: dict[str, list[tuple[float, float]]] = {"rank": [], "cover": []}
    maps: dict[str, list[dict[str, int]]] = {"merged": [], "as they are": []}
    for start in plan:
        items, pages = crawled(given.world, config, start)
        relevant = [item for item in items if item["relevant"]]
        ranks = [item["semrank"] for item in relevant]
        order = {"rank": sorted(range(len(ranks)), key=lambda i: -ranks[i])[:FIRST]}
        order["cover"] = cover(ranks, [list(item["keywords"]) for item in relevant], FIRST)
        if len(set().union(*about[start.topic].values())) > 1 and len(relevant) >= FIRST:
            for how, places in order.items():
                first[how].append(shown(places, relevant, about[start.topic]))
        for how, isa in (("merged", isa_of(pages)), ("as they are", [])):
            maps[how].append(lattice(harvested(items, isa)))
        told = [len(rows) and rows[-1] for rows in (*first.values(), *maps.values())]
        print(f"{start.topic}, {len(relevant)} relevant:", *told, file=sys.stderr, flush=True)
    for how, values in first.items():
        told = {"sides": round(mean(s for s, _ in values), 3), "precision": round(mean(p for _, p in values), 3)}
        print(json.dumps({"figure": f"first {FIRST} by {how}", "topics": len(values), **told}))
    for how, rows in maps.items():
        sums = {name: sum(row[name] for row in rows) for name in rows[0]}
        print(json.dumps({"figure": f"maps, keywords {how}", "topics": len(rows), **sums}))


if __name__ == "__main__":
    main()
