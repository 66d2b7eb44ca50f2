"""The real trial: a portal as seed, many hosts, a topic of a few words; what is flagged is for people to read.

usage: bench_trial.py WORLD OUT [--topics "asyncio event loop" …] [--seed URL] [--pages 200] [--shown 400]

WORLD, best one of many hosts (python -m tests.webs.manuals FOLDER), is served on loopback as a proxy, so that a real
``scrapy crawl`` meets its hosts; https becomes http. All that the crawl is told are words and one seed, the portal.
OUT gets a file a topic, TOPIC.tsv: rank, URL, title and beginning of each flagged page, by what is thought when the
crawl is over, and an empty column for who reads them. Prints how many pages were flagged, and how many of these say
all of the words.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_peers import serve
from bench.bench_polite import Log, Plain, plain
from tests.webs.manuals import DIRECTORY

ROOT = Path(__file__).resolve().parents[1]
TOPICS = ["asyncio event loop", "replication and backup", "regular expressions"]
SETTINGS = {
    "FCA_JS": "never",
    "FCA_PROGRESS": "off",
    "LOG_LEVEL": "ERROR",
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": 0,
}


def crawl(port: int, words: str, seed: str, pages: int) -> list[dict[str, str]]:
    """The items, with what is thought of them when the crawl is over."""
    with TemporaryDirectory() as folder:
        job = f"{folder}/job"
        said = ["-a", f"topic={words}", "-a", f"seeds={seed}", "-a", f"pages={pages}", "-O", f"{folder}/x.jsonl"]
        set_ = [part for name, value in SETTINGS.items() for part in ("-s", f"{name}={value}")]
        scrapy = [sys.executable, "-m", "scrapy"]
        env = {**os.environ, "http_proxy": f"http://127.0.0.1:{port}"}
        subprocess.run(
            [*scrapy, "crawl", "semrank", *said, *set_, "-s", f"JOBDIR={job}"], cwd=ROOT, env=env, check=True
        )
        told = subprocess.run([*scrapy, "export", job], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in told.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world")
    parser.add_argument("out", type=Path)
    parser.add_argument("--topics", nargs="+", default=TOPICS)
    parser.add_argument("--seed", default=DIRECTORY)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--shown", type=int, default=400, help="characters of a page's text")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    port = serve(given.world, Log(), Plain)
    for words in given.topics:
        items = crawl(port, words, plain(given.seed), given.pages)
        flagged = sorted((i for i in items if i["relevant"]), key=lambda i: -float(i["semrank"]))
        rows = ["right\trank\turl\ttitle\ttext"]
        for item in flagged:
            text = " ".join(str(item.get("text", "")).split())[: given.shown]
            rows.append(f"\t{float(item['semrank']):.3f}\t{item['url']}\t{' '.join(item['title'].split())}\t{text}")
        (given.out / f"{words.replace(' ', '-')}.tsv").write_text("\n".join(rows) + "\n", "utf-8")
        stems = [word[:6].lower() for word in re.findall(r"\w{4,}", words)]
        said = sum(all(stem in f"{i['title']} {i.get('text', '')}".lower() for stem in stems) for i in flagged)
        found = {"figure": f"trial: {words}", "pages": len(items), "flagged": len(flagged), "say all words": said}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
