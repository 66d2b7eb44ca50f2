"""Files that feeds are written to: those that a user names, and a new one a crawl where none is named."""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from scrapy import Spider
from scrapy.extensions.feedexport import FileFeedStorage

from fcacrawler.addon import focus_of
from fcacrawler.app.assembly import crawl_name
from fcacrawler.app.harvest_files import claim, point_to, recalled, remember

logger = logging.getLogger(__name__)


class Files(FileFeedStorage):
    """A local file. One that is begun ``anew`` takes the place of the one that is there when it is told to, or when it
    is closed."""

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None:
        super().__init__(uri, feed_options=feed_options)
        self.anew = False
        self._part: Path | None = None

    @property
    def grows(self) -> bool:
        """Whether it is added to something."""
        return self.write_mode == "ab" and os.path.exists(self.path) and os.path.getsize(self.path) > 0

    def open(self, spider: Spider) -> IO[bytes]:
        path = os.path.realpath(self.path)
        if not self.anew or (os.path.exists(path) and not os.path.isfile(path)):  # a device or a pipe
            return super().open(spider)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._part = Path(f"{path}.part")
        return self._part.open("wb")

    def take_place(self, keeps: bool = False) -> list[str]:
        """``keeps``: what is there may hold more; it stays under the name that is answered."""
        self.anew, part, self._part = False, self._part, None
        if part is None:
            return []
        path = Path(os.path.realpath(self.path))
        before = path.with_name(f"{path.stem}.before{path.suffix}")
        keeps = keeps and path.exists() and not before.exists()
        if keeps:
            path.rename(before)
        part.replace(path)
        return [str(before)] if keeps else []

    def give_up(self) -> None:
        """What is there stays."""
        if self._part is not None:
            self._part.unlink(missing_ok=True)

    def store(self, file: IO[bytes]) -> None:
        file.close()
        self.take_place()


class Harvest(Files):
    """A file a crawl, begun with its first page; ``latest.jsonl`` beside it points to the one that was written last."""

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None:
        super().__init__(uri, feed_options={**(feed_options or {}), "overwrite": False})
        self._folder = Path(uri.partition(":")[2])
        self.path = str(self._folder)
        self._begun = self._newest = False

    def open(self, spider: Spider) -> IO[bytes]:
        focus = focus_of(spider.crawler)
        path = recalled(focus.job, self._folder)
        if path is None:
            path = claim(self._folder, crawl_name(focus.parts.topic.words), datetime.now(UTC))
            remember(focus.job, path)
        self.path, self._begun = str(path), True
        return super().open(spider)

    def point(self) -> None:
        """It is the newest from now on."""
        if self._begun and not self._newest:
            self._newest = True
            if problem := point_to(Path(self.path)):
                logger.warning(problem)
