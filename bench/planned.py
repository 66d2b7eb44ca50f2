"""What benchmarks of orders have in common: a recorded web, its topics and their seeds, given on the command line."""

from __future__ import annotations

import argparse
import os

from scrapy.settings import Settings

from fcacrawler.config import Config, read_config
from fcacrawler.evaluation.comparison import office, read_pages
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.plan import Graph, Start, starts
from fcacrawler.evaluation.web import Fetcher
from fcacrawler.worlds import World, find_topic, open_world


def arguments(about: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world")
    parser.add_argument("--topics", default="")
    parser.add_argument("--seeds-sets", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("-s", action="append", default=[], metavar="NAME=VALUE", help="a setting")
    return parser


def planned(options: argparse.Namespace) -> tuple[World, Config, list[Start]]:
    """All pages have been read, once for all crawls."""
    config = read_config(Settings(dict(pair.split("=", 1) for pair in options.s)))
    world = open_world(options.world)
    library = Library(library_path(options.world, config.page))
    with office(options.world, config, options.jobs) as pool:
        read_pages(pool, library, list(world.urls()), lambda done, of: None)
    topics = [find_topic(world, t).name for t in options.topics.split(",") if t] or list(world.topics)
    plan = starts(world, Graph(library, Fetcher(world, config.page)), topics, options.seeds_sets, "4R", 0)
    return world, config, plan
