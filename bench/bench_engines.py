"""Do seeds that engines name pay? Fused seeds against each engine's alone and against seeds chosen by hand.

usage: bench_engines.py [--world ../shared/worlds/wikispeedia] [--half tuned|other|both] [--harvest 1500] [--out FILE]

Three engines on loopback: "pise" is ours over a broad harvest (a crawl in breadth of so many pages), "words" knows the
whole web and puts pages with most of the words first, "poor" has the same pages and puts them in order of their
addresses. The topics are the world's own eight, on
which what can be chosen was chosen, and ten narrower ones out of its labels ("other"), looked at once. A page that any
way begins with is neither counted as found nor as a fetch in any crawl, so that what is compared is what came of the
seeds. The area is over 2 R fetches. After each topic the engines have their lessons of the crawl with fused seeds;
how good they are in truth is told by the labels.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from aiohttp import web
from scrapy.settings import Settings
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.app.assembly import ORDERS, crawl_of, given_of
from fcacrawler.app.beginning import SEEDS, lesson
from fcacrawler.app.beginning import Desk as Asking
from fcacrawler.app.config import Config, read_config
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.engines import Performance, fused
from fcacrawler.evaluation.comparison import office, read_pages
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.measures import area
from fcacrawler.evaluation.run import Desk, learn, unending
from fcacrawler.evaluation.trace import Trace
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.page import canonical_url, key_of
from fcacrawler.values.links import Candidate
from fcacrawler.values.topics import Topic
from fcacrawler.worlds import open_world

ROOT = Path(__file__).resolve().parents[1]
WIKISPEEDIA = ROOT.parent / "shared" / "worlds" / "wikispeedia"
WIKI = "http://wikispeedia.test/wp/"
OTHER = {  # words: label, and seeds by hand: what somebody who knows the subject would begin with
    "chemical elements": ("Science.Chemistry.Chemical_elements", "h/Hydrogen i/Iron o/Oxygen"),
    "chemical compounds": ("Science.Chemistry.Chemical_compounds", "e/Ethanol b/Benzene a/Ammonia"),
    "musical genres": ("Music.Musical_genres_styles_eras_and_events", "j/Jazz h/Hip_hop_music f/Folk_music"),
    "musical instruments": ("Music.Musical_Instruments", "p/Piano g/Guitar f/Flute"),
    "philosophy": ("Religion.Philosophy", "p/Philosophy e/Ethics l/Logic"),
    "myths and mythology": ("Religion.Myths", "g/Greek_mythology n/Norse_mythology f/Folklore"),
    "software and operating systems": ("IT.Software", "l/Linux m/Microsoft_Windows u/Unix"),
    "space flight": ("Science.Physics.Space_transport", "a/Apollo_11 m/Mir s/Saturn_V"),
    "football and rugby teams": ("Everyday_life.Sports_teams", "l/Liverpool_F.C. c/Chelsea_F.C. a/All_Blacks"),
    "religious movements": (
        "Religion.Religious_movements_traditions_and_organizations", "c/Christianity i/Islam b/Buddhism",
    ),
}  # fmt: skip
NAMES = ("pise", "words", "poor")
WAYS = ("by hand", *NAMES, "fused", "fused by rank alone")
SPAN = 2  # R fetches


@dataclass(frozen=True, slots=True)
class Wanted:
    words: str
    relevant: frozenset[str]
    seeds: tuple[str, ...]


def wanted(world_name: str, half: str) -> list[Wanted]:
    world = open_world(world_name)
    found = []
    if half in ("tuned", "both"):
        found += [
            Wanted(t.words, frozenset(map(canonical_url, world.relevant(name))), tuple(map(canonical_url, t.seeds)))
            for name, t in world.topics.items()
        ]  # fmt: skip
    if half in ("other", "both"):
        labels: dict[str, set[str]] = {}
        for url, label in world.labels():
            labels.setdefault(label, set()).add(canonical_url(url))
        for words, (label, seeds) in OTHER.items():
            urls = tuple(canonical_url(f"{WIKI}{page}.htm") for page in seeds.split())
            found.append(Wanted(words, frozenset(labels[label]), urls))
    return found


class WordEngine:
    """Pages with any of the words, those with most of them first; at /poor in order of their addresses."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._counts = {url: Counter(re.findall(r"\w+", text.lower())) for url, text in texts.items()}

    async def answer(self, request: web.Request) -> web.StreamResponse:
        words = set(re.findall(r"\w+", request.query["q"].lower()))
        told = {url: sum(count[word] for word in words) for url, count in self._counts.items()}
        poor = request.path.startswith("/poor")
        best = sorted((url for url in told if told[url]), key=lambda url: (0 if poor else -told[url], url))[:50]
        return web.json_response({"results": [{"url": url, "title": "", "content": ""} for url in best]})


