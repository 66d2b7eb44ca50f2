"""Short texts as rows, against the page room's own weights."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page import terms, weigh
from fcacrawler.page.words import tokens
from fcacrawler.strategies.lexicon import Lexicon, dense, number
from fcacrawler.strategies.spellings import Spellings

TEXTS = ["Steam locomotives of the railway", "", "the of and", "race race RACE car", "day time year people", "日本"]


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


ASCII = st.text(st.characters(max_codepoint=127), max_size=250)


@given(st.lists(st.lists(ASCII, max_size=5), max_size=4))
def test_words_that_are_looked_up_by_their_hashes_are_those_that_the_page_room_finds(pages: list[list[str]]) -> None:
    def code(word: str) -> int:
        return crc32(word.encode())

    spellings = Spellings(code)
    for texts in [*pages, *pages]:
        expected = [(code(w), n) for n, text in enumerate(texts) for w in tokens(text, "en") if w[0].isalnum()]
        codes, owner = spellings.read(texts)
        assert list(zip(codes.tolist(), owner.tolist(), strict=True)) == expected


def test_more_words_than_there_is_room_for_are_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcacrawler.strategies.spellings.MOST", 100)
    spellings = Spellings(lambda word: int(word[1:]), buckets=1)
    for _ in range(2):
        codes, owner = spellings.read([f"w{n} w{n + 1}" for n in range(50)])
        assert codes.tolist() == [m for n in range(50) for m in (n, n + 1)]
        assert owner.tolist() == [n for n in range(50) for _ in range(2)]


def test_a_row_times_the_topic_is_the_cosine() -> None:
    topic = weigh(terms("steam railway", "en"), "en")
    rows = Lexicon("en").rows(["railway", "music", ""])
    assert rows.dot(dense(topic)).tolist() == pytest.approx([topic["railway"], 0.0, 0.0], abs=1e-6)


def test_words_that_every_page_has_say_nothing_rather_than_nothing_at_all() -> None:
    rows = Lexicon("en").rows([" ".join(["one", "new", "time", "first", "said"])])
    assert np.isfinite(rows.values).all()
