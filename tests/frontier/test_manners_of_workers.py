"""What all workers of a crawl in Redis keep together: pauses of hosts, and budgets of hosts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import pytest
from aiohttp import web

from tests.redis_server import serving as redis_serving
from tests.site import page, serving

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow

PAUSE = 3.0


def two_workers(seeds: str, settings: Sequence[str], redis: str, folder: Path) -> list[Path]:
    """Their files of pages, once both have ended well."""
    settings = [*settings, "AUTOTHROTTLE_ENABLED=0", "ROBOTSTXT_OBEY=0", "FCA_PROGRESS=off", f"FCA_FRONTIER={redis}"]
    settings += ["LOG_LEVEL=ERROR", "FCA_VECTORS=none", "FCA_TRAPS=0"]
    command = [sys.executable, "-m", "scrapy", "crawl", "semrank", "-a", "topic=tea", "-a", f"seeds={seeds}"]
    command += ["-a", "order=bfs", *(x for s in settings for x in ("-s", s))]
    outs = [folder / f"{n}.jsonl" for n in range(2)]
    workers = [subprocess.Popen([*command, "-o", str(out)], cwd=ROOT, stderr=subprocess.PIPE) for out in outs]
    told = [worker.communicate(timeout=120)[1] for worker in workers]
    assert [w.returncode for w in workers] == [0, 0], told
    return outs


def test_what_one_worker_was_told_the_others_keep(tmp_path: Path) -> None:
    refused: list[float] = []

    async def busy(request: web.Request) -> web.Response:
        if not refused:
            refused.append(monotonic())
            return web.Response(status=429, headers={"Retry-After": str(int(PAUSE))})
        return web.Response(text=page("At last"), content_type="text/html")

    many = {f"/{n}": page(f"Page {n}") for n in range(40)}
    with serving({**many, "/first": busy}, "127.0.0.2") as tired, serving(many) as other, redis_serving() as redis:
        links = {site.url(f"/{n}"): f"page {n}" for n in range(40) for site in (tired, other)}
        tired.pages["/first"], other.pages["/"] = busy, page("Start", links=links)
        outs = two_workers(f"{tired.url('/first')},{other.url('/')}", ["DOWNLOAD_DELAY=0.1"], redis.url, tmp_path)
        until = refused[0] + PAUSE
        assert [path for at, path in tired.hits if refused[0] < at < until - 0.05] == []
        assert sum(refused[0] < at < until for at, _ in other.hits) > 5
        assert sorted(tired.fetched) == sorted([*many, "/first", "/first"])
        assert sorted(other.fetched) == sorted([*many, "/"])
    assert sum(len(out.read_text().splitlines()) for out in outs) == 82


@pytest.mark.parametrize("rule", ["HOST", "SITE"])
def test_a_host_gives_all_workers_together_as_many_pages_as_it_may(rule: str, tmp_path: Path) -> None:
    many = {f"/{n}": page(f"Page {n}") for n in range(60)}
    with serving(many, "127.0.0.2") as one, serving(many) as other, redis_serving() as redis:
        links = {site.url(f"/{n}"): f"page {n}" for n in range(60) for site in (one, other)}
        other.pages["/"] = page("Start", links=links)
        settings = [f"FCA_{rule}_PAGES=12", "DOWNLOAD_DELAY=0", "CONCURRENT_REQUESTS_PER_DOMAIN=8"]
        outs = two_workers(f"{one.url('/0')},{other.url('/')}", settings, redis.url, tmp_path)
        assert (len(one.fetched), len(other.fetched)) == (12, 12)
    assert sum(len(out.read_text().splitlines()) for out in outs) == 24
