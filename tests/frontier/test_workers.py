"""Several workers, each a process of its own, on one crawl in Redis."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from statistics import mean

import pytest

from bench import bench_silent, bench_workers
from tests.redis_server import serving
from tests.site import Site, page
from tests.spiders.test_crawls import RACING, text

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def test_four_workers_ask_no_host_twice_within_its_delay(site: Site, tmp_path: Path) -> None:
    for n in range(16):
        links = {f"/{2 * n + k}": f"auto racing {2 * n + k}" for k in (1, 2)}
        site.pages["/" if n == 0 else f"/{n}"] = page(f"Auto racing {n}", text(RACING, n), links)
    arguments = ["-a", "topic=auto racing", "-a", f"seeds={site.base}/", "-a", "order=bfs", "-a", "pages=14"]
    settings = ["DOWNLOAD_DELAY=0.5", "AUTOTHROTTLE_ENABLED=0", "FCA_PROGRESS=off", "LOG_LEVEL=ERROR"]
    with serving() as redis:
        options = [x for s in (*settings, f"FCA_FRONTIER={redis.url}") for x in ("-s", s)]
        command = [sys.executable, "-m", "scrapy", "crawl", "semrank", *arguments, *options]
        workers = [
            subprocess.Popen([*command, "-o", str(tmp_path / f"{n}.jsonl")], cwd=ROOT, stderr=subprocess.PIPE)
            for n in range(4)
        ]
        told = [worker.communicate(timeout=120)[1] for worker in workers]
    assert [w.returncode for w in workers] == [0] * 4, told
    assert len(site.fetched) == len(set(site.fetched)) == 14
    assert len(list(tmp_path.glob("*.jsonl"))) > 1
    hits = list(pairwise(site.hits))
    between_workers = [after[0] - before[0] for before, after in hits if before[1] != "/robots.txt"]
    within_one = [after[0] - before[0] for before, after in hits if before[1] == "/robots.txt"]
    assert min(between_workers) >= 0.5
    assert min(within_one) >= 0.4  # Scrapy's own delay, sent exactly, seen here as late as the machine is busy


def test_two_workers_fetch_in_as_good_an_order_as_one_with_as_many_requests_at_once() -> None:
    """By the area under the curve of relevant pages over 4R fetches. Runs of the bench are held to 3 %; the mean of two
    topics, once each, has a standard deviation of 2.5 %."""
    area = bench_workers.measure(["tennis", "cycling"], workers=2, concurrency=4, runs=1)["area"]
    assert bench_workers.mean_of(area, 1) > 0.88 * bench_workers.mean_of(area, 0)


def test_workers_that_fall_silent_do_not_spoil_the_order() -> None:
    """Four were .80 of one when nobody ranked anew what those had ranked (decision 140). Single runs of these topics
    have come to .96 and .97."""
    got = bench_silent.measure(("boxing", "tennis", "cycling"), workers=4, at_once=1, runs=1, often=0.03, long=0.6)
    one, several = (mean(mean(runs[which]) for runs in got.values()) for which in (0, 1))
    assert several > 0.9 * one
