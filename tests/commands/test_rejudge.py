"""``scrapy rejudge`` as a user types it."""

from __future__ import annotations

from pathlib import Path

from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import crawl
from tests.processes import scrapy
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def test_it_tells_how_many_are_judged_otherwise(town: Site, tmp_path: Path) -> None:  # noqa: F811
    folder, out = tmp_path / "job", tmp_path / "now.csv"
    crawl(SemRankSpider, {"JOBDIR": str(folder)}, topic="auto racing", seeds=town.url("/"))

    done = scrapy("rejudge", folder, "-o", out, "--gamma", "0.5", "--relevant")
    assert done.returncode == 0, done.stderr
    assert "judged otherwise than when they came (γ = 0.5)" in done.stderr
    assert len(out.read_text("utf-8").splitlines()) > 1
    for arguments, problem in (
        ([tmp_path / "none"], "holds no crawl"),
        ([folder, "--gamma", "7"], "invalid share value"),
        ([], "name the folder"),
    ):
        wrong = scrapy("rejudge", *arguments)
        assert wrong.returncode != 0
        assert problem in wrong.stderr + wrong.stdout
        assert "Traceback" not in wrong.stderr
