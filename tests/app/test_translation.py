"""A topic's words in the language of its pages."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from fcacrawler.app.translation import DICTIONARIES, Translator, language_of_words, meanings
from fcacrawler.judge.languages import spoken_in
from fcacrawler.judge.profile import Profile
from fcacrawler.page import vector, words_in_urls
from fcacrawler.values.topics import Topic
from fcacrawler.vectors.static import Static
from tests.orders.pages import page

NOWHERE = Path("/nowhere")
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def dictionary(folder: Path, name: str, articles: Mapping[str, str]) -> Path:
    """A dictionary in dictd's format; numbers of two digits."""
    data, lines = b"", []
    for word, article in articles.items():
        here = f"{word} /x/\n{article}\n".encode()
        lines.append("\t".join([word, *(BASE64[n // 64] + BASE64[n % 64] for n in (len(data), len(here)))]))
        data += here
    (folder / f"{name}.index").write_text("\n".join(lines), "utf-8")
    (folder / f"{name}.dict.dz").write_bytes(gzip.compress(data))
    return folder / name


@pytest.mark.parametrize(
    ("words", "pages", "expected"),
    [
        ("mathematical formula editor", "de", "en"),
        ("mathematical formula editor", "en", "en"),
        ("mathematischer Formeleditor", "de", "de"),
        ("редактор формул", "de", "ru"),
        ("数式エディター", "en", "ja"),
        ("текст документ абзац страница", "en", "ru"),  # Ukrainian words too, but for their letters
        ("презентация слайды анимация", "en", "ru"),
        ("історія футболу", "en", "uk"),
        ("історія футболу", "ru", "uk"),
        ("desenho objetos formas", "en", "pt"),
        ("dibujo objetos formas", "en", "es"),
        ("Radsport", "de", "de"),
        ("football", "fr", "fr"),  # a French word too
        ("", "de", "de"),
        ("xqzt", "de", "de"),
    ],
)
def test_words_are_of_the_pages_language_unless_they_plainly_are_of_another(
    words: str, pages: str, expected: str
) -> None:
    assert language_of_words(words, pages) == expected


def test_words_are_looked_for_among_those_of_the_language_in_one_space() -> None:
    translated = Translator(vectors=Static.shipped(), dictionaries=NOWHERE)
    assert translated("physics formula for xqzt", "de") == {
        "physics": "physik",
        "formula": "formel",
        "xqzt": "xqzt",
    }
    assert translated("fútbol y tenis", "en") == {"fútbol": "football", "tenis": "tennis"}
    assert translated("Physik", "de") == {}
    assert Translator("de", Static.shipped(), NOWHERE)("Physik", "en") == {"physik": "physics"}
    assert Translator("en", Static.shipped(), NOWHERE)("Physik", "en") == {}


def test_a_dictionary_goes_before_the_vectors_and_of_its_meanings_the_one_that_suits_the_topic(tmp_path: Path) -> None:
    dictionary(
        tmp_path, "freedict-eng-deu", {"table": "1. Tisch, Tafel (at dinner)\n2. Tabelle <math>", "rows": "Zeilen"}
    )
    assert meanings(tmp_path / "freedict-eng-deu", "table") == ["tisch", "tafel", "tabelle"]
    assert meanings(tmp_path / "freedict-eng-deu", "chair") == meanings(tmp_path / "freedict-eng-fra", "table") == []
    asked = "spreadsheet table rows"
    assert Translator(dictionaries=tmp_path)(asked, "de")["table"] == "tisch"  # the commonest
    found = Translator(vectors=Static.shipped(), dictionaries=tmp_path)(asked, "de")
    assert (found["table"], found["rows"]) == ("tabelle", "zeilen")


@pytest.mark.parametrize("broken", [b"", b"\x1f\x8b no gzip", gzip.compress(b"torn" * 99)[:-9]])
def test_a_broken_dictionary_says_nothing(tmp_path: Path, broken: bytes) -> None:
    name = dictionary(tmp_path, "freedict-eng-deu", {"table": "Tisch"})
    name.with_suffix(".dict.dz").write_bytes(broken)
    name.with_suffix(".index").write_text("table\tA\nä\u0000\t??\t9\ntable\tA\t////////////\n", "utf-8")
    assert meanings(name, "table") in ([], ["tisch"])


@pytest.mark.skipif(
    not (DICTIONARIES / "freedict-eng-deu.index").exists(), reason="Debian's dict-freedict-eng-deu is not installed"
)
def test_freedicts_dictionary_is_read() -> None:
    assert "formel" in meanings(DICTIONARIES / "freedict-eng-deu", "formula")


def test_a_topic_is_what_its_words_say_in_the_language_of_the_first_seed() -> None:
    def translate(words: str, language: str) -> Mapping[str, str]:
        return {"train": "zug"} if language == "de" else {}

    topic = Profile(Topic("train"), lambda text, language: vector(text, language), words_in_urls, translate)
    assert topic.words == {"train": pytest.approx(1.0)}
    topic.learn(replace(page("s", "", depth=0), language="de"))
    topic.learn(replace(page("t", "", depth=0), language="en"))
    assert (topic.language, topic.translated, topic.words) == ("de", {"train": "zug"}, {"zug": pytest.approx(1.0)})


def test_a_seed_in_a_language_that_nobody_wants_leaves_the_topics_words_in_one_that_is_wanted() -> None:
    def translate(words: str, language: str) -> Mapping[str, str]:
        return {"zug": "train"} if language == "en" else {}

    def of(*wanted: str) -> Profile:
        def vectors(text: str, language: str) -> dict[str, float]:
            return vector(text, language)

        topic = Profile(Topic("Zug"), vectors, words_in_urls, translate, spoken_in(wanted))
        topic.learn(replace(page("s", "", depth=0), language="en"))
        return topic

    assert (of().language, of().words) == ("en", {"train": pytest.approx(1.0)})
    assert (of("de", "en").language, of("de", "en").translated) == ("en", {"zug": "train"})
    assert (of("de", "fr").language, of("de", "fr").words) == ("de", {"zug": pytest.approx(1.0)})
