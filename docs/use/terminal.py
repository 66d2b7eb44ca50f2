"""Draws docs/use/terminal.svg: the live view in the middle of a real crawl of the demo web, and its summary.

python docs/use/terminal.py
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from rich.console import Console
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.settings import Settings

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from fcacrawler import settings as project  # noqa: E402
from fcacrawler.app.progress import summary, view  # noqa: E402
from fcacrawler.extensions.report import Report  # noqa: E402
from fcacrawler.spiders.semrank import SemRankSpider  # noqa: E402

WIDTH, PAGES = 104, 400
console = Console(record=True, width=WIDTH, force_terminal=True, file=io.StringIO())


class Recorded(Report):
    """Paints the view once, when three quarters of the pages are there."""

    painted = False

    def _tick(self) -> None:
        super()._tick()
        if not self.painted and self.snapshot().pages > 0.75 * PAGES:
            self.painted = True
            console.print(view(self.snapshot(), WIDTH))

    async def spider_closed(self, spider: object, reason: str) -> None:
        await super().spider_closed(spider, reason)  # type: ignore[arg-type]
        console.print(summary(self.summary(reason)), highlight=False)


def main() -> None:
    settings = Settings()
    settings.setmodule(project)
    extensions = {"fcacrawler.extensions.report.Report": None, Recorded: 200}
    settings.update({"FCA_WORLD": "demo", "FCA_PROGRESS": "off"})
    settings.update({"EXTENSIONS": extensions})
    process = AsyncCrawlerProcess(settings)
    crawler: Crawler = process.create_crawler(SemRankSpider)
    process.crawl(crawler, topic="auto racing", pages=PAGES)
    console.print('$ scrapy crawl semrank -s FCA_WORLD=demo -a topic="auto racing" -a pages=400', highlight=False)
    process.start()
    console.save_svg(str(ROOT / "docs" / "use" / "terminal.svg"), title="fcacrawler")


if __name__ == "__main__":
    main()
