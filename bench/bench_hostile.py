"""What hostile answers cost: each is crawled in a process of its own together with a plain page, beside the plain page
alone; with the project's settings, but 10 s for DOWNLOAD_TIMEOUT and no retries.

    python bench/bench_hostile.py [/gzip /links …]      # rows of tests/hostile/answers.py; by default all
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.hostile.answers import ENTRANCES, MARKED_UP, SENT, TRAPS
from tests.hostile.crawling import Crawled, crawl
from tests.hostile.server import serving

LONG = {"DOWNLOAD_TIMEOUT": 10, "FCA_SITEMAPS": 1000, "FCA_PATIENCE": 0}
HOSTS = [f"127.0.0.{n}" for n in (2, 3, 4, 5)]


def main(wanted: list[str]) -> None:
    rows = [path.replace("*", "1") for path in (*SENT, *MARKED_UP) if path[0] == "/"]
    rows += [*ENTRANCES, *(f"{host}/start" for host in HOSTS)]
    with serving({**MARKED_UP, **SENT, **TRAPS}) as site:

        def crawled(*rows: str) -> Crawled:
            seeds = [f"http://{row}" if row[0] != "/" else site.url(row) for row in rows]
            seeds = [seed.replace("/start", f":{site.port}/start") for seed in seeds]
            with tempfile.TemporaryDirectory() as folder:
                return crawl(Path(folder), seeds, LONG, order="bfs", deny="/404/")

        plain = [crawled("/plain") for _ in range(3)]
        cpu, megabytes, seconds = (min(getattr(c, name) for c in plain) for name in ("cpu", "megabytes", "seconds"))
        for row in wanted or rows:
            before = site.sent.total()
            found = crawled("/plain", row)
            figure = {
                "figure": f"megabytes: {row}",
                "value": round(found.megabytes),
                "against": round(megabytes),
                "ratio": round(found.megabytes / megabytes, 2),
                "more CPU s": round(found.cpu - cpu, 2),
                "more s": round(found.seconds - seconds, 1),
                "sent MB": round((site.sent.total() - before) / (1 << 20), 2),
                "pages": found.stats["fca/pages"],
            }
            print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
