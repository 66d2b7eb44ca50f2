"""The default order on a web that its weights were not made for: kinds of pages at several universities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scrapy.settings import Settings

from fcacrawler.app.config import read_config
from fcacrawler.evaluation.comparison import office as processes
from fcacrawler.evaluation.comparison import read_pages
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.measures import area
from fcacrawler.evaluation.plan import Graph, Run, starts
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.evaluation.web import Fetcher
from fcacrawler.worlds import open_world
from tests.webs.campus import TOPICS, Campus

# the link classifier is level with it or ahead: docs/design/graded.md
RIVALS = ("mean-parent", "shark", "context-graph")


@pytest.mark.slow
def test_among_universities_semrank_finds_more_than_orders_that_do_not_learn_from_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = tmp_path / "campus"
    Campus(2).write(home)
    config = read_config(Settings())
    world = open_world(str(home))
    library = Library(library_path(str(home), config.page))
    with processes(str(home), config, 1) as pool:
        read_pages(pool, library, list(world.urls()), lambda done, of: None)
    desk = Desk(str(home), config)
    plan = starts(world, Graph(library, Fetcher(world, config.page)), list(TOPICS), 1, "4R", 0)

    def found(order: str) -> float:
        return float(np.mean([area(run(Run(start, order, 0.45), desk)) or 0.0 for start in plan]))

    ours = found("semrank")
    assert {rival: ours > found(rival) for rival in RIVALS} == dict.fromkeys(RIVALS, True)
