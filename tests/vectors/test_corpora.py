"""What vectors are fitted to, out of files as WordNet and Debian have them."""

from __future__ import annotations

import bz2
from pathlib import Path

import pytest

from fcacrawler.values.errors import FcaError
from fcacrawler.vectors.corpora import compounds, glosses, sentences

NOUNS = """  1 This software and database is being provided to you
guinea_pig n 2 1 @ 2 0 02363000 10170000
abc n 1 1 @ 1 0 06500000
a_cappella_singing n 1 1 @ 1 0 00545000
steam_engine n 1 2 @ ~ 1 1 04309000
"""
MEANINGS = """02363000 05 n 01 guinea_pig 0 001 @ 02362000 n 0000 | stout-bodied (nearly tailless) cavy; "kept as a pet"
04309000 06 n 01 steam_engine 0 001 @ 03288000 n 0000 | external-combustion engine
00000001 06 n 01 x 0 000 | short
"""
GERMAN = """Package: golly
Description-md5: 1234567890
Description-de: Simulator für Zellularautomaten
 Golly simuliert zelluläre Automaten. Es kann sehr
 große Muster zeigen, kurz.
 .
 Ein weiterer Absatz steht hier.

"""


def test_compounds_and_glosses_of_wordnet(tmp_path: Path) -> None:
    (tmp_path / "index.noun").write_text(NOUNS, "latin-1")
    for kind in ("noun", "verb", "adj"):
        (tmp_path / f"data.{kind}").write_text(MEANINGS if kind == "noun" else "", "latin-1")
    assert compounds(tmp_path) == ["guinea pig", "steam engine"]
    assert sorted(glosses(tmp_path)) == [("en", "external-combustion engine"), ("en", "stout-bodied  cavy")]
    assert len(glosses(tmp_path, 1)) == 1


def test_sentences_of_descriptions(tmp_path: Path) -> None:
    (tmp_path / "Translation-de.bz2").write_bytes(bz2.compress(GERMAN.encode()))
    (tmp_path / "Translation-xx.bz2").write_bytes(bz2.compress(GERMAN.encode()))
    assert sorted(sentences(tmp_path)) == [
        ("de", "Ein weiterer Absatz steht hier."),
        ("de", "Es kann sehr große Muster zeigen"),
        ("de", "Golly simuliert zelluläre Automaten."),
        ("de", "Simulator für Zellularautomaten"),
    ]
    assert sentences(tmp_path, 2) == sentences(tmp_path)[:2]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FcaError, match="wordnet-base"):
        compounds(tmp_path)
    with pytest.raises(FcaError, match=r"Translation-de\.bz2"):
        sentences(tmp_path)
