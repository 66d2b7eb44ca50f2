"""Log files → click events → Ω, the lexical database. SQL in DuckDB; and Ω without a log, from the crawl itself.

Doors:

- ``room_for(files, out, parts) -> Room``: how much disk ``learn`` will take, and what is free
- ``learn(files, links, out, normalise, canonical, options, thresholds)``: logs → Ω on disk, merged with what was there
- ``load_omega(path) -> Omega``, ``load_clicks(path) -> Clicks``: what ``learn`` wrote
- ``GrowingLog(path, canonical)``: a log that is read while it is written
- ``links_in(path, read_links)``: hyperlinks from a WARC, a crawl's output or an edge list
- ``CrawlLog(normalise, options)``: no log at all; ``observe(page)`` while crawling, ``omega()`` now and then
- ``strongest``, ``neighbourhood``, ``clicks_of``: what an Ω says, with the evidence, read from its file
"""

from fcacrawler.weblogs.crawllog import CrawlLog, CrawlLogOptions
from fcacrawler.weblogs.formats import FORMATS
from fcacrawler.weblogs.growing import GrowingLog
from fcacrawler.weblogs.learn import FileReport, Learned, LearnOptions, learn
from fcacrawler.weblogs.links import links_in
from fcacrawler.weblogs.relations import Thresholds
from fcacrawler.weblogs.room import Room, room_for
from fcacrawler.weblogs.show import Neighbour, clicks_of, neighbourhood, strongest
from fcacrawler.weblogs.store import load_clicks, load_omega, pairs_of

__all__ = [
    "FORMATS",
    "CrawlLog",
    "CrawlLogOptions",
    "FileReport",
    "GrowingLog",
    "LearnOptions",
    "Learned",
    "Neighbour",
    "Room",
    "Thresholds",
    "clicks_of",
    "learn",
    "links_in",
    "load_clicks",
    "load_omega",
    "neighbourhood",
    "pairs_of",
    "room_for",
    "strongest",
]
