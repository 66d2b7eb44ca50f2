"""Three rounds of people through PISE: engines are asked, it crawls, people search and click, and it crawls again.

usage: bench_rounds.py [--world ../shared/worlds/wikispeedia] [--topics a,b] [--rounds 3] [--users 40] [--out FOLDER]
                       [--silent]

All of it through the page's own door: a ``scrapy pise`` that knows the three engines of bench_engines.py is asked for a
crawl by words alone, in each round for every topic; then its users search that crawl's harvest, each with the title of
a relevant page and with the topic's words and one of its keywords, look at the first ten, and open what is relevant
(four times in five) and sometimes what is not (once in twenty). What is learned of clicks and engines is what PISE
learns by itself. ``--silent``: nobody clicks, so that what is left is what came of the engines' lessons and of chance.
The area is that under recall by labels over 2 R fetches.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from statistics import mean
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from scrapy.settings import Settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench.bench_engines import ROOT, SPAN, WIKISPEEDIA, by_words, measured, ours
from fcacrawler.app.config import read_config
from fcacrawler.evaluation.comparison import office, read_pages
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.run import Desk
from fcacrawler.page import canonical_url
from fcacrawler.worlds import open_world

CLICKED, ERRED = 0.8, 0.05
PATIENCE = 900.0  # seconds for a crawl
INPUT, ATTRIBUTE = re.compile(r"<input [^>]*>"), re.compile(r'(\w+)="([^"]*)"')
TAKEN = re.compile(r'name="offer"| checked')


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@dataclass
class Door:
    """PISE as a program asks it."""

    base: str

    def ask(self, path: str, form: dict[str, str] | None = None, cookie: str = "0" * 16) -> tuple[int, str, str]:
        """Status, where it leads, and what it says."""
        data = urlencode(form).encode() if form is not None else None
        request = Request(self.base + path, data, {"X-Pise": "1", "Cookie": f"pise={cookie}"})
        opener = build_opener(NoRedirect)
        opener.addheaders = []
        try:
            with opener.open(request, timeout=60) as answer:
                return answer.status, "", answer.read().decode()
        except OSError as error:
            if not hasattr(error, "headers"):
                raise
            return error.code, error.headers.get("Location", ""), error.read().decode()  # type: ignore[attr-defined]

    def crawl(self, words: str, pages: int) -> str:
        """Its name, when it has ended and can be searched. It begins with the pages that are offered and ticked."""
        asked = {"topic": words, "pages": str(pages)}
        offered = self.ask("/new", {**asked, "do": "ask"})[2]
        found = [dict(ATTRIBUTE.findall(field)) for field in INPUT.findall(offered) if TAKEN.search(field)]
        ticked = {field["name"]: unescape(field["value"]) for field in found}
        assert any(name.startswith("s") for name in ticked), offered
        status, place, said = self.ask("/new", {**asked, **ticked, "do": "start"})
        assert status == 303, said
        name = place.rpartition("/")[2]
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            time.sleep(2)
            card = json.loads(self.ask(f"/api/crawls/{name}")[2])
            if "error" in card:
                print(name, card["error"], file=sys.stderr, flush=True)
            elif not card["alive"] and max(card["course"]["pages"], default=0) >= card["pages"] > 0:
                return name
        raise TimeoutError(name)

    def search(self, name: str, words: str) -> list[dict[str, object]]:
        said = json.loads(self.ask(f"/api/search?{urlencode({'job': name, 'q': words})}")[2])
        found: list[dict[str, object]] = said["hits"]
        return found


@contextmanager
def pise(folder: Path, world: str, engines: Path) -> Iterator[Door]:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    environment = {**os.environ, "FCA_WORLD": str(Path(world).resolve()) if Path(world).exists() else world}
    environment["FCA_ENGINES"] = str(engines)
    command = [sys.executable, "-m", "scrapy", "pise", str(folder), "--port", port]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        server.stdout.readline()
        try:
            yield Door(f"http://127.0.0.1:{port}")
        finally:
            server.terminate()


def clicks(door: Door, name: str, words: str, pages: list[tuple[str, list[str]]], relevant: frozenset[str],
           users: int, dice: random.Random) -> int:  # fmt: skip
    """``pages``: title and keywords of those that people may have in mind. How many clicks there were."""
    count = 0
    for user in range(users):
        title, keywords = dice.choice(pages)
        for query in (title, f"{words} {dice.choice(keywords or [title])}"):
            for hit in door.search(name, query):
                if dice.random() < (CLICKED if hit["url"] in relevant else ERRED):
                    go = {"job": name, "n": str(hit["number"]), "q": query}
                    count += (
                        door.ask(f"/go?{urlencode(go)}", cookie=f"{words[:4].encode().hex():0>8}{user:08}")[0] == 303
                    )
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default=str(WIKISPEEDIA))
    parser.add_argument("--topics", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--users", type=int, default=40)
    parser.add_argument("--harvest", type=int, default=1500)
    parser.add_argument("--out", type=Path, default=None, help="where the harvests are kept")
    parser.add_argument("--silent", action="store_true")
    args = parser.parse_args()
    world, config = open_world(args.world), read_config(Settings())
    chosen = [name for name in world.topics if not args.topics or name in args.topics.split(",")]
    library = Library(library_path(args.world, config.page))
    with office(args.world, config, 1) as pool:
        read_pages(pool, library, list(world.urls()), lambda done, count: None)
    desk = Desk(args.world, config)
    read = {url: page for url in desk.world.urls() if (page := desk.fetch(url).page) is not None}
    relevant = {name: frozenset(map(canonical_url, world.relevant(name))) for name in chosen}
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.out or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        texts = {url: page.text for url, page in read.items()}
        with by_words(texts) as words, ours(folder / "broad", args.world, args.harvest) as engine:
            table = folder / "engines.toml"
            row = '[{}]\nkind = "{}"\nurl = "{}"\npause = 0\n'
            known = (("pise", "pise", engine), ("words", "searxng", words), ("poor", "searxng", f"{words}/poor"))
            table.write_text("".join(row.format(*one) for one in known))
            with pise(folder / "jobs", args.world, table) as door:
                rounds(door, folder / "jobs", args, {n: world.topics[n].words for n in chosen}, relevant, read)


def rounds(door: Door, folder: Path, args: argparse.Namespace, words: dict[str, str],
           relevant: dict[str, frozenset[str]], read: dict[str, object]) -> None:  # fmt: skip
    dice, found = random.Random(1), dict[int, list[float]]()
    meant = {
        name: [(page.title, list(page.keywords)[:3]) for url, page in read.items() if canonical_url(url) in urls]  # type: ignore[attr-defined]
        for name, urls in relevant.items()
    }
    for n in range(1, args.rounds + 1):
        for name, topic in words.items():
            size = len(relevant[name])
            job = door.crawl(topic, SPAN * size)
            urls = [
                canonical_url(json.loads(line)["final_url"]) or "" for line in (folder / job / "pages.jsonl").open()
            ]
            value = measured(urls, relevant[name], frozenset())
            found.setdefault(n, []).append(value)
            count = 0 if args.silent else clicks(door, job, topic, meant[name], relevant[name], args.users, dice)
            told = {"topic": topic, "round": n, "AUC": round(value, 3), "fetched": len(urls), "clicks": count}
            print(json.dumps(told), flush=True)
        time.sleep(0 if args.silent else 20)  # in which it learns
        change = [b - a for a, b in zip(found[1], found[n], strict=True)]
        better = sum(d > 0 for d in change)
        figure = {"figure": f"AUC of round {n}", "value": round(mean(found[n]), 3), "topics": len(change)}
        print(json.dumps({**figure, "against the first": round(mean(change), 3), "better": better}), flush=True)


if __name__ == "__main__":
    main()
