"""``scrapy crawl semrank -a topic=…``: the focused crawl. ``-a order=`` takes any other order."""

from __future__ import annotations

from fcacrawler.spiders.focused import FocusedSpider


class SemRankSpider(FocusedSpider):
    name = "semrank"
