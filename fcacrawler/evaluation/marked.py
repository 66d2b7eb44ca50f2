"""The recording of a crawl in its JOBDIR as a world: its topic, and as relevant what users have marked good."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from fcacrawler.app.explain import Job
from fcacrawler.app.marks import standing
from fcacrawler.frontier.sqlite.mark_log import marks_in
from fcacrawler.frontier.sqlite.store import holds_crawl
from fcacrawler.worlds import World, WorldTopic
from fcacrawler.worlds.replay import RecordedWorld


def tell_marks(world: World, folder: Path) -> None:
    """If the folder has a crawl of which pages are marked, the world, a recording without topics, knows its topic from
    now on."""
    if not isinstance(world, RecordedWorld) or world.topics or not holds_crawl(folder):
        return
    good = [url for url, mark in standing(marks_in(folder)).items() if mark.good]
    if not good:
        return
    with closing(Job(folder)) as job:
        words, seeds = job.topic.words, job.topic.seeds
    world.tell(
        WorldTopic(words, words, seeds, frozenset([words])),
        good,
        f"relevant are the {len(good)} pages that users of {folder} have marked good; what nobody has marked is not",
    )