@contextmanager
def by_words(texts: Mapping[str, str]) -> Iterator[str]:
    loop = asyncio.new_event_loop()
    app = web.Application()
    engine = WordEngine(texts)
    app.router.add_get("/search", engine.answer)
    app.router.add_get("/poor/search", engine.answer)
    runner = web.AppRunner(app, access_log=None)

    async def up() -> int:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        return int(runner.addresses[0][1])

    port = loop.run_until_complete(up())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


@contextmanager
def ours(folder: Path, world: str, pages: int) -> Iterator[str]:
    """``scrapy pise`` over a crawl in breadth."""
    scrapy = [sys.executable, "-m", "scrapy"]
    begin = open_world(world).topics
    seeds = ",".join(topic.seeds[0] for topic in begin.values())
    made = [*scrapy, "crawl", "semrank", "-a", "topic=encyclopedia", "-a", f"seeds={seeds}", "-a", "order=bfs"]
    made += ["-a", "gamma=0", "-a", f"pages={pages}", "-s", f"FCA_WORLD={world}", "-s", f"JOBDIR={folder}/broad"]
    if not (folder / "broad" / "crawl.sqlite").exists():
        subprocess.run([*made, "-s", "FCA_PROGRESS=off", "-O", f"{folder}/o.jsonl"], cwd=ROOT, check=True)
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [*scrapy, "pise", str(folder), "--port", port, "--no-clicks"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        server.stdout.readline()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def judged(crawl: Crawl, gamma: float) -> Callable[[str], bool | None]:
    """What its judge thinks now; None of what was not fetched."""
    known = crawl.judge.relevance
    return lambda url: None if (relevance := known(url)) is None else relevance > gamma


def crawled(topic: Topic, desk: Desk, fetches: int) -> tuple[list[str], Crawl]:
    config = unending(desk.config, desk.config.crawl.gamma)
    given = given_of(config, topic, vector_of=desk.vector_of)
    crawl = crawl_of(config, given, ORDERS["semrank"](given), MemoryFrontier(config.frontier))
    crawl.seed([Candidate(*key_of(url)[:1], url, key_of(url)[1], 0) for url in topic.seeds])
    urls: list[str] = []
    while len(urls) < fetches and (entry := crawl.next(lambda host: True)) is not None:
        fetched = desk.fetch(entry.candidate.url)
        learn(crawl, entry.candidate, fetched)
        if fetched.responded:
            urls.append(fetched.final_url)
    return urls, crawl


def measured(urls: Sequence[str], relevant: frozenset[str], aside: frozenset[str]) -> float:
    left, seen = [], set(aside)
    for url in urls:
        if url not in aside:
            left.append((url, url in relevant and url not in seen))
            seen.add(url)
    size = len(relevant - aside)
    hits = tuple(hit for _, hit in left)[: SPAN * size]
    return area(Trace(tuple(url for url, _ in left)[: SPAN * size], hits, size, SPAN * size)) or 0.0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--world", default=str(WIKISPEEDIA))
    parser.add_argument("--half", choices=("tuned", "other", "both"), default="both")
    parser.add_argument("--harvest", type=int, default=1500)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--out", type=Path, default=None, help="where the harvest is kept, and lessons")
    args = parser.parse_args()
    threadpool_limits(1)
    config = read_config(Settings())
    library = Library(library_path(args.world, config.page))
    with office(args.world, config, 1) as pool:
        read_pages(pool, library, list(open_world(args.world).urls()), lambda done, count: None)
    desk = Desk(args.world, config)
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.out or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        texts = {url: page.text for url in desk.world.urls() if (page := desk.fetch(url).page) is not None}
        with by_words(texts) as words, ours(folder / "jobs", args.world, args.harvest) as pise:
            table = folder / "engines.toml"
            row = '[{}]\nkind = "{}"\nurl = "{}"\npause = 0\n'
            table.write_text(
                row.format("pise", "pise", pise)
                + row.format("words", "searxng", words)
                + row.format("poor", "searxng", f"{words}/poor")
            )
            compare(desk, args.world, args.half, args.seeds, config, table)


def compare(desk: Desk, world: str, half: str, most: int, config: Config, table: Path) -> None:
    told = replace(config, engines=replace(config.engines, engines=str(table)), run=replace(config.run, world=world))
    asking = Asking(told, "bench")
    asking.learned.unlink(missing_ok=True)
    areas: dict[tuple[str, str], list[float]] = {}
    truth: dict[str, list[float]] = {}
    for want in wanted(world, half):
        heard, _ = asking.ask(want.words)
        said = asking.said(want.words, heard)
        weights = asking.performance(want.words, asking.engines)
        seeds: dict[str, tuple[str, ...]] = {"by hand": want.seeds}
        for name in NAMES:
            alone = [answer for answer in heard.answers if answer.engine == name]
            seeds[name] = tuple(one.url for one in fused(alone, {name: 1.0}, most))
            truth.setdefault(name, []).append(
                mean(float(url in want.relevant) for url in seeds[name]) if seeds[name] else 0.0
            )
        seeds["fused"] = tuple(one.url for one in asking.suggested(want.words, heard, most))
        alike = fused(heard.answers, dict.fromkeys(NAMES, 1.0), most)
        seeds["fused by rank alone"] = tuple(one.url for one in alike)
        aside = frozenset(url for urls in seeds.values() for url in urls)
        fetches = SPAN * len(want.relevant) + len(aside)
        row: dict[str, object] = {}
        had: dict[tuple[str, ...], list[str]] = {}
        for way in WAYS:
            if seeds[way] not in had or way == "fused":
                had[seeds[way]], crawl = crawled(Topic(want.words, seeds[way]), desk, fetches)
            urls = had[seeds[way]]
            both = {"all": measured(urls, want.relevant, frozenset()), "rest": measured(urls, want.relevant, aside)}
            for part, value in both.items():
                areas.setdefault((part, way), []).append(value)
            row[way] = [round(value, 3) for value in both.values()]
            row[f"relevant of {way}"] = (
                round(mean(float(url in want.relevant) for url in seeds[way]), 2) if seeds[way] else None
            )
            if way == "fused":
                lesson(told, replace(said, seeds=seeds[way]), judged(crawl, config.crawl.gamma))
        row["weights"] = {name: round(share, 2) for name, share in weights.items()}
        print(json.dumps({"topic": want.words, "R": len(want.relevant - aside), **row}), flush=True)
    for (part, way), found in sorted(areas.items()):
        print(json.dumps({"figure": f"AUC of {part}, {way}", "value": round(mean(found), 3), "topics": len(found)}))
    for name, found in truth.items():
        lessons = [one for one in Performance.read(asking.learned).lessons if one.engine == name]
        share = sum(one.relevant for one in lessons) / max(1, sum(one.named for one in lessons))
        figure = {"figure": f"relevant of the first {most}, {name}", "value": round(mean(found), 3)}
        print(json.dumps({**figure, "as learned": round(share, 3)}))


if __name__ == "__main__":
    main()
