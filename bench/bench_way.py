"""One page's way through the house: how many of our functions are called, in how many modules, and how often the way
changes from one room (folder of the package) to another. A crawl of the demo web, one request at a time; the median
page."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME))

from fcacrawler.scheduler import FocusedScheduler  # noqa: E402
from fcacrawler.spiders.semrank import SemRankSpider  # noqa: E402
from tests.crawling import crawl  # noqa: E402

PACKAGE = str(HOME / "fcacrawler") + "/"
BEFORE = (4120.0, 79.0, 425.5)  # of the first house (c626467), by this script
FIRST = 60  # pages that are left out: what is loaded and compiled once


class Way:
    """Calls of our functions between two requests."""

    def __init__(self) -> None:
        self.pages: list[tuple[int, int, int]] = []
        self._clear()

    def _clear(self) -> None:
        self.calls, self.changes, self.room = 0, 0, ""
        self.modules: set[str] = set()

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith(PACKAGE):
            return
        module = name[len(PACKAGE) :]
        room = module.partition("/")[0]
        self.calls += 1
        self.changes += room != self.room
        self.room = room
        self.modules.add(module)

    def next_page(self) -> None:
        self.pages.append((self.calls, len(self.modules), self.changes))
        self._clear()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=160)
    args = parser.parse_args()
    way, plain = Way(), FocusedScheduler.next_request

    def next_request(self: FocusedScheduler) -> Any:
        request = plain(self)
        if request is not None:
            way.next_page()
        return request

    FocusedScheduler.next_request = next_request  # type: ignore[method-assign]
    settings = {"FCA_WORLD": "demo", "CONCURRENT_REQUESTS": 1, "FCA_VECTORS": "static"}
    sys.setprofile(way)
    crawl(SemRankSpider, settings, topic="auto racing", pages=str(args.pages))
    sys.setprofile(None)
    found = [median(column) for column in zip(*way.pages[FIRST:], strict=True)]
    for name, value, before in zip(("calls", "modules", "changes_of_room"), found, BEFORE, strict=True):
        figure = {"figure": f"way/{name}", "value": value, "against": before, "ratio": round(value / before, 3)}
        print(json.dumps(figure))


if __name__ == "__main__":
    main()
