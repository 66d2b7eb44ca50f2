"""``scrapy crawl ontology -a ontology=ecommerce -a topic=book``: the ontology crawl, which learns as it goes."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from fcacrawler.addon import focus_of
from fcacrawler.app.config import Config
from fcacrawler.spiders.focused import FocusedSpider
from fcacrawler.values.errors import FcaError
from fcacrawler.values.extras import extras


class OntologySpider(FocusedSpider):
    name = "ontology"
    defaults: ClassVar[dict[str, str]] = {"order": "ontology"}

    @classmethod
    def check(cls, config: Config) -> None:
        if config.ontology.ontology_out:
            with extras():
                from fcacrawler.ontology.history import check_out
            check_out(config.ontology.ontology_out)

    def closed(self, reason: str) -> None:
        """Keep what was learned; a later crawl can start from it."""
        focus = focus_of(self.crawler)
        out, order = focus.config.ontology.ontology_out, focus.parts.crawl.order
        if not out:
            return
        from fcacrawler.ontology.export import write_graph
        from fcacrawler.ontology.history import learned_graph
        from fcacrawler.orders.papers.ontology import OntologyOrder

        if isinstance(order, OntologyOrder):
            try:
                self.check(focus.config)
                Path(out).parent.mkdir(parents=True, exist_ok=True)
                write_graph(learned_graph(order.knowledge), out)
            except (OSError, FcaError) as error:
                self.logger.error("what was learned is lost: %s", error)
