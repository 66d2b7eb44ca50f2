"""Which classes a text speaks of (Definition 3): the trie against the plainest way to find phrases."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.ontology.lexicon import Lexicon, words_by_class
from fcacrawler.ontology.model import Ontology, OntologyClass, Word
from fcacrawler.ontology.words import Reader, Reading
from fcacrawler.page.text.words import terms
from tests.ontology.model import READER, shop

ENGLISH = Reader(terms)


def found(ontology: Ontology, text: str, language: str = "en", reader: Reader = ENGLISH) -> Counter[str]:
    return Lexicon(ontology, language, reader).frequencies(reader.tokens(text, language))


def test_inflected_words_and_phrases_with_stop_words_are_found() -> None:
    o = shop(Book="book", Terms="terms of sale", Cart="add to basket")
    assert found(o, "Books by authors. Our Term of Sales. Add this book to your basket!") == {"Book": 2, "Terms": 1}
    assert found(o, "Add to basket") == {"Cart": 1}


def test_stop_words_tell_phrases_apart_and_name_nothing_alone() -> None:
    o = shop(Book="book", Used="used book", Ebook="e-book", Second="second-hand", Condition="used")
    assert found(o, "a used book, an e-book, second-hand things, used hand, the book") == {
        "Used": 1,
        "Ebook": 1,
        "Second": 1,
        "Book": 1,
    }


def test_the_longest_phrase_wins_and_its_parts_do_not_count() -> None:
    o = shop(Book="book", Shelf="book shelf", Kit="book shelf assembly kit")
    assert found(o, "a book shelf and a book shelf assembly kit and a book") == {"Shelf": 1, "Kit": 1, "Book": 1}


def test_as_printed_a_word_counts_inside_a_longer_phrase_too() -> None:
    lexicon = Lexicon(shop(Book="book", Shelf="book shelf"), "en", READER)
    assert lexicon.frequencies(READER.tokens("book shelf", "en"), overlapping=True) == {"Book": 1, "Shelf": 1}


def test_a_word_of_two_classes_counts_for_both() -> None:
    assert found(shop(Bank="bank", Seat="bank"), "the bank") == {"Bank": 1, "Seat": 1}


def test_of_two_words_with_one_stem_the_one_that_is_written_alike_counts() -> None:
    o = shop(Book="book", Booking="booking")
    assert found(o, "books") == {"Book": 1}
    assert found(o, "the booking") == {"Booking": 1}


def test_verbs_are_no_class_words_in_english() -> None:
    o = shop(Book="book", Order="order", Shipping="shipping")
    assert found(o, "You can book a room, please order early, we ship; booked, booking") == {}
    assert found(o, "to books, the order, free shipping, for shipping") == {"Book": 1, "Order": 1, "Shipping": 2}


def test_verbs_are_no_class_words_in_german() -> None:
    o = Ontology("o", (OntologyClass("Buch", (Word("Buch", "de"),)), OntologyClass("Used", (Word("gebraucht", "de"),))))
    assert found(o, "Bücher buchen wir gern, das Buch ist gebraucht", "de") == {"Buch": 2, "Used": 1}


def test_without_the_noun_filter_every_word_counts() -> None:
    reader = Reader(terms, nouns=False)
    assert found(shop(Book="book"), "to book, booked", reader=reader) == {"Book": 2}


def test_a_page_is_read_with_the_words_of_its_language_or_with_all() -> None:
    o = Ontology("o", (OntologyClass("Rad", (Word("Rad", "de"), Word("bike", "en"), Word("velo"))),))
    assert found(o, "bike Rad velo", "en") == {"Rad": 2}
    assert found(o, "bike Rad velo", "de") == {"Rad": 2}
    assert found(o, "bike Rad velo", "fr") == {"Rad": 3}


def test_a_class_without_words_matches_nothing_and_does_no_harm() -> None:
    assert found(shop(Nothing="", Book="book", Stop="the"), "the book") == {"Book": 1}


def test_the_words_that_spoke_for_a_class_are_told() -> None:
    lexicon = Lexicon(shop(Book="book, tome"), "en", ENGLISH)
    matches = lexicon.matches(ENGLISH.tokens("Tomes, books and a book", "en"))
    assert words_by_class(matches) == {"Book": {"tomes": 1, "books": 1, "book": 1}}


letters = st.text("ab", min_size=1, max_size=1)
phrase = st.lists(letters, min_size=1, max_size=4).map(" ".join)


@given(st.dictionaries(st.sampled_from("VWXYZ"), st.lists(phrase, min_size=1, max_size=3)), st.lists(letters))
def test_the_trie_finds_what_looking_everywhere_finds(lexicon: dict[str, list[str]], text: list[str]) -> None:
    o = Ontology("o", tuple(OntologyClass(iri, tuple(map(Word, words))) for iri, words in sorted(lexicon.items())))
    reader = Reader(lambda text, language: [text])
    tokens = reader.tokens(" ".join(text), "")
    entries = {(tuple(w.split()), iri) for iri, words in lexicon.items() for w in words}
    everywhere = [
        (start, words, iri)
        for start in range(len(text))
        for words, iri in entries
        if tuple(text[start : start + len(words)]) == words
    ]
    trie = Lexicon(o, "", reader)
    assert trie.frequencies(tokens, overlapping=True) == Counter(iri for _, _, iri in everywhere)
    longest, at = Counter[str](), 0
    while at < len(text):
        here = [(words, iri) for start, words, iri in everywhere if start == at]
        most = max((len(words) for words, _ in here), default=1)
        longest.update(iri for words, iri in here if len(words) == most)
        at += most
    assert trie.frequencies(tokens) == longest


def test_what_the_reader_forgets_it_learns_again() -> None:
    calls: list[str] = []
    reader = Reader(lambda text, language: calls.append(text) or [text])  # type: ignore[func-returns-value]
    reader.tokens("one one two", "en")
    assert calls == ["one", "two"]
    assert reader.tokens("Booking", "en")[0].reading is Reading.DERIVED
