"""``scrapy learn`` on generated logs of 0.2, 2 and 20 million clicks: time, memory, and that time grows with clicks.

    python bench/bench_weblogs.py [MILLIONS …] [--parts 1 4 16] [--memory 3GB]      (default: 0.2 2; 0.2 2 20 for all)

A log like a search engine's: Zipf's law over topics, queries and pages, one user in many topics, one click in fifty on
one of ten pages that everybody clicks. Each size is learned in a process of its own, so memory is that size's peak.
With ``--parts`` the same log is learned in so many parts each, and what is learned must be the same.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.page import canonical_url, normalise_query
from fcacrawler.weblogs import LearnOptions, Thresholds, learn, links_in, pairs_of

MILLION = 1_000_000
CHUNK = 500_000
SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


def word(numbers: np.ndarray) -> np.ndarray:
    """A made-up word for each number."""
    syllables = np.array(SYLLABLES, dtype=object)
    n = len(syllables)
    return syllables[numbers % n] + syllables[numbers // n % n] + syllables[numbers // n // n % n]


def generate(folder: Path, clicks: int) -> tuple[Path, Path]:
    """A log and its links, zipped. Users, topics, queries and pages grow with the clicks."""
    rng = np.random.default_rng(1)
    log, links = folder / "log.tsv.gz", folder / "links.tsv.gz"
    topics, users = clicks // 100, clicks // 30
    with gzip.open(log, "wb", compresslevel=1) as file:
        file.write(b"user\ttime\tquery\tstep\turl\n")
        for start in range(0, clicks, CHUNK):
            n = min(CHUNK, clicks - start)
            topic = zipf(rng, n, topics)
            first, second, third = (word(topic * 3 + zipf(rng, n, 3 + i)) for i in range(3))
            length = rng.integers(1, 4, n)
            query = first + np.where(length > 1, " " + second, "") + np.where(length > 2, " " + third, "")
            page = np.where(rng.random(n) < 0.02, rng.integers(0, 10, n), 10 + topic * 12 + zipf(rng, n, 12))
            user = rng.integers(0, users, n)
            rows = zip(user.tolist(), range(start, start + n), query.tolist(), page.tolist(), strict=True)
            file.write("".join(f"u{u}\t{t}\t{q}\t1\thttp://www.example/{p}\n" for u, t, q, p in rows).encode())
    with gzip.open(links, "wb", compresslevel=1) as file:
        for start in range(0, clicks // 4, CHUNK):
            n = min(CHUNK, clicks // 4 - start)
            source = rng.integers(10, 10 + topics * 12, n)
            near = source - source % 12 + rng.integers(0, 24, n)
            target = np.where(rng.random(n) < 0.05, rng.integers(0, 10, n), near)
            rows = zip(source.tolist(), target.tolist(), strict=True)
            file.write("".join(f"http://www.example/{a}\thttp://www.example/{b}\n" for a, b in rows).encode())
    return log, links


def zipf(rng: np.random.Generator, n: int, size: int) -> np.ndarray:
    """n numbers below size, number k about as often as 1/(k + 1)."""
    return np.minimum((size + 1) ** rng.random(n) - 1, size - 1).astype(np.int64)


def measure(folder: str, parts: int, memory: str) -> None:
    """In a process of its own: learn, and tell time and memory."""
    out = Path(folder) / f"omega{parts}.parquet"
    log, links = Path(folder) / "log.tsv.gz", Path(folder) / "links.tsv.gz"
    edges = links_in(links, lambda url, body, kind: ())
    wall, cpu = time.monotonic(), time.process_time()
    found = learn(
        [log],
        edges,
        out,
        lambda query: normalise_query(query, "en"),
        canonical_url,
        LearnOptions(parts=parts, memory=memory),
        Thresholds(),
        progress=lambda m: (
            print(f"  {time.monotonic() - wall:6.1f} s {m}", file=sys.stderr) if "lines" not in m else None
        ),
    )
    print(
        json.dumps(
            {
                "clicks": found.clicks,
                "parts": parts,
                "memory": memory,
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


def told(out: Path) -> list[int]:
    """Numbers of all that was learned: of Ω's rows, and of the pairs of pages."""
    return [int(pd.util.hash_pandas_object(pd.read_parquet(path)).sum()) for path in (out, pairs_of(out))]


def figure_line(name: str, value: float, against: float, ratio: float) -> str:
    return json.dumps({"figure": name, "value": value, "against": against, "ratio": round(ratio, 3)})


def main(millions: list[float], parts: list[int], memory: str) -> None:
    results = []
    for size in millions:
        of_size = []
        with TemporaryDirectory() as folder:
            generate(Path(folder), int(size * MILLION))
            for n in parts:
                run = subprocess.run(
                    [sys.executable, __file__, "--measure", folder, str(n), memory],
                    stdout=subprocess.PIPE,
                    check=True,
                    text=True,
                )
                of_size.append(json.loads(run.stdout) | {"told": told(Path(folder) / f"omega{n}.parquet")})
                print(size, "million:", run.stdout.strip(), flush=True)
        for other in of_size[1:]:
            assert other["told"] == of_size[0]["told"], "what is learned in parts is not what the whole says"
            for name in ("cpu", "megabytes"):
                figure, ratio = f"weblogs.learn.{name}.parts_{other['parts']}", other[name] / of_size[0][name]
                print(figure_line(figure, other[name], of_size[0][name], ratio))
        results.append(of_size[0])
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
        print(figure_line(name, value, against, r))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        given = argparse.ArgumentParser(description=__doc__)
        given.add_argument("millions", nargs="*", type=float, default=[0.2, 2])
        given.add_argument("--parts", nargs="+", type=int, default=[1], metavar="N")
        given.add_argument("--memory", default="3GB")
        main(**vars(given.parse_args()))
