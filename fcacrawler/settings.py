"""Scrapy's settings of this project: polite by default, focused by the add-on. Ours (FCA_): docs/use/settings.md."""

import os

BOT_NAME = "fcacrawler"
SPIDER_MODULES = ["fcacrawler.spiders"]
NEWSPIDER_MODULE = "fcacrawler.spiders"
COMMANDS_MODULE = "fcacrawler.commands"
ADDONS = {"fcacrawler.addon.FocusedCrawl": 500}

ROBOTSTXT_OBEY = True
DOWNLOAD_DELAY = 1.0
DOWNLOAD_DELAY_JITTER = 0.0  # a host is asked exactly when its delay is over, by the best link of that moment
CONCURRENT_REQUESTS_PER_DOMAIN = 1
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1.0
DOWNLOAD_TIMEOUT = 60
DOWNLOAD_MAXSIZE = 16 * 1024 * 1024
COOKIES_ENABLED = False

EXTENSIONS = {"scrapy.extensions.spiderstate.SpiderState": None}  # a pickle in the JOBDIR, which nothing here needs

FEED_EXPORTERS = {"parquet": "fcacrawler.exporters.Columns"}  # others are known without
FEED_EXPORT_ENCODING = "utf-8"
LOG_LEVEL = "WARNING"  # the progress view and the summary say what a user wants to know; -L INFO says more

# Any FCA_ setting may come from the environment: FCA_WORLD=demo scrapy crawl semrank …
globals().update({name: value for name, value in os.environ.items() if name.startswith("FCA_")})
