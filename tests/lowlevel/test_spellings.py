"""Words that are looked up by their hashes: the same as those that the page room cuts a text into."""

from __future__ import annotations

from zlib import crc32

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fcacrawler.lowlevel.spellings import LONGEST, Spellings
from fcacrawler.page.text.words import STROKE, cut, tokens

PIECES = [
    *("ı", "İ", "Σ", "ς", "ß", "Ǆ", "é", "𝔸", "日本", "ภาษา", "한글", "हिन्दी", "كِتَاب"),
    *("\u0307", "\u0301", "\u0323", "\u212a", "\u1fef", "\u037e", "\ud800", "\udfff"),
    *("\0", "\x85", "\u2028", "\u3000", "\xa0", "“", "–", "’", "_", "\n", ",", "|", "'", " "),
    *("Aa", "zZ9", "12345", "1st", "q" * 99, "Q" * 100, "x" * 250, "é" * 120),
]
TEXT = st.lists(st.sampled_from(PIECES) | st.characters(max_codepoint=127) | st.characters(), max_size=30).map("".join)


def code(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass")) if word not in ",|" else 0


def codes(run: str) -> list[int]:
    return [code(word) for word in cut(run)]


def codes_of(runs: list[str]) -> list[list[int]]:
    """Of the words that are handed over."""
    assert all(run == run.lower() for run in runs if run.isascii())
    assert all(run.isalnum() and len(run) <= LONGEST for run in runs if run.isascii())
    return [codes(run) for run in runs]


@given(st.lists(st.lists(TEXT, max_size=4), max_size=3), st.booleans())
@example([["İstanbul ΑΣ'Α ΑΣ", "a“b”c–d’e"], ["", "ΑΣ", "Α, one\ntwo"]], True)
def test_the_words_of_any_texts_have_the_codes_of_their_tokens(pages: list[list[str]], marks: bool) -> None:
    spellings = Spellings(codes_of, 0 if marks else None, buckets=4)
    for texts in [*pages, *pages]:
        read = [text for text in texts if STROKE not in text]
        expected = [(code(t), n) for n, text in enumerate(read) for t in tokens(text, "en")]
        found, owner = spellings.read(read)
        pairs = list(zip(found.tolist(), owner.tolist(), strict=True))
        assert (marks and pairs == expected) or [p for p in pairs if p[0]] == [p for p in expected if p[0]]


def test_a_stroke_through_a_mark_does_not_stand_apart() -> None:
    assert tokens(f"a<{STROKE}b", "en") == ("a", "≮", "b") != ("a", *cut("<"), *cut(f"{STROKE}b"))


@pytest.mark.parametrize("word", ["w{}", "é{}", "{}–{}", "{}"])
def test_more_words_than_there_is_room_for_are_read_all_the_same(word: str) -> None:
    spellings = Spellings(codes_of, buckets=1)
    words = [word.format(n, n) for n in range(50)]
    for _ in range(2):
        found, owner = spellings.read(words)
        assert found.tolist() == [c for w in words for c in codes(w)]
        assert owner.tolist() == [n for n, w in enumerate(words) for _ in codes(w)]


def test_what_has_several_codes_never_takes_more_room_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcacrawler.lowlevel.spellings._SEVERAL", 10)
    spellings = Spellings(codes_of)
    for n in range(20):
        for _ in range(2):
            assert spellings.read([f"a–{n}é b"])[0].tolist() == [*codes(f"a–{n}é"), *codes("b")]
        assert len(spellings._several) < 30


def test_what_is_remembered_is_asked_for_once() -> None:
    asked: list[str] = []
    spellings = Spellings(lambda words: [[len(asked.append(word) or word)] for word in words])
    for _ in range(2):
        spellings.read(["Word word WORD 1966", "naïve 123456"])
    assert asked == ["word", "word", "word", "1966", "naïve", "123456", "123456"]
    spellings.clear()
    assert spellings.read(["word"])[0].tolist() == [4]
    assert asked[-1] == "word"
