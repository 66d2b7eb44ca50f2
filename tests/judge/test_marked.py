"""What a user has called good speaks for the topic, as far as it was news."""

from __future__ import annotations

import numpy as np
import pytest

from fcacrawler.judge.marked import KEPT, MOST, Marked
from fcacrawler.judge.profile import Profile, norm
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.values.marks import Mark
from fcacrawler.values.topics import Topic
from tests.orders.pages import page, url, url_words, vector_of


def test_a_page_called_good_counts_as_much_as_it_was_not_believed() -> None:
    marked = Marked()
    for n in range(3):
        marked.add(vector_of(f"w{n}"))
    marked.hold(0, "a", True, page("a", "tea"), 0.25)
    marked.hold(2, "c", True, None, 1.0)
    marked.hold(1, "b", False, None, 0.5)
    assert marked.says == [({"tea": 1.0}, 0.75), ({"w2": 1.0}, 0.0)]
    marked.hold(0, "a", True, page("a", "dog"), 1.0)  # said once more
    assert marked.says[0] == ({"tea": 1.0}, 0.75)
    marked.hold(0, "a", None, None, 1.0)
    marked.hold(2, "c", False, None, 1.0)
    assert marked.says == []


def test_a_page_of_long_ago_has_to_be_at_hand_and_the_latest_marks_count() -> None:
    marked = Marked()
    for n in range(KEPT + 1):
        marked.add(vector_of(f"w{n}"))
    marked.hold(0, "0", True, None, 0.0)
    assert marked.says == []
    for n in range(1, MOST + 2):
        marked.hold(n, str(n), True, None, 0.0)
    assert [list(terms) for terms, _ in marked.says] == [[f"w{n}"] for n in range(2, MOST + 2)]


def test_the_profile_believes_it_like_seeds() -> None:
    profile = Profile(Topic("tea"), vector_of, url_words)
    profile.learn(page("s", "dog"))
    profile.trust([0.5], vector_of("leaf"), 0.6, [(vector_of("cup"), 1.0)])
    firm = (0.5**2 + 1) / 1.5  # 5/6
    told = norm({"dog": 0.5, "cup": 1.0})
    asked = norm({"dog": told["dog"] * firm, "cup": told["cup"] * firm, "tea": 0.8})
    assert profile.vector == pytest.approx(norm(asked | {"leaf": 0.6 / 6}))
    assert profile.firm == 0.5  # of seeds alone
    profile.trust([0.5], vector_of("leaf"), 0.6)
    assert "cup" not in profile.vector


def test_marks_on_what_was_not_believed_find_its_like() -> None:
    of = TopicJudge(Profile(Topic("tea"), vector_of, url_words))
    of.observe(page("s", "tea leaf cup", depth=0))
    for n in range(90):
        said = ("tea leaf cup", "oolong brew steep", "dog bone leash")[n % 3]
        of.observe(page(f"p{n}", said + "".join(f" w{n}x{k}" for k in range(10))))

    def mean(kind: int) -> float:
        return float(np.mean([of.relevance(url(f"p{n}")) or 0 for n in range(kind + 12, 90, 3)]))

    before = mean(1)
    good = [url(f"p{n}") for n in range(1, 12, 3)]
    of.mark([(Mark(u, True), None) for u in good])
    assert before < 0.2 < 0.5 < mean(1)
    assert mean(2) < 0.2
    of.mark([(Mark(u, None), None) for u in good])
    assert mean(1) < 0.2
