"""A server that answers 429 and 503 at random: are all pages fetched, at what cost?

    python bench/bench_manners.py [--unreliable 0.2] [--world demo] [--pages 1000]

So many pages of the world, evenly chosen, are seeds and no link is followed, over HTTP on loopback (``scrapy world
serve``, used as a proxy); beside it the same crawl of a server that answers always.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from fcacrawler.worlds import open_world  # noqa: E402

SETTINGS = (
    "DOWNLOAD_DELAY=0",
    "AUTOTHROTTLE_ENABLED=0",
    "CONCURRENT_REQUESTS_PER_DOMAIN=8",
    "ROBOTSTXT_OBEY=0",
    "FCA_PROGRESS=off",
    "STATS_DUMP=1",
    "LOG_LEVEL=INFO",
)


def crawl(world: str, unreliable: float, folder: Path) -> tuple[set[str], dict[str, str], float]:
    """URLs of the items, the crawl's statistics, seconds."""
    command = [sys.executable, "-m", "scrapy", "world", "serve", world, "--port", "0", "--unreliable", str(unreliable)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = re.search(r"127\.0\.0\.1:(\d+)", server.stdout.readline())
        assert port is not None, "the server does not start"
        out = folder / f"{unreliable}.jsonl"
        arguments = [
            "-a",
            "topic=auto racing",
            "-a",
            f"seeds={folder / 'seeds.txt'}",
            "-a",
            "allow=^$",
            "-a",
            "order=bfs",
        ]
        began = monotonic()
        told = subprocess.run(
            [sys.executable, "-m", "scrapy", "crawl", "semrank", *arguments, "-O", str(out)]
            + [x for s in SETTINGS for x in ("-s", s)],
            cwd=ROOT,
            env={**os.environ, "http_proxy": f"http://127.0.0.1:{port[1]}"},
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        ).stderr
        seconds = monotonic() - began
    finally:
        server.terminate()
        server.wait()
    stats = dict(re.findall(r"'([\w./]+)': ([^,}\n]+)", told))
    return {json.loads(line)["url"] for line in out.open()}, stats, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unreliable", type=float, default=0.2)
    parser.add_argument("--world", default="demo")
    parser.add_argument("--pages", type=int, default=1000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        urls = list(open_world(chosen.world).urls())
        urls = urls[:: max(1, len(urls) // chosen.pages)][: chosen.pages]
        (folder / "seeds.txt").write_text("\n".join(urls))
        always, _, plain = crawl(chosen.world, 0.0, folder)
        found, stats, seconds = crawl(chosen.world, chosen.unreliable, folder)
    status = Counter({k[-3:]: int(v) for k, v in stats.items() if "/response_status_count/" in k})
    print(f"{len(urls)} pages; statuses {dict(status)}", file=sys.stderr)
    refused = status["429"] + status["503"]
    for figure, value, against in (
        (f"pages fetched at P = {chosen.unreliable}; at P = 0", len(found), len(always)),
        ("pages missing", len(always - found), 0),
        ("answers 429 and 503; all answers", refused, sum(status.values())),
        ("seconds; at P = 0", round(seconds, 1), round(plain, 1)),
    ):
        ratio = round(value / against, 3) if against else None
        print(json.dumps({"figure": figure, "value": value, "against": against, "ratio": ratio}))


if __name__ == "__main__":
    main()
