"""The rules of C4, Gopher and FineWeb, with numbers worked by hand."""

from __future__ import annotations

import pytest

from fcacrawler.page.text.quality import quality

GOOD = "\n".join(
    f"The cat number {n} sat down with a dog, and that is all there is to say of it today." for n in range(6)
)


def numbers(text: str) -> dict[str, float]:
    return quality(text, "en").numbers


def flags(text: str, language: str = "en") -> list[str]:
    return list(quality(text, language).flags)


def test_c4_counts_the_sentences_of_lines_that_it_keeps() -> None:
    text = "\n".join(
        (
            "One here. Two here! Three here?",  # 3
            "no end here at all",
            "Two words.",
            "This page needs JavaScript to work.",
            "Read our privacy policy before you go.",
            "It goes on and on...",
            'He said "so it is."',  # 1
            "It is cited here.[12]",  # 1
        )
    )
    found = numbers(text)
    assert found["c4_sentences"] == 5
    assert found["c4_lines_kept"] == 3 / 8
    assert "c4: too few sentences" not in flags(text)
    assert "c4: too few sentences" in flags(text.replace("Three here?", ""))
    assert "c4: curly bracket" in flags("f() { }")
    assert "c4: lorem ipsum" in flags("Lorem  ipsum".replace("  ", " "))


def test_gopher_counts_words_and_what_they_are() -> None:
    found = numbers("The cat, the #1 dog … (and) 12 - of\n• so")
    # words: The cat the #1 dog and 12 of so; not: … - •
    assert found["words"] == 9
    assert found["mean_word"] == round((3 + 3 + 3 + 2 + 3 + 3 + 2 + 2 + 2) / 9, 4)
    assert found["hashes"] == found["ellipses"] == round(1 / 9, 4)
    assert found["bullet_lines"] == 1 / 2
    assert found["alphabetic_words"] == round(7 / 12, 4)
    assert found["stop_words"] == 3


def test_gopher_counts_repetitions() -> None:
    found = numbers("a b c d e\na b c d e\nx")  # characters of words: 11
    assert found["repeated_lines"] == round(1 / 3, 4)
    assert found["repeated_line_chars"] == round(9 / 19, 4)
    assert found["top_2_words"] == round(2 * 2 / 11, 4)
    assert found["top_4_words"] == round(2 * 4 / 11, 4)
    assert found["repeated_5_words"] == round(10 / 11, 4)
    assert found["repeated_6_words"] == 0
    assert numbers("a a a a")["repeated_5_words"] == 0
    assert numbers("a a a")["top_2_words"] == round(2 * 2 / 3, 4)


def test_fineweb_counts_lines() -> None:
    found = numbers("Ends here.\nno end and longer than thirty characters\nshort")
    assert found["ended_lines"] == round(1 / 3, 4)
    assert found["short_lines"] == round(2 / 3, 4)
    assert found["lines_a_word"] == round(2 / 10, 4)


def test_prose_breaks_no_rule_but_the_one_that_it_breaks() -> None:
    prose = " ".join(f"word{n}x of the tale and more" for n in range(12))
    text = "\n".join(f"{prose.replace('word', w)} ends." for w in ("some", "other", "third", "fourth", "fifth"))
    assert [flag for flag in flags(text) if not flag.startswith("gopher: repeated words")] == []


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("word " * 10, "gopher: too few words"),
        ("a b c d e f g h i j " * 10, "gopher: length of words"),
        ("# one " * 60, "gopher: hashes"),
        ("12 34 word 56 78 " * 20, "gopher: words without letters"),
        ("nothing common here\n" * 30, "gopher: stop words"),
        ("The same line again and again.\n" * 10, "gopher: repeated lines"),
        ("Menu\nHome\nNews\nAbout\n" * 10, "fineweb: short lines"),
        ("Menu\nHome\nNews\nAbout\n", "fineweb: a list"),
        (GOOD + "\n" + GOOD, "fineweb: repeated lines"),
        ("no end here\nnor here\nnor there", "fineweb: lines without an end"),
    ],
)
def test_what_breaks_a_rule_is_flagged(text: str, flag: str) -> None:
    assert flag in flags(text)


def test_stop_words_are_asked_of_english_alone() -> None:
    assert "gopher: stop words" not in flags("Heute gibt es hier gar nichts zu sehen. " * 10, "de")


def test_no_text_breaks_rules_and_fails_nowhere() -> None:
    assert "gopher: too few words" in flags("")
