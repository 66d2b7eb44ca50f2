"""The shop web as a recorded one: all labelled pages, and what their links lead to, breadth first, up to so many pages.

Run: python -m tests.webs.shops FOLDER [SEED] [PAGES]; then: scrapy compare FOLDER
"""

from __future__ import annotations

import json
import re
import sys
from html import unescape
from pathlib import Path

from fcacrawler.page import canonical_url
from tests.webs.shops import ShopsWorld
from tests.worlds.warcs import write_warc


def recorded(world: ShopsWorld, pages: int) -> dict[str, str | bytes]:
    """URL → page; the labelled pages first, and no fewer than these."""
    waiting = list(world.urls())
    seen, pages = set(waiting), max(pages, len(waiting))
    found: dict[str, str | bytes] = {}
    for url in waiting:  # which grows
        answer = world.answer(url)
        if answer is None or answer.status != 200:
            continue
        found[url] = answer.body
        if len(found) == pages:
            break
        for href in re.findall(r'href="(http[^"]+)"', answer.body.decode()):
            if (link := canonical_url(unescape(href)) or "") not in seen:
                seen.add(link)
                waiting.append(link)
    return found


def write(world: ShopsWorld, folder: Path, pages: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_warc(folder / "pages.warc.gz", recorded(world, pages))
    rows = ["url\ttopic", *(f"{url}\t{label}" for url, label in world.labels())]
    (folder / "labels.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    tables = [
        f'[topics."{name}"]\nwords = "{topic.words}"\nlabels = ["{name}"]\nseeds = {json.dumps(topic.seeds)}\n'
        for name, topic in world.topics.items()
    ]
    (folder / "topics.toml").write_text("\n".join(tables), "utf-8")


def main(folder: str, seed: str = "1", pages: str = "6000") -> None:
    write(ShopsWorld(int(seed)), Path(folder), int(pages))


if __name__ == "__main__":
    main(*sys.argv[1:])
