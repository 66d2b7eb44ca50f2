"""``fcacrawler``: Scrapy's commands and ours from any folder, with this project's settings."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version

from scrapy import cmdline

from fcacrawler import __version__


def main() -> None:
    os.environ["SCRAPY_SETTINGS_MODULE"] = "fcacrawler.settings"
    words = sys.argv[1:]
    if words == ["--version"]:
        sys.stdout.write(f"fcacrawler {__version__} (Scrapy {version('scrapy')})\n")
        return
    if words in ([], ["--help"], ["-h"]):
        words = []  # Scrapy answers with a list of the commands
        sys.stdout.write("fcacrawler stands for scrapy with the settings of fcacrawler, in any folder. For example:\n")
        sys.stdout.write('  fcacrawler crawl semrank -a topic="auto racing" -s FCA_WORLD=demo -a pages=200\n\n')
    cmdline.execute(["fcacrawler", *words])


if __name__ == "__main__":
    main()
