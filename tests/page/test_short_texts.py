"""Short texts as rows, against the page room's own weights."""

from __future__ import annotations

from collections import Counter
from math import hypot, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page import terms, weigh
from fcacrawler.page.text.background import background
from fcacrawler.page.text.short_texts import Lexicon, dense, number
from fcacrawler.page.text.vocabulary import vocabulary

TEXTS = ["Steam locomotives of the railway", "", "the of and", "race race RACE car", "day time year people", "日本"]
TEXTS += ["engine 1829472, 1829472 and 12345", "9" * 40, "9" * 41, "8a7f3c9 ٣٤٥٦٧٨٩"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_row_holds_the_weights_that_a_page_would_have(text: str) -> None:
    ids, values = Lexicon("en").rows([text])[0]
    expected = {number(t): w for t, w in weigh(terms(text, "en"), "en").items()}
    assert dict(zip(ids.tolist(), values.tolist(), strict=True)) == pytest.approx(expected, abs=1e-3)


@given(st.lists(st.text(max_size=40), max_size=5))
def test_a_text_has_the_same_row_alone_and_in_company_of_norm_1_or_empty(texts: list[str]) -> None:
    lexicon = Lexicon("en")
    rows = lexicon.rows(texts)
    for i, text in enumerate(texts):
        ids, values = rows[i]
        alone = lexicon.rows([text])[0]
        np.testing.assert_array_equal(ids, alone[0])
        np.testing.assert_array_equal(values, alone[1])
        assert not len(values) or np.linalg.norm(values) == pytest.approx(1)


@given(st.lists(st.text(st.characters() | st.sampled_from("car race Race 1966 é–日<\u0338 ")), max_size=4))
def test_rows_are_tallied_as_by_hand(texts: list[str]) -> None:
    rows, known = Lexicon("en").rows(texts), background("en")
    for i, text in enumerate(texts):
        weights = {
            number(stem): (1 + log(n)) * fine
            for stem, n in Counter(terms(text, "en")).items()
            if (fine := round(known.idf(stem) * 4096) / 4096)
        }
        ids, values = rows[i]
        assert ids.tolist() == sorted(weights)
        assert values.tolist() == pytest.approx([weights[n] / hypot(*weights.values()) for n in sorted(weights)])
    assert rows.owner.tolist() == [i for i in range(len(texts)) for _ in rows[i][0]]


def test_long_numbers_of_urls_do_not_fill_the_vocabulary() -> None:
    lexicon = Lexicon("en")
    lexicon.rows(["engine 1000000"])
    known = len(vocabulary("en").stems.names)
    for n in range(1_000_001, 1_000_100):
        assert len(lexicon.rows([f"engine {n}"])[0][0]) == 2
    assert len(vocabulary("en").stems.names) == known


def test_a_row_times_the_topic_is_the_cosine() -> None:
    topic = weigh(terms("steam railway", "en"), "en")
    rows = Lexicon("en").rows(["railway", "music", ""])
    assert rows.dot(dense(topic)).tolist() == pytest.approx([topic["railway"], 0.0, 0.0], abs=1e-6)


def test_words_that_every_page_has_say_nothing_rather_than_nothing_at_all() -> None:
    rows = Lexicon("en").rows([" ".join(["one", "new", "time", "first", "said"])])
    assert np.isfinite(rows.values).all()
