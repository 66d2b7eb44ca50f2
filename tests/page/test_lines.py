"""Stretches of a text as lines: what cutting and joining makes of them, and nothing that may not be shown gets by."""

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page.html.lines import lines
from fcacrawler.page.html.shown import printable

ODD = "\0\t\n\r\x1c\x85\xa0\xad\u1680\u180e\u200a\u200b\u2028\u202e\u202f\u205f\u3000\ud800\ufeff\U000e0001日é ab"


@given(st.lists(st.text(st.sampled_from(ODD) | st.characters())))
def test_each_line_holds_the_words_of_its_stretch(pieces: list[str]) -> None:
    ends = [len("".join(pieces[: n + 1])) for n in range(len(pieces))]
    found, plain = lines("".join(pieces), [0, *ends[:-1]][: len(ends)], ends)
    assert found == [" ".join(piece.split()) for piece in pieces]
    assert not plain or all(printable(line) == line for line in found)


def test_what_stands_between_the_stretches_is_in_no_line() -> None:
    assert lines("menu\u200b One\n two menu", [6, 10], [9, 14]) == (["One", "two"], True)
    assert lines("menu\u200b One", [0], [5]) == (["menu\u200b"], False)
