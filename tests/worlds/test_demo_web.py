"""The demo web: its table, its bytes, its links."""

from collections import Counter

import pytest

from fcacrawler.worlds.demo import DemoWorld


@pytest.fixture(scope="module")
def world() -> DemoWorld:
    return DemoWorld()


def test_the_labels_are_those_of_the_table(world: DemoWorld) -> None:
    assert Counter(label for _, label in world.labels()) == {
        "rugby": 475, "football": 383, "baseball": 662, "basketball": 642, "tennis": 90, "hockey": 384,
        "cycling": 101, "mixed martial arts": 34, "boxing": 54, "olympics": 68, "auto racing": 343, "golf": 143,
        "rubbish": 309, "others": 1049,
    }  # fmt: skip


def test_every_page_answers_with_html(world: DemoWorld) -> None:
    for url in list(world.urls())[::50]:
        answer = world.answer(url)
        assert answer is not None
        assert answer.status == 200
        assert answer.body.startswith(b"<!DOCTYPE html>")


def test_a_topic_names_its_seeds_among_its_pages(world: DemoWorld) -> None:
    for name, topic in world.topics.items():
        assert len(topic.seeds) == 3
        assert set(topic.seeds) <= world.relevant(name)
