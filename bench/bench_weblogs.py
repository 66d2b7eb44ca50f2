"""``scrapy learn`` on generated logs of 0.2, 2 and 20 million clicks: time, memory, and that time grows with clicks.

    python bench/bench_weblogs.py [MILLIONS …]        (default: 0.2 2; give 0.2 2 20 for all)

A log like a search engine's: Zipf's law over topics, queries and pages, one user in many topics, one click in fifty on
one of ten pages that everybody clicks. Each size is learned in a process of its own, so memory is that size's peak.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.page import canonical_url, normalise_query
from fcacrawler.weblogs import LearnOptions, Thresholds, learn

MILLION = 1_000_000
CHUNK = 500_000
SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


def word(numbers: np.ndarray) -> np.ndarray:
    """A made-up word for each number."""
    syllables = np.array(SYLLABLES, dtype=object)
    n = len(syllables)
    return syllables[numbers % n] + syllables[numbers // n % n] + syllables[numbers // n // n % n]


def generate(folder: Path, clicks: int) -> tuple[Path, Path]:
    """A log and its links. Users, topics, queries and pages grow with the clicks."""
    rng = np.random.default_rng(1)
    log, links = folder / "log.tsv", folder / "links.tsv"
    topics, users = clicks // 100, clicks // 30
    with log.open("w") as file:
        file.write("user\ttime\tquery\tstep\turl\n")
        for start in range(0, clicks, CHUNK):
            n = min(CHUNK, clicks - start)
            topic = zipf(rng, n, topics)
            first, second, third = (word(topic * 3 + zipf(rng, n, 3 + i)) for i in range(3))
            length = rng.integers(1, 4, n)
            query = first + np.where(length > 1, " " + second, "") + np.where(length > 2, " " + third, "")
            page = np.where(rng.random(n) < 0.02, rng.integers(0, 10, n), 10 + topic * 12 + zipf(rng, n, 12))
            user = rng.integers(0, users, n)
            rows = zip(user.tolist(), range(start, start + n), query.tolist(), page.tolist(), strict=True)
            file.writelines(f"u{u}\t{t}\t{q}\t1\thttp://www.example/{p}\n" for u, t, q, p in rows)
    with links.open("w") as file:
        n = clicks // 4
        source = rng.integers(10, 10 + topics * 12, n)
        target = np.where(rng.random(n) < 0.05, rng.integers(0, 10, n), source - source % 12 + rng.integers(0, 24, n))
        rows = zip(source.tolist(), target.tolist(), strict=True)
        file.writelines(f"http://www.example/{a}\thttp://www.example/{b}\n" for a, b in rows)
    return log, links


def zipf(rng: np.random.Generator, n: int, size: int) -> np.ndarray:
    """n numbers below size, number k about as often as 1/(k + 1)."""
    return np.minimum((size + 1) ** rng.random(n) - 1, size - 1).astype(np.int64)


def measure(folder: str) -> None:
    """In a process of its own: learn, and tell time and memory."""
    log, links = Path(folder) / "log.tsv", Path(folder) / "links.tsv"
    edges = (tuple(line.rstrip("\n").split("\t")) for line in links.open())
    wall, cpu = time.monotonic(), time.process_time()
    found = learn(
        [log],
        edges,  # type: ignore[arg-type]
        Path(folder) / "omega.parquet",
        lambda query: normalise_query(query, "en"),
        canonical_url,
        LearnOptions(),
        Thresholds(),
        progress=lambda m: (
            print(f"  {time.monotonic() - wall:6.1f} s {m}", file=sys.stderr) if "lines" not in m else None
        ),
    )
    print(
        json.dumps(
            {
                "clicks": found.clicks,
                "keywords": found.keywords,
                "isa": found.isa,
                "part_of": found.part_of,
                "links": found.links,
                "wall": time.monotonic() - wall,
                "cpu": time.process_time() - cpu,
                "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


def main(millions: list[float]) -> None:
    results = []
    for size in millions:
        with TemporaryDirectory() as folder:
            generate(Path(folder), int(size * MILLION))
            run = subprocess.run(
                [sys.executable, __file__, "--measure", folder], stdout=subprocess.PIPE, check=True, text=True
            )
        results.append(json.loads(run.stdout))
        print(size, "million:", run.stdout.strip())
    first, last = results[0], results[-1]
    ratio = (last["cpu"] / last["clicks"]) / (first["cpu"] / first["clicks"])
    figures = [
        ("weblogs.learn.seconds", last["wall"], 600.0, last["wall"] / 600),
        ("weblogs.learn.megabytes", last["megabytes"], 4096.0, last["megabytes"] / 4096),
        (
            "weblogs.learn.cpu_per_click.large_to_small",
            last["cpu"] / last["clicks"],
            first["cpu"] / first["clicks"],
            ratio,
        ),
    ]
    for name, value, against, r in figures:
        print(json.dumps({"figure": name, "value": value, "against": against, "ratio": round(r, 3)}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2])
    else:
        main([float(a) for a in sys.argv[1:]] or [0.2, 2])
