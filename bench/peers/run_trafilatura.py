"""trafilatura's focused crawler. It stays on one site and knows no topic; its pages are to be read, not navigation."""

from copy import deepcopy
from urllib.parse import urlsplit

from loopback import task

TASK = task()

from trafilatura.settings import DEFAULT_CONFIG  # noqa: E402
from trafilatura.spider import focused_crawler  # noqa: E402

config = deepcopy(DEFAULT_CONFIG)
config["DEFAULT"]["SLEEP_TIME"] = str(TASK.get("delay", 0))
config["DEFAULT"]["SSRF_PROTECTION"] = "False"  # the world is on loopback
seeds = TASK["seeds"]
site = "{0.scheme}://{0.netloc}/".format(urlsplit(seeds[0]))  # it goes nowhere else
focused_crawler(site, max_seen_urls=TASK["pages"], max_known_urls=10**6, todo=list(seeds), config=config)
