"""Static vectors against the slow, obvious version: one word after the other, in float64."""

from __future__ import annotations

import re
import unicodedata
import zipfile
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.vectors import load_vectors
from fcacrawler.vectors.static import Static
from fcacrawler.vectors.wordpiece import pieces

SHIPPED = Static.shipped()
FOLDER = files("fcacrawler.vectors") / "data"
NAMES = (FOLDER / "words.txt").read_text().split("\n")
ROWS, SCALES = (np.load(str(FOLDER / f"{n}.npy")) for n in ("vectors", "scales"))


def slowly(text: str) -> list[float]:
    total = np.zeros(ROWS.shape[1])
    bare = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
    known = {name: i for i, name in enumerate(NAMES)}
    for word in re.findall(r"[^\W_]+", bare):
        for piece in [word] if word in known else pieces(word, known):
            if piece in known:
                total += float(SCALES[known[piece]]) * ROWS[known[piece]].astype(float)
    length = float(np.sqrt((total**2).sum()))
    return list(total / length) if length else list(total)


@pytest.mark.parametrize(
    "text", ["Steam locomotive", "the pachycephalosaurus", "Café-Concert", "", "日本語", "a", "PM2.5 x_y", "zzz qqqqq"]
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
    assert not SHIPPED.embed(["日本語", "Привет", ""]).any()


def test_the_vectors_can_be_read_from_a_zipped_egg(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "egg.zip", "w") as egg:
        for name in ("words.txt", "vectors.npy", "scales.npy"):
            egg.writestr(f"data/{name}", (FOLDER / name).read_bytes())
    read = Static.read(zipfile.Path(tmp_path / "egg.zip", "data/"))
    np.testing.assert_array_equal(read.embed(["steam train"]), SHIPPED.embed(["steam train"]))


def test_what_ships_is_at_most_ten_megabytes_with_provenance() -> None:
    files_of = list(Path(str(FOLDER)).iterdir())
    assert sum(f.stat().st_size for f in files_of) <= 10_000_000
    assert "Apache" in (FOLDER / "PROVENANCE.txt").read_text()
    assert "53aa5117" in (FOLDER / "provenance.json").read_text()


def test_static_is_what_the_name_static_means() -> None:
    static = load_vectors("static")
    assert isinstance(static, Static)
    assert static.size == 256
