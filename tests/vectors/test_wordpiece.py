"""Word pieces, against what the models' own tokenizer says (the expected pieces were taken from it)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.values.errors import FcaError
from fcacrawler.vectors.wordpiece import WordPieces, pieces, words

VOCABULARY = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "naive": 4, "co": 5, "##operate": 6, "’": 7, "s": 8}


def test_accents_marks_and_blanks_are_read_as_the_model_was_taught() -> None:
    assert words("naïve\tcoöperate’s") == ["naive", "cooperate", "’", "s"]
    assert words("日本語 text") == ["日", "本", "語", "text"]
    assert words("  straße  über_alles") == ["straße", "uber", "_", "alles"]
    assert words("") == []


def test_a_word_is_cut_into_the_longest_pieces_known() -> None:
    assert WordPieces(VOCABULARY).numbers("Naïve coöperate’s tram") == [2, 4, 5, 6, 7, 8, 1, 3]


def test_a_text_is_cut_off_at_the_length_asked_for() -> None:
    assert WordPieces(VOCABULARY).numbers("naive " * 50, 5) == [2, 4, 4, 4, 3]


def test_a_word_of_more_than_a_hundred_letters_is_unknown() -> None:
    assert pieces("s" * 101, {"s": 0, "##s": 1}) == ["[UNK]"]


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    numbers = WordPieces(VOCABULARY).numbers(text)
    assert numbers[0] == 2
    assert numbers[-1] == 3


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps({"model": {"type": "Unigram"}})])
def test_another_tokenizer_is_refused_by_name(tmp_path: Path, content: str) -> None:
    (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(FcaError, match=r"tokenizer\.json"):
        WordPieces.read(tmp_path / "tokenizer.json")
