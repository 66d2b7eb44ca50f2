"""``fcacrawler``: Scrapy's commands and ours from any folder, with this project's settings."""

from __future__ import annotations

import os
import sys
from configparser import ConfigParser
from importlib.metadata import version

from scrapy import cmdline
from scrapy.utils.conf import closest_scrapy_cfg

from fcacrawler import __version__
from fcacrawler.values.extras import missing

HELP = """fcacrawler stands for scrapy with the settings of fcacrawler, in any folder. For example:
  fcacrawler crawl "auto racing" -s FCA_WORLD=demo --pages 200     a first crawl, without a network
  fcacrawler crawl "solar power" --seeds https://…,https://…       your own topic
  fcacrawler new mytopic                                           a folder for a topic that is to be told in full
  eval "$(fcacrawler completion bash)"                             commands and options by the Tab key; zsh, fish

"""


def main() -> None:
    if not _at_home():
        os.environ["SCRAPY_SETTINGS_MODULE"] = "fcacrawler.settings"
    words = sys.argv[1:]
    if words == ["--version"]:
        sys.stdout.write(f"fcacrawler {__version__} (Scrapy {version('scrapy')})\n")
        return
    if words in ([], ["--help"], ["-h"]):
        words = []  # Scrapy answers with a list of the commands
        sys.stdout.write(HELP)
    try:
        cmdline.execute(["fcacrawler", *words])
    except ModuleNotFoundError as error:
        if (told := missing(error)) is None:
            raise
        sys.stderr.write(f"{told}\n")
        raise SystemExit(2) from None


def _at_home() -> bool:
    """In a folder that ``fcacrawler new`` has made, whose settings count."""
    config = ConfigParser()
    config.read(closest_scrapy_cfg())
    return config.has_section("fcacrawler")


if __name__ == "__main__":
    main()
