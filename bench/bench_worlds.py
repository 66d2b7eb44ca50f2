"""What offline webs cost: a page of the demo web, opening it, indexing and opening a large WARC, one of its pages."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import sys
import tempfile
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.worlds import World, open_world

BODY = 20_000  # bytes of a page that does not compress
HEAD = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:{n:032x}>\r\n"
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % BODY


def figure(name: str, value: float, against: float) -> None:
    ratio = value / against
    print(json.dumps({"figure": name, "value": round(value, 4), "against": against, "ratio": round(ratio, 3)}))


def large_warc(path: Path, size: int) -> int:
    """Write a WARC of about this size; answer how many pages it has."""
    body = HTTP + os.urandom(BODY)
    count = size // BODY
    with path.open("wb") as out:
        for n in range(count):
            head = HEAD.format(url=f"http://host{n % 500}.test/page/{n}", n=n)
            head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
            out.write(gzip.compress(head.encode() + body + b"\r\n\r\n", 1))
    return count


def timed_pages(world: World, step: int) -> float:
    """CPU ms a page, every so many pages."""
    urls = list(world.urls())[::step]
    begin = process_time()
    for url in urls:
        world.answer(url)
    return (process_time() - begin) / len(urls) * 1000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--gigabytes", type=float, default=0.2, help="size of the WARC (default: 0.2)")
    gigabytes = options.parse_args().gigabytes
    begin = process_time()
    demo = open_world("demo")
    figure("demo: CPU s to open 4,737 pages", process_time() - begin, 1.0)
    figure("demo: CPU ms a page", timed_pages(demo, 4), 1.0)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        file = Path(folder) / "pages.warc.gz"
        print(f"writing {gigabytes} GB", file=sys.stderr)
        large_warc(file, int(gigabytes * 1e9))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        begin = process_time()
        open_world(str(file)).close()
        figure("WARC: CPU s to index a GB", (process_time() - begin) / gigabytes, 60.0)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        figure("WARC: MB of memory to index", grown, 100.0)
        begin = process_time()
        world = open_world(str(file))
        figure("WARC: CPU s to open once indexed", process_time() - begin, 5.0)
        figure("WARC: CPU ms a page", timed_pages(world, 50), 1.0)
        world.close()


if __name__ == "__main__":
    main()
