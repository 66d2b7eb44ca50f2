"""The judge of fetched pages, and the profile that it judges by."""

import math
from dataclasses import replace

import pytest

from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from tests.orders.pages import page, url, url_words, vector_of


def judge_of(words: str = "car race") -> TopicJudge:
    return TopicJudge(Profile(Topic(words), vector_of, url_words))


def test_the_profile_is_the_seeds_and_four_fifths_of_the_words() -> None:
    profile = Profile(Topic("car"), vector_of, url_words)
    assert profile.vector == {"car": 1.0}
    profile.learn(page("s", "race"))
    profile.trust([1.0])
    assert profile.vector == pytest.approx({"race": 1 / math.sqrt(1.64), "car": 0.8 / math.sqrt(1.64)})
    assert profile.cosine(vector_of("dog")) == 0.0


def test_examples_count_as_seeds_and_words_to_avoid_count_against() -> None:
    profile = Profile(Topic("car", texts=("race",), avoid=("dog",)), vector_of, url_words)
    assert profile.seeds == {"race": 1.0}
    assert profile.vector["dog"] < 0
    assert profile.text("dog") == 0.0
    assert profile.shared("a dog saw the race of a car") == ["race", "car"]


def test_a_page_about_the_topic_is_relevant_and_one_of_other_words_is_not() -> None:
    judge = judge_of()
    judge.observe(page("s", "car race driver", depth=0))
    about = [judge.observe(page(f"r{n}", "car race driver")).relevance for n in range(6)]
    other = [judge.observe(page(f"x{n}", "dog cat bird")).relevance for n in range(6)]
    assert min(about) > 0.45
    assert max(other) < 0.45
    assert judge.relevance(url("x0")) is not None
    assert judge.relevance(url("nowhere")) is None


def test_company_counts_a_page_among_relevant_pages_is_more_relevant_than_the_same_page_alone() -> None:
    judge = judge_of()
    for n in range(8):
        judge.observe(page(f"r{n}", "car race", depth=0 if n == 0 else 1))
        judge.observe(page(f"x{n}", "dog cat"))
    alone = judge.observe(page("alone", "car dog bird")).relevance
    among = judge.observe(page("among", "car dog bird", links=["r1", "r2", "r3"], parents=["r4"])).relevance
    assert among > alone


def test_of_a_list_without_end_the_second_part_counts_half_and_the_third_a_third() -> None:
    def part(n: int, title: str) -> SeenPage:
        return replace(page(f"tag/racing?page={n}", "car race driver"), title=title)

    found = []
    for titles in ("Race 1", "Race 2", "Race 3"), ("Racing", "Racing", "Racing"), ("", "", ""):
        judge = judge_of()
        judge.observe(page("s", "car race driver", depth=0))
        found.append([judge.observe(part(n, title)).relevance for n, title in enumerate(titles)])
    articles, endless, untitled = found
    assert endless == pytest.approx([articles[0], articles[1] / 2, articles[2] / 3])
    assert untitled == pytest.approx(articles)


def test_a_page_observed_twice_counts_once_and_is_judged_as_it_is_now() -> None:
    judge = judge_of()
    web = [page("s", "car race", depth=0), *(page(f"p{n}", "car dog dog", links=["s"]) for n in range(4))]
    first = [judge.observe(p).relevance for p in web][-1]
    assert judge.observe(web[-1]).relevance == pytest.approx(judge.relevance(url("p3")))
    better = judge.observe(page("p3", "car race race", links=["s"])).relevance
    assert better > first
    assert (len(judge.relevances()), judge.relevance(url("p3"))) == (5, better)


def test_pages_without_a_word_of_the_topic_are_judged_without_dividing_by_zero() -> None:
    judge = judge_of("")
    relevances = [judge.observe(page(f"p{n}", "", depth=n)).relevance for n in range(10)]
    assert all(math.isfinite(r) and 0 <= r <= 1 for r in relevances)


def test_pages_judged_between_two_rounds_are_judged_by_the_scales_of_the_last() -> None:
    judge = judge_of()
    judge.observe(page("s", "car race", depth=0))
    web = [page(f"p{n}", "car dog" if n % 2 else "race", links=[f"p{n - 1}", "s"]) for n in range(18)]
    for p in web:
        assert 0 <= judge.observe(p).relevance <= 1
    once = judge.relevance(web[-1].url)  # the 19th page: all were judged when it came, as at the 13th
    assert judge.observe(web[-1]).relevance == pytest.approx(once, abs=1e-12)


def test_the_account_of_each_page_gives_its_relevance_at_any_time() -> None:
    judge = judge_of()
    for n in range(40):
        judge.observe(page(f"r{n}", "car race" if n % 3 else "dog cat car", links=[f"r{n - 2}"], depth=int(n > 0)))
        names, rows = judge.accounts()
        assert dict(zip(names, rows[n], strict=True)) == pytest.approx(judge.parts(url(f"r{n}")), abs=1e-6)
        for relevance, row in zip(judge.relevances(), rows.tolist(), strict=True):
            p = dict(zip(names, row, strict=True))
            odds = ((p["text"] + p["company"]) / p["reach"] - 0.6) / 0.12
            odds = max(-5.0, min(5.0, odds))
            mixed = odds + p["taught"] * (p["learned"] - odds) - p["doubt"]
            assert relevance == pytest.approx(1 / (1 + math.exp(-mixed)) / p["part"])
            by_view = sum(value for name, value in p.items() if name.startswith("by "))
            assert p["learned"] == pytest.approx(max(-5.0, min(5.0, by_view)), abs=1e-9)


def test_where_the_topic_is_not_nothing_is_relevant_and_where_it_is_its_pages_are() -> None:
    def flagged(words: str) -> list[str]:
        of = TopicJudge(Profile(Topic(words), vector_of, url_words))
        of.observe(replace(page("s", "portal links news"), url="http://portal.test/", depth=0))
        for n in range(60):
            about = "volcano lava eruption" if n % 6 == 0 else f"garden flower{n % 4} tree"
            of.observe(page(f"p{n}", about + "".join(f" w{n}x{k}" for k in range(30))))
        return [f"p{n}" for n in range(60) if (of.relevance(url(f"p{n}")) or 0) > 0.45]

    assert flagged("quantum chemistry") == []
    assert flagged("volcano lava") == [f"p{n}" for n in range(0, 60, 6)]


def test_a_word_that_pages_hardly_use_makes_none_of_them_relevant() -> None:
    of = TopicJudge(Profile(Topic("quantum"), vector_of, url_words))
    of.observe(replace(page("s", "portal links news"), url="http://portal.test/", depth=0))
    for n in range(60):
        of.observe(
            page(f"p{n}", "quantum" * (n == 30) + " garden tree" * 30 + "".join(f" w{n}x{k}" for k in range(90)))
        )
    assert of.relevances().max() < 0.45
