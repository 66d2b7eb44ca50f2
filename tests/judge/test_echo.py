"""What pages say that say the topic's words: heard where seeds are not believed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fcacrawler.judge.echo import MOST, Echo
from fcacrawler.judge.profile import Profile, norm, total
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.values.topics import Topic
from tests.orders.pages import page, url, url_words, vector_of


def test_the_pages_that_say_most_of_the_words_are_heard_by_what_they_say() -> None:
    echo = Echo(vector_of("tea"), {})
    pages = [
        vector_of("tea"),
        vector_of("tea leaf"),
        vector_of("tea leaf cup"),
        vector_of("tea a b c"),
        vector_of("dog"),
    ]
    for n, terms in enumerate(pages):
        echo.add(f"p{n}", terms)
    # three of five pages: d·cos is 1/41·1, 2/42/√2, 3/43/√3 and 4/44/2: the last three say most
    shares = {1: 2 / 42 / 2**0.5, 2: 3 / 43 / 3**0.5, 3: 4 / 44 / 2}
    assert set(echo.urls) == {"p1", "p2", "p3"}
    assert echo.vector() == pytest.approx(norm(total((pages[n], share) for n, share in shares.items())))
    assert echo.vector(but="p3") == pytest.approx(norm(total((pages[n], shares[n]) for n in (1, 2))))
    assert echo.share == pytest.approx(3 / 8)


def test_lists_of_links_are_heard_less_as_soon_as_it_is_known_how_many_links_are_usual() -> None:
    echo = Echo(vector_of("tea"), {})
    dense = {"list": 0.8, "usual": 0.2, "bare": 0.0, "short": 0.2}
    says = {"list": "tea leaf", "usual": "tea leaf", "bare": "tea leaf", "short": "tea"}
    for name, words in says.items():
        echo.add(name, vector_of(words), dense[name])
    assert echo.urls == {"list", "usual", "bare"}
    echo.revise(0.2)
    assert echo.urls == {"usual", "bare", "short"}  # four times the usual links count half: 1/42/√2 < 1/41
    echo.add("other", vector_of("tea leaf cup"), 2.0)  # 3/43/√3·0.1
    assert echo.urls == {"usual", "bare", "short"}


def test_nothing_is_heard_of_pages_without_the_words_and_of_pages_that_are_marked_bad() -> None:
    marks: dict[str, bool] = {}
    echo = Echo(vector_of("tea"), marks)
    echo.add("a", vector_of("dog"))
    assert (echo.share, echo.vector()) == (0.0, {})
    echo.add("b", vector_of("tea leaf"))
    assert echo.share == pytest.approx(1 / 6)
    marks["b"] = False
    assert (echo.share, echo.vector()) == (0.0, {})


def test_one_page_in_twenty_is_heard_and_fifty_at_the_most() -> None:
    echo = Echo(vector_of("tea"), {})
    for n in range(2000):
        echo.add(f"p{n}", vector_of("tea " + " ".join(f"w{k}" for k in range(1 + n % 40))))
        assert len(echo.urls) == min(n + 1, max(3, (n + 1) // 20), MOST)


def test_the_profile_hears_it_as_far_as_seeds_are_not_believed() -> None:
    profile = Profile(Topic("tea"), vector_of, url_words)
    profile.learn(page("s", "dog"))
    profile.trust([0.5], vector_of("leaf"), 0.6)
    asked = norm({"dog": 0.5, "tea": 0.8})
    assert profile.vector == pytest.approx(norm(asked | {"leaf": 0.5 * 0.6}))
    assert profile.known == pytest.approx(0.5 + 0.3)
    profile.trust([1.0], vector_of("leaf"), 0.6)
    assert profile.vector == pytest.approx(norm({"dog": 1.0, "tea": 0.8}))


def test_with_a_portal_as_seed_pages_of_the_topic_are_found_that_do_not_say_its_word() -> None:
    of = TopicJudge(Profile(Topic("volcano"), vector_of, url_words))
    of.observe(replace(page("s", "portal news"), url="http://portal.test/", depth=0))
    for n in range(120):
        said = (
            ("volcano " if n % 8 == 0 else "") + "lava crater ash magma eruption" if n % 4 == 0 else "garden tree rose"
        )
        of.observe(page(f"p{n}", said + "".join(f" w{n}x{k}" for k in range(10))))
    silent = [of.relevance(url(f"p{n}")) or 0 for n in range(4, 120, 8)]
    others = [of.relevance(url(f"p{n}")) or 0 for n in range(1, 120, 4)]
    assert min(silent) > 0.35 > max(others) + 0.25


def test_a_page_that_says_one_word_all_the_time_is_heard_less_than_one_that_says_both() -> None:
    echo = Echo(vector_of("regular expression"), {})
    echo.add("one", vector_of("expression value"))  # cos is 1/2; half of the words, squared 1/4
    echo.add("both", vector_of("regular expression a b c"))  # cos is 2/√10; all of the words
    one, both = 2 / 42 * 0.5 / 4, 5 / 45 * 2 / 10**0.5
    assert one < 0.02 < both  # the least that is heard
    assert echo.urls == {"both"}


def test_pages_that_say_the_words_are_counted_by_their_text_or_by_what_they_are_called() -> None:
    echo = Echo(vector_of("green tea"), {})
    echo.add("text", vector_of("green tea leaf"))  # w = d·cos = 3/43·2/√6, more than 0.05
    assert echo.met == pytest.approx(1.0)
    echo.add("apart", vector_of("green tea leaf"), together=lambda: 0.0)  # an eighth of that
    apart = (3 / 43 * 2 / 6**0.5 / 8 / 0.05) ** 2
    assert echo.met == pytest.approx(1 + apart)
    echo.add("name", vector_of("dog"), names=vector_of("tea shop"))  # half of the words, squared
    assert echo.met == pytest.approx(1 + apart + 1 / 4)
