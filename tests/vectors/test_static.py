"""Static vectors against the slow, obvious version: one word after the other, in float64."""

from __future__ import annotations

import zipfile
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.vectors import load_vectors
from fcacrawler.vectors.parts import parts, spellings, words
from fcacrawler.vectors.static import Rows, Static
from fcacrawler.vectors.use import PINNED

SHIPPED = Static.shipped()
FOLDER = files("fcacrawler.vectors") / "data"
NAMES = (FOLDER / "words.txt").read_text(encoding="utf-8").split("\n")
FINE, FINE_BOOKS, CODES, BOOKS, SCALES = (np.load(str(FOLDER / f"{n}.npy")) for n in Rows._fields)
PLAIN = spellings(NAMES)


def row(word: int) -> list[float]:
    """A word's numbers one after the other: the k-th of a byte stands k times the bytes after it."""
    codes, books = (FINE[word], FINE_BOOKS) if word < len(FINE) else (CODES[word - len(FINE)], BOOKS)
    return [float(books[byte, code, k]) for k in range(books.shape[2]) for byte, code in enumerate(codes)]


def slowly(text: str) -> list[float]:
    total = np.zeros(SHIPPED.size)
    known = {name: i for i, name in enumerate(NAMES)}
    for word in words(text):
        for part in parts(word, known, PLAIN):
            total += float(SCALES[known[part]]) * np.array(row(known[part]))
    length = float(np.sqrt((total**2).sum()))
    return list(total / length) if length else list(total)


@pytest.mark.parametrize(
    "text",
    [
        "Steam locomotive",
        "the pachycephalosaurus",
        "Café-Concert",
        "",
        "日本語",
        "a",
        "PM2.5 x y",
        "zzz qqqqq",
        "Paketverwaltung",
    ],
)
def test_a_text_is_the_normed_sum_of_its_words(text: str) -> None:
    np.testing.assert_allclose(SHIPPED.embed([text])[0], slowly(text), atol=1e-5)


@given(st.lists(st.text(max_size=30), max_size=6))
def test_a_text_has_the_same_vector_alone_and_in_company(texts: list[str]) -> None:
    together = SHIPPED.embed(texts)
    assert together.shape == (len(texts), SHIPPED.size)
    for text, row in zip(texts, together, strict=True):
        np.testing.assert_array_equal(row, SHIPPED.embed([text])[0])
        assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5) or not row.any()


def test_what_is_near_in_meaning_is_near_in_angle() -> None:
    train, railway, violin = SHIPPED.embed(["steam train", "railway locomotive", "violin concerto"])
    assert train @ railway > 0.5 > 0.2 > train @ violin


def test_texts_of_unknown_scripts_have_the_zero_vector() -> None:
    assert not SHIPPED.embed(["ელექტრო", "", "  "]).any()


@pytest.mark.parametrize(
    ("text", "translation", "other"),
    [
        ("Paketverwaltung", "package management", "violin concerto"),
        ("base de datos", "database", "violin concerto"),
        ("système de fichiers", "file system", "steam train"),
        ("機械學習", "machine learning", "steam train"),
        ("データベース", "database", "violin concerto"),
        ("데이터베이스", "database", "violin concerto"),
        ("база данных", "database", "violin concerto"),
        ("قاعدة بيانات", "database", "violin concerto"),
        ("kütüphane", "library", "violin concerto"),
    ],
)
def test_all_languages_share_one_space(text: str, translation: str, other: str) -> None:
    said, translated, off = SHIPPED.embed([text, translation, other])
    assert said @ translated > max(0.3, said @ off + 0.2)


def test_accents_may_be_left_out() -> None:
    plain = SHIPPED.embed(["uebersicht", "ubersicht", "sistema de archivos", "lodz"])
    np.testing.assert_array_equal(plain, SHIPPED.embed(["Übersicht", "übersicht", "Sistema de archivos", "Łódź"]))


def test_the_vectors_can_be_read_from_a_zipped_egg(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "egg.zip", "w") as egg:
        for name in ("words.txt", "provenance.json", *(f"{n}.npy" for n in Rows._fields)):
            egg.writestr(f"data/{name}", (FOLDER / name).read_bytes())
    read = Static.read(zipfile.Path(tmp_path / "egg.zip", "data/"))
    np.testing.assert_array_equal(read.embed(["steam train"]), SHIPPED.embed(["steam train"]))


def test_what_ships_is_at_most_fourteen_megabytes_with_provenance() -> None:
    files_of = list(Path(str(FOLDER)).iterdir())
    assert sum(f.stat().st_size for f in files_of) <= 14_000_000
    assert "Apache" in (FOLDER / "PROVENANCE.txt").read_text()
    assert PINNED in (FOLDER / "provenance.json").read_text()
    assert "53aa5117" in (FOLDER / "provenance.json").read_text()


def test_static_is_what_the_name_static_means() -> None:
    static = load_vectors("static")
    assert isinstance(static, Static)
    assert static.size == 256
    assert {"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"} == static.languages


def test_the_nearest_words_are_those_of_the_greatest_cosines_in_the_texts_language() -> None:
    for text, most, among in (("steam locomotive", 8, NAMES[: len(FINE)]), ("lokomotive", 8, NAMES)):
        vector = SHIPPED.embed([text])[0]
        near = SHIPPED.near(text, most)
        assert len(near) == most
        assert [c for _, c in near] == sorted((c for _, c in near), reverse=True)
        for name, cosine in near:
            assert name in among
            assert cosine == pytest.approx(float(SHIPPED.embed([name])[0] @ vector), abs=1e-4)
    assert "railway" in dict(SHIPPED.near("steam locomotive", 20))
    assert SHIPPED.near("", 3) == []
