"""What ``scrapy crawl semrank`` does, in a process of its own, with names that resolve as the test wants, and with its
stats, its dropped links and what it cost written down at the end.

    python run.py OUT.json '{"settings": {…}, "arguments": {…}, "names": {"inner.test": "127.0.0.3"}}'
"""

from __future__ import annotations

import json
import re
import resource
import socket
import sys
from pathlib import Path
from time import process_time

from scrapy.crawler import CrawlerProcess
from scrapy.utils.project import get_project_settings

from fcacrawler.addon import focus_of

CPU = 150  # seconds that no crawl of these takes half of


def main(out: Path, told: dict[str, dict[str, str]]) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
    _name_hosts(told["names"])
    settings = get_project_settings()
    settings.update(told["settings"], priority="cmdline")
    process = CrawlerProcess(settings)
    crawler = process.create_crawler("semrank")
    process.crawl(crawler, **told["arguments"])
    process.start()
    came_of_it = {
        "stats": crawler.stats.get_stats(),
        "dropped": focus_of(crawler).parts.crawl.sieve.dropped,
        "megabytes": most_memory() / 1024,
        "cpu": process_time(),
    }
    out.write_text(json.dumps(came_of_it, default=str))


def _name_hosts(names: dict[str, str]) -> None:
    """Names of .test resolve as the test wants, without a network."""

    def address(name: str) -> str:
        if str(name).endswith(".test") and name not in names:
            raise socket.gaierror(socket.EAI_NONAME, "a name of nobody")
        return names.get(name, name)

    one, many = socket.gethostbyname, socket.getaddrinfo
    socket.gethostbyname = lambda name: one(address(name))
    socket.getaddrinfo = lambda name, *how, **more: many(address(name), *how, **more)


def most_memory() -> int:
    """kB at most. ru_maxrss counts what the process that started this one had, so it is asked only without /proc."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s*(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
