"""What a page's text says against the background of its web."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcacrawler.judge.contrast import KEPT, Contrast, top
from fcacrawler.judge.profile import dot, norm, total
from fcacrawler.page.text.short_texts import number, weighted

TOPIC = norm({"course": 1.0, "grade": 0.7, "menu": 0.6})
WORDS = ["course", "grade", "menu", "print", "dog", "cat", "bird"]
pages = st.dictionaries(st.sampled_from(WORDS), st.floats(0.1, 1.0), min_size=1).map(norm)


def slowly(web: Sequence[Mapping[str, float]], topic: Mapping[str, float], firm: float) -> list[float]:
    """The formula, word by word."""
    d = [len(p) / (len(p) + 40) for p in web]
    t = [dn * dot(p, topic) for p, dn in zip(web, d, strict=True)]
    best = top(np.array(t))
    g = [dn / (1 + math.exp(min(700.0, (tn / best - 0.5) / 0.08))) for tn, dn in zip(t, d, strict=True)]
    background = norm(total(zip(web, g, strict=True)))
    aim = total([(topic, 1.0), (background, -0.4 * firm * sum(g) / (sum(g) + 10))])
    return [dn * dot(p, aim) for p, dn in zip(web, d, strict=True)]


def texts_of(web: Sequence[Mapping[str, float]], topic: Mapping[str, float] = TOPIC, firm: float = 1.0) -> list[float]:
    contrast = Contrast()
    contrast.aim(topic, firm)
    texts = np.array([contrast.add(*weighted(p)) for p in web])
    contrast.judge(texts)
    return list(texts.tolist())


@settings(max_examples=100, deadline=None)
@given(st.lists(pages, min_size=1, max_size=30), st.floats(0, 1))
def test_a_text_says_what_the_formula_says(web: list[Mapping[str, float]], firm: float) -> None:
    assert texts_of(web, firm=firm) == pytest.approx(slowly(web, TOPIC, firm), abs=1e-6)


def test_a_word_that_the_other_pages_have_too_speaks_less_for_the_topic_than_one_that_they_lack() -> None:
    def said(word: str, own: str) -> Mapping[str, float]:
        return norm({word: 1.0} | {f"{own}{k}": 0.1 for k in range(60)})

    web = [said("menu", "a"), said("grade", "b"), *(said("menu", f"{n}-") for n in range(150))]
    topic = norm({"course": 1.0, "grade": 0.3, "menu": 0.3})
    best = [norm({"course": 1.0} | {f"c{n}{k}": 0.1 for k in range(60)}) for n in range(20)]
    alone, among = texts_of([*web[:2], *best], topic), texts_of([*web, *best], topic)
    assert alone[0] == pytest.approx(alone[1], rel=0.1)
    assert among[0] < 0.2 * among[1]
    assert among == pytest.approx(slowly([*web, *best], topic, 1.0), abs=2e-4)
    assert among != pytest.approx(slowly([*web, *best], topic, 0.9), abs=2e-4)


def speech_slowly(web: Sequence[Mapping[str, float]], relevance: Sequence[float]) -> Mapping[str, float]:
    """The formula, word by word."""
    d = [len(p) / (len(p) + 40) for p in web]
    rest = [(1 - r) * dn for r, dn in zip(relevance, d, strict=True)]
    on = norm(total(zip(web, [r * dn for r, dn in zip(relevance, d, strict=True)], strict=True)))
    return total([(on, 1.0), (norm(total(zip(web, rest, strict=True))), -0.4 * sum(rest) / (sum(rest) + 10))])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(pages, st.just(0.0) | st.floats(0.01, 1.0)), min_size=1, max_size=30)
)  # sums below 1e-6 are none
def test_relevant_pages_speak_as_the_formula_says(judged: list[tuple[Mapping[str, float], float]]) -> None:
    contrast = Contrast()
    for page, _ in judged:
        contrast.add(*weighted(page))
    web, relevance = zip(*judged, strict=True)
    expected = speech_slowly(web, relevance)
    speech = contrast.speech(np.array(relevance))
    assert [speech[number(w)] for w in WORDS] == pytest.approx([expected.get(w, 0.0) for w in WORDS], abs=1e-4)


def test_by_hand_a_word_of_relevant_pages_counts_for_them_and_one_of_all_pages_less() -> None:
    contrast = Contrast()
    for page in ({"course": 0.8, "menu": 0.6}, {"dog": 0.8, "menu": 0.6}):
        contrast.add(*weighted(page))
    speech = contrast.speech(np.array([1.0, 0.0]))  # F is the first page, R the second, m = 2/42
    doubt = 0.4 * (2 / 42) / (2 / 42 + 10)
    said = [speech[number(w)] for w in ("course", "dog", "menu", "cat")]
    assert said == pytest.approx([0.8, -0.8 * doubt, 0.6 - 0.6 * doubt, 0.0])


def test_few_words_say_little() -> None:
    short, long = {"course": 1.0}, {"course": 1.0, **{f"w{n}": 0.0 for n in range(39)}}
    found = texts_of([short, long])
    assert found[1] == pytest.approx(found[0] * (40 / 80) / (1 / 41))


def test_the_words_of_the_latest_pages_only_are_kept() -> None:
    contrast = Contrast()
    contrast.aim(TOPIC)
    texts = np.array([contrast.add(*weighted({"dog": 1.0, "course": 0.2})) for _ in range(2 * KEPT)])
    first = texts[0]
    contrast.judge(texts)
    assert len(contrast._latest) <= KEPT + KEPT // 4
    assert texts[0] == first != texts[-1]
    assert contrast.again(0, *weighted({"course": 1.0})) > first


def test_pages_without_words_and_a_topic_without_words_say_nothing() -> None:
    assert max(texts_of([{}, {"dog": 1.0}, {}], {})) == 0.0
    assert texts_of([{}]) == [0.0]
