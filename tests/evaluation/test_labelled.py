"""The labels as a judge."""

from __future__ import annotations

from fcacrawler.evaluation.labelled import Labelled
from tests.orders.pages import given, page


def test_what_is_thought_of_a_page_is_its_label_from_the_first_moment_and_when_all_are_judged_anew() -> None:
    judge = Labelled(given("tea"), lambda url: url.endswith("good"))
    names = ["seed", *(f"p{n} {'good' if n % 3 else 'tea'}" for n in range(12))]
    said = [judge.observe(page(name, "tea " * 5, depth=min(n, 1))).relevance for n, name in enumerate(names)]
    labels = [float(name.endswith("good")) for name in names]
    assert said == labels
    assert judge.relevances().tolist() == labels
    assert judge.observe(page(names[2], "tea")).relevance == 1.0  # once more
    assert judge.relevances().tolist() == labels
    assert judge.relevance("http://test/seed") == 0.0
