"""Every other order as a spider of its own: ``scrapy crawl shark`` is ``scrapy crawl semrank -a order=shark``."""

from __future__ import annotations

from fcacrawler.app.assembly import ORDERS
from fcacrawler.spiders.focused import FocusedSpider

OWN = ("semrank", "ontology")  # orders that have a spider file of their own


def spider_of(order: str) -> type[FocusedSpider]:
    """The focused spider in this order."""
    return type(order, (FocusedSpider,), {"name": order, "defaults": {"order": order}, "__module__": __name__})


globals().update({order: spider_of(order) for order in ORDERS if order not in OWN})  # where Scrapy looks for spiders
