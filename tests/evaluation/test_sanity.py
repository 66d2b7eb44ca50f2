"""The demo web is no gift, and no order is a straw man: who must find more than whom."""

import pytest

from fcacrawler.app.config import read_config
from fcacrawler.evaluation.measures import area
from fcacrawler.evaluation.plan import Graph, Run, Start, starts
from fcacrawler.evaluation.run import NAMES as ALL
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.worlds import open_world

NAMES = [name for name in ALL if name != "ontology"]  # no class of its ontology is a sport
UNINFORMED = ("random", "bfs", "pagerank")  # know nothing of the topic
TOPICS = ("tennis",)


class Listed(Graph):
    """The links among the pages that the world lists: it has no end of others, and none of them is labelled."""

    def arrives(self, url: str) -> str:
        return self.final.get(url, "")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """Mean AUC by order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        return areas()


def areas() -> dict[str, float]:
    desk, world = Desk("demo", read_config({})), open_world("demo")
    graph = Listed(desk.library, desk.fetcher)
    for url in world.urls():
        fetched = desk.fetch(url)
        graph.final[url] = fetched.final_url
        graph.links[url] = [link.url for link in fetched.page.links] if fetched.page else []
    plan: list[Start] = starts(world, graph, TOPICS, 1, "2R", 0)
    return {name: sum(area(run(Run(s, name, 0.45), desk)) or 0.0 for s in plan) / len(plan) for name in NAMES}


@pytest.mark.slow
def test_the_oracle_finds_more_than_every_order(found: dict[str, float]) -> None:
    assert all(found["oracle"] > value for name, value in found.items() if name != "oracle"), found


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in UNINFORMED])
def test_an_informed_order_finds_more_than_any_order(name: str, found: dict[str, float]) -> None:
    assert found[name] > found["random"], found


@pytest.mark.slow
def test_the_published_semrank_finds_more_than_breadth_first_with_pagerank(found: dict[str, float]) -> None:
    assert found["semrank-2013"] > found["bfs"], found
