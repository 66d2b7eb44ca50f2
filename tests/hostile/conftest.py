"""One site with everything hostile on it, and the crawls of it that the rows look at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.answers import ENTRANCES, MARKED_UP, NAMES, SENT, TRAPS, inside
from tests.hostile.crawling import Crawled, crawl
from tests.hostile.server import Site, serving


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    with serving({**MARKED_UP, **SENT, **TRAPS}) as site:
        site.answers |= inside(site.port)
        yield site


@pytest.fixture(scope="package")
def read(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """Pages with something wrong in them, and where they lead."""
    paths = [path.replace("*", "1") for path in MARKED_UP]
    paths += [path for path in inside(0) if path.startswith(("/places", "/re"))]
    settings = {"DOWNLOAD_TIMEOUT": 30}
    return crawl(tmp_path_factory.mktemp("read"), map(site.url, paths), settings, NAMES, order="bfs", deny="/404/")


@pytest.fixture(scope="package")
def sent(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """Answers that are too much, too slow or broken on the way; robots.txt and sitemaps of all kinds."""
    seeds = [site.url(path) for path in SENT if path[0] == "/"]
    seeds += [site.url("/start", f"127.0.0.{n}") for n in (2, 3, 4, 5)]
    return crawl(tmp_path_factory.mktemp("sent"), seeds, {"FCA_SITEMAPS": 1000})


@pytest.fixture(scope="package")
def trapped(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """Traps whose every page is about the topic, without a budget: nothing but rules can end them."""
    seeds = [*map(site.url, ENTRANCES), site.url("/mirror/0", "127.0.0.2")]
    return crawl(tmp_path_factory.mktemp("trapped"), seeds, {"FCA_PATIENCE": 0}, order="bfs")
