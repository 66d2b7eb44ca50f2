"""Words that a user put together are looked for together."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from fcacrawler.judge.echo import Echo
from fcacrawler.judge.phrases import Phrases
from fcacrawler.page import terms, vector
from fcacrawler.values.links import Evidence
from tests.orders.pages import page, vector_of


def english(word: str) -> dict[str, float]:
    return vector(word, "en")


def test_a_pair_counts_where_the_page_is_named_by_it_and_half_where_its_text_says_it() -> None:
    of = Phrases("regular expressions", english)
    plain = replace(page("x", "regular value expression"), title="Values")
    assert of.said(plain) == 0.0
    assert of.said(replace(plain, text="A Regular\n Expression matches.")) == 0.5
    assert of.said(replace(plain, title="re: regular-expression HOWTO")) == 1.0
    assert of.said(replace(plain, url="http://test/regular_expressions.html")) == 1.0
    assert of.said(replace(plain, evidence=(Evidence("http://test/", "Regular expressions", "", 0, 1),))) == 1.0
    assert of.said(replace(plain, text="regular and value expressions")) == 0.0


def test_of_three_words_there_are_two_pairs() -> None:
    of = Phrases("asyncio event loops", english)
    assert of.said(replace(page("x"), title="The event loop")) == 0.5
    assert of.said(replace(page("x"), title="asyncio's event loop", text="")) == 1.0


@pytest.mark.parametrize("words", ["", "tea", "replication and backup", "replication, backup", "機関車", "the of"])
def test_where_no_words_stand_together_every_page_says_it(words: str) -> None:
    assert Phrases(words, english).said(page("x", "a b")) == 1.0


def test_a_stem_that_is_no_beginning_of_its_word_is_found_too() -> None:
    assert terms("histories", "en") != ["histories"]
    of = Phrases("natural history", english)
    assert of.said(replace(page("x"), title="Natural histories")) == 1.0


def test_what_says_the_words_apart_is_heard_an_eighth_as_much() -> None:
    echo, of = Echo(vector_of("regular expression"), {}), Phrases("regular expression", vector_of)
    for name, text in ("apart", "regular a expression"), ("together", "a regular expression b c"):
        p = replace(page(name, text), title="")
        echo.add(p.url, p.terms, together=partial(of.said, p))
    apart, together = 3 / 43 * 2 / 6**0.5 / 8, 5 / 45 * 2 / 10**0.5 * (1 / 8 + 7 / 16)
    heard = echo.vector()
    assert heard["b"] / heard["a"] == pytest.approx(together / 5**0.5 / (together / 5**0.5 + apart / 3**0.5))
