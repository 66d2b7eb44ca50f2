"""The crawl as its own log: the same relations as from a log file of the same links."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from fcacrawler.values.links import Link
from fcacrawler.values.omega import Omega
from fcacrawler.values.pages import SeenPage
from fcacrawler.weblogs import CrawlLog, CrawlLogOptions
from fcacrawler.weblogs.crawllog import MOST_LINKS, PER_LINK
from tests.weblogs.conftest import words_and_pairs

ALL = CrawlLogOptions(log_users=1, log_isa_lift=0, log_part_lift=0, log_part_links=1)


def page(url: str, *links: tuple[str, str]) -> SeenPage:
    made = tuple(Link(target, anchor, "", i) for i, (target, anchor) in enumerate(links))
    return SeenPage(url, "", "en", 0, (), {}, made)


def learner(options: CrawlLogOptions = ALL) -> CrawlLog:
    return CrawlLog(lambda text, language: tuple(words_and_pairs(text)), options)


def test_two_anchors_of_one_page_mean_the_same_and_a_link_from_it_leads_to_a_part() -> None:
    log = learner()
    log.observe(page("seed", ("racing", "auto racing"), ("other", "music")))
    log.observe(page("blog", ("racing", "motor sport"), ("other", "songs")))
    log.observe(page("racing", ("pit", "pit stop")))
    omega = log.omega()
    assert set(omega.isa) == {("auto racing", "motor sport"), ("music", "songs")}
    assert set(omega.part_of) == {("auto racing", "pit stop"), ("motor sport", "pit stop")}


def test_words_of_one_anchor_alone_are_no_evidence_for_one_another() -> None:
    log = learner()
    for user in ("a", "b", "c"):
        log.observe(page(user, ("racing", "fast cars"), ("cars", "cars"), ("fast", "fast food")))
    assert not log.omega().isa


def test_nothing_observed_is_an_empty_database() -> None:
    assert learner().omega() == Omega()


def test_a_page_observed_again_says_what_it_says_now() -> None:
    log = learner()
    log.observe(page("seed", ("racing", "auto racing")))
    log.observe(page("seed", ("racing", "motor sport")))
    assert log.omega().clicks == {"motor sport": 1}


def test_only_the_latest_links_are_remembered() -> None:
    log = learner(CrawlLogOptions(log_links=3, log_users=1))
    for n in range(10):
        log.observe(page(f"p{n}", ("x", f"anchor{n}"), ("y", f"other{n}")))
    assert log.links == 2
    assert log.omega().clicks == {"anchor9": 1, "other9": 1}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_links_as_a_log_file_give_the_same_database(
    seed: int, learned: Callable[..., Omega], tmp_path: Path
) -> None:
    rng = random.Random(seed)
    words = "auto racing motor sport pit stop car rose garden song music page".split()
    options = CrawlLogOptions(log_users=2, log_isa_lift=1.0, log_part_lift=1.0, log_part_links=1)
    log = learner(options)
    clicks, edges = tmp_path / "log.jsonl", tmp_path / "links.tsv"
    with clicks.open("w") as events, edges.open("w") as links:
        for user in rng.sample(range(40), 40):
            targets = rng.sample([t for t in range(40) if t != user], 12)
            said = [(f"http://p/{t}", " ".join(rng.choices(words, k=rng.randint(0, 3)))) for t in targets]
            log.observe(page(f"http://p/{user}", *said))
            for url, anchor in said:
                events.write(json.dumps({"user": f"http://p/{user}", "query": anchor, "url": url}) + "\n")
                links.write(f"http://p/{user}\t{url}\n")
    expected = learned(
        clicks,
        links=[edges],
        keyword_users=2,
        users=2,
        isa_lift=1.0,
        part_lift=1.0,
        keywords_per_page=options.log_keywords,
        keywords_per_link=PER_LINK,
        links_per_page=MOST_LINKS,
    )
    found = log.omega()
    assert found.clicks == expected.clicks
    assert expected.isa
    assert expected.part_of
    for ours, theirs in ((found.isa, expected.isa), (found.part_of, expected.part_of)):
        assert ours.keys() == theirs.keys()
        for pair, support in theirs.items():
            mine = ours[pair]
            assert (mine.users, mine.pages, mine.count) == (support.users, support.pages, support.count)
            assert (mine.lift, mine.confidence) == pytest.approx((support.lift, support.confidence), rel=1e-6)
