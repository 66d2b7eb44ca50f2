"""A JOBDIR into which its crawl was recorded is a world: users' marks are its labels."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from fcacrawler.app.config import read_config
from fcacrawler.app.marking import marked
from fcacrawler.app.marks import said
from fcacrawler.evaluation.library import packed
from fcacrawler.evaluation.marked import tell_marks
from fcacrawler.evaluation.plan import Graph, Run, starts
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.worlds.replay import RecordedWorld
from tests.crawling import crawl
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def test_a_recorded_jobdir_is_compared_by_what_its_users_have_marked(
    town: Site,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    job = tmp_path / "job"
    settings = {"JOBDIR": str(job), "FCA_RECORD": str(job / "pages.warc.gz")}
    outcome = crawl(SemRankSpider, settings, topic="auto racing", seeds=town.url("/"), order="bfs")
    with closing(Desk(str(job), read_config({"FCA_VECTORS": "none"}))) as desk:
        world = desk.world
        assert isinstance(world, RecordedWorld)
        for nothing in (job, job / "pages.warc.gz"):
            tell_marks(world, nothing)
            assert not world.topics, "nothing is marked"
        _, good, other, *_ = (item.url for item in outcome.items)
        marked(str(job), "").mark([said(good, True), said(other, False), said("http://elsewhere.test/", True)])
        tell_marks(world, job)
        assert world.relevant("auto racing") == {good}
        assert world.notes[-1].startswith("relevant are the 2 pages that users of")
        assert world.orders == ("bfs",)
        desk.library.add(packed(url, desk.fetch(url)) for url in world.urls())
        (start,) = starts(world, Graph(desk.library, desk.fetcher), ["auto racing"], 1, "50", 0)
        assert (start.words, start.seeds, start.relevant) == ("auto racing", (town.url("/"),), {good})
        assert sum(run(Run(start, "bfs", 0.45), desk).hits) == 1
