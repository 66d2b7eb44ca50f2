"""Text → unit vector: near in meaning, near in angle. ``none``, ``static``, which ships, or a sentence model.

A text that a model cannot read has the zero vector: its similarity with everything is 0, and what asks falls back on
the words themselves. Equal texts have equal vectors, whenever they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fcacrawler.values.errors import FcaError
from fcacrawler.values.options import option

Array = NDArray[np.float32]


class Vectors(Protocol):
    """A source of vectors."""

    size: int
    languages: frozenset[str]  # ISO 639-1 codes of the languages it knows; empty: it does not say
    slow: bool  # ask for what will be needed from another thread first; asked again it answers from its cache

    def embed(self, texts: Sequence[str]) -> Array:
        """A row for each text: a unit vector, or zeros. Safe to call from several threads."""
        ...


@dataclass(frozen=True, slots=True)
class VectorOptions:
    """Which vectors a crawl compares texts by."""

    vectors: str = option("static", "vectors of texts: none, static, use, minilm (the extras), or a model folder")


def load_vectors(name: str) -> Vectors | None:
    """The vectors of that name; None for ``none``.

    >>> load_vectors("none") is None
    True
    """
    if name in ("", "none"):
        return None
    if name == "static":
        from fcacrawler.vectors.static import Static

        return Static.shipped()
    from fcacrawler.vectors.model import Model, installed_minilm

    if name == "use":
        from fcacrawler.vectors.use import LANGUAGES, Use

        return Model(Use(), LANGUAGES)
    from fcacrawler.vectors.bert import Bert

    folder = installed_minilm() if name == "minilm" else Path(name)
    if not folder.is_dir():
        raise FcaError(f"FCA_VECTORS={name}: there is no such folder; use none, static, use, minilm or a model folder")
    return Model(Bert(folder))


def embed(vectors: Vectors, texts: Sequence[str], language: str) -> Array:
    """The texts' vectors; zeros where the vectors do not know the language."""
    if vectors.languages and language and language not in vectors.languages:
        return np.zeros((len(texts), vectors.size), np.float32)
    return vectors.embed(texts)
