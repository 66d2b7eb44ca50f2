"""A real log: 298,000 clicks of a navigation game."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcacrawler.page import canonical_url, normalise_query
from fcacrawler.weblogs import LearnOptions, Thresholds, learn, load_omega, strongest

CLICKS = Path("../shared/worlds/wikispeedia/clicks.tsv.gz")


@pytest.mark.slow
@pytest.mark.skipif(not CLICKS.exists(), reason=f"{CLICKS} is not there")
def test_capitals_and_countries_are_among_the_strongest_relations_of_a_real_log(tmp_path: Path) -> None:
    out = tmp_path / "omega.parquet"
    report = learn([CLICKS], [], out, lambda q: normalise_query(q, "en"), canonical_url, LearnOptions(), Thresholds())
    assert report.files[0].clicks == 297_665
    assert report.clicks == 297_648  # 17 are logged twice
    best = {pair for pair, _ in strongest(out, "isa", 30)}
    assert {("lilongwe", "malawi"), ("baghdad", "iraq"), ("czech republic", "prague")} <= best
    assert ("buddha", "buddhism") in best
    assert ("beans", "pyramid") not in load_omega(out).isa  # both are looked for often, on pages that everybody passes
