"""The soak, small: a crawl of the demo web that is killed and goes on loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.bench_soak import Soak, draw


@pytest.mark.slow
def test_a_crawl_killed_on_the_way_loses_no_page(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    soak = Soak(tmp_path / "crawl", pages=400, marks=[150])
    soak.run()
    lost = soak.lost()
    assert lost["pages that came and are neither in the store nor wait again"] == 0
    assert lost["pages in the store and not in the JSONL"] == 0
    assert lost["URLs done"] >= 400
    assert {sample.run for sample in soak.samples} == {0, 1}
    draw(soak.samples, tmp_path / "soak.svg")
    assert "<svg" in (tmp_path / "soak.svg").read_text("utf-8")
