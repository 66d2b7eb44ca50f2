"""The feeds of a crawl that was killed, and goes on, are whole."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp import web

from tests.extensions.test_feeds import READ
from tests.site import Site

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow
ALL = 41


def test_after_kill_9_feeds_of_every_format_are_whole_and_nothing_added_to_is_lost(town: Site, tmp_path: Path) -> None:
    added_to = tmp_path / "added.csv"
    added_to.write_text("url,title\r\nhttp://before,\r\n", newline="")
    feeds = {
        str(tmp_path / name): {"format": name.split(".")[1], "overwrite": True} for name in READ if "gz" not in name
    }
    feeds[str(added_to)] = {"format": "csv"}
    settings = {"FEEDS": json.dumps(feeds), "JOBDIR": str(tmp_path / "job"), "DOWNLOAD_DELAY": "0"}
    settings |= {"AUTOTHROTTLE_ENABLED": "0", "FCA_PROGRESS": "off", "CONCURRENT_REQUESTS": "4", "ROBOTSTXT_OBEY": "0"}
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "semrank",
        "-a",
        "topic=auto racing",
        "-a",
        f"seeds={town.base}",
    ]
    command += ["-a", "gamma=0", *(x for name, value in settings.items() for x in ("-s", f"{name}={value}"))]
    running: list[subprocess.Popen[bytes]] = []

    def killing(html: str) -> object:
        async def answer(request: web.Request) -> web.Response:
            if running:
                running.pop().kill()
            return web.Response(text=html, content_type="text/html")

        return answer

    for path in ("/race/3", "/race/1/b", "/cook/2"):
        html = town.pages[path]
        assert isinstance(html, str)
        town.pages[path] = killing(html)  # type: ignore[assignment]
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
        running.append(process)
        assert process.wait(120) == -9
        town.pages[path] = html
    subprocess.run(command, cwd=ROOT, check=True, stderr=subprocess.DEVNULL, timeout=120)
    asked = {town.url(path) for path in town.fetched}
    assert len(asked) == ALL
    for feed in feeds:
        urls = READ[f"x{Path(feed).suffix}"](Path(feed))
        if feed == str(added_to):  # rows that the last commits before a kill lack are there twice
            assert {*urls} == {"http://before", *asked}
        else:
            assert (len(urls), set(urls)) == (ALL, asked), feed
