"""A crawl by a sentence model, which takes milliseconds a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import current_thread, main_thread

import numpy as np
import pytest

from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.vectors.bert import Bert
from tests.crawling import crawl
from tests.site import Site, page
from tests.vectors.test_model import write


def test_a_model_works_in_another_thread_and_a_page_waits_for_its_vectors(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_main: list[bool] = []
    encode = Bert.encode

    def noted(self: Bert, texts: Sequence[str], most: int = 128) -> np.ndarray:
        in_main.append(current_thread() is main_thread())
        return encode(self, texts, most)

    monkeypatch.setattr(Bert, "encode", noted)
    names = ["steam", "train", "station", "the railway"]
    site.pages["/"] = page("Steam trains", "steam train railway station", {f"/{n}": n for n in names})
    for n in names:
        links = {f"/{n}/{other}": f"{n} {other}" for other in names}
        site.pages[f"/{n}"] = page(n, f"all about {n} and so on", links)
    outcome = crawl(
        SemRankSpider,
        {"FCA_VECTORS": str(write(tmp_path / "model")), "CONCURRENT_REQUESTS_PER_DOMAIN": 8},
        topic="steam train", seeds=site.base, pages="9",
    )  # fmt: skip
    assert len(site.fetched) == 9
    assert sum(in_main) == 1  # the topic's words, before the first page
    assert not any(in_main[1:])
    assert len(in_main) > 4
    assert all("near" in item.explanation["features"] for item in outcome.items if item.depth)
