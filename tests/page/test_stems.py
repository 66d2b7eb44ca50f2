"""What is searched for is what ``tokens`` finds, one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page.text.stems import stems, stems_of
from fcacrawler.page.text.words import tokens

LANGUAGES = st.sampled_from(["en", "de", "tr", "hi", "zh", "ja", "ko", "ar", "th", ""])


@given(st.text(max_size=60), LANGUAGES, st.booleans())
def test_stems_are_those_of_the_tokens(text: str, language: str, every: bool) -> None:
    known = stems_of(language, every)
    one_by_one = [stem for token in tokens(text, language) if (stem := known[token]) and token not in ",|"]
    assert stems(text, language, every).split() == one_by_one


def test_a_language_without_a_stemmer_has_its_words_as_they_are() -> None:
    assert stems("Tàu hỏa chạy", "vi") == "tàu hỏa chạy"


def test_stop_words_are_searched_for_where_every_word_is() -> None:
    assert stems("Die Züge der Bahn", "de") == "zug bahn"
    assert stems("Die Züge der Bahn", "de", every=True) == "die zug der bahn"
