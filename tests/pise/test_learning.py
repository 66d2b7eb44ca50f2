"""Clicks are learned from by themselves, as often as they have grown by a quarter."""

from __future__ import annotations

from pathlib import Path

from fcacrawler.app.searching import index
from fcacrawler.pise import clicks
from fcacrawler.pise.errands import Errands
from fcacrawler.pise.learning import FEWEST, SMALL, Learning
from fcacrawler.weblogs import load_omega
from tests.search.harvests import harvest, item

WORDS = ("green tea", "leaves")


def clicked(folder: Path, count: int) -> None:
    begun = len((folder / clicks.NAME).read_bytes().splitlines()) if (folder / clicks.NAME).exists() else 0
    for n in range(begun, begun + count):
        clicks.write(folder / clicks.NAME, f"{n:016d}", WORDS[n % 2], f"http://tea.test/{n // 2 % 3}")


def waited(learning: Learning, crawls: list[Path]) -> None:
    learning.look(crawls)
    for known in learning.errands._known.values():
        known.answer.exception()
    learning.look(crawls)


def test_what_was_opened_becomes_knowledge_of_keywords(tmp_path: Path) -> None:
    crawl = harvest(tmp_path / "tea", [item("http://tea.test/0", "Tea", "")])
    index(crawl)
    learning = Learning(tmp_path, tmp_path / clicks.NAME, Errands(tmp_path))
    clicked(tmp_path, FEWEST - 1)
    waited(learning, [crawl])
    assert (learning.said, learning.learned, learning.errands._known) == ("", 0, {})
    clicked(tmp_path, 1)
    waited(learning, [crawl])
    assert (learning.learned, learning.problem) == (FEWEST, "")
    assert "20 clicks by 20 users on 3 pages" in learning.said
    assert load_omega(tmp_path / "clicks.omega.parquet").clicks["green tea"] == 10
    assert learning.for_crawls is None  # too few clicks to be better than a crawl's own links
    clicked(tmp_path, 2)
    learning.look([crawl])
    assert learning._asked is None
    learning.learned = SMALL
    assert learning.for_crawls == tmp_path / "clicks.omega.parquet"
    learning.errands.close()


def test_learning_rests_twenty_times_as_long_as_it_took(tmp_path: Path) -> None:
    now = [100.0]
    learning = Learning(tmp_path, tmp_path / clicks.NAME, Errands(tmp_path), clock=lambda: now[0])
    clicked(tmp_path, FEWEST)
    learning.look([])
    for known in learning.errands._known.values():
        known.answer.exception()
    now[0] += 4.0
    learning.look([])
    assert learning.learned == FEWEST
    clicked(tmp_path, FEWEST)
    now[0] += 79.0
    learning.look([])
    assert learning._asked is None
    now[0] += 2.0
    learning.look([])
    assert learning._asked is not None
    learning.errands.close()


def test_what_went_wrong_is_told(tmp_path: Path) -> None:
    (tmp_path / clicks.NAME).write_text("no click\n" * FEWEST)
    learning = Learning(tmp_path, tmp_path / clicks.NAME, Errands(tmp_path))
    waited(learning, [])
    assert learning.problem
    assert learning.learned == FEWEST  # it is not tried again before there are more
    learning.errands.close()
