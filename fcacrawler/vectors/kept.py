"""An encoder whose answers lie in a folder, so that work of many minutes that was stopped goes on where it was."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fcacrawler.vectors.model import Encoder

Array = NDArray[np.float32]


class Kept:
    """The encoder's answers to the same texts, in the same company: a file each."""

    def __init__(self, encoder: Encoder, folder: Path, name: str) -> None:
        """``name`` stands for the model and how it is asked."""
        self._encoder, self._folder, self._name = encoder, folder, name
        self.size = encoder.size

    def encode(self, texts: Sequence[str]) -> Array:
        asked = "\n".join((self._name, *texts)).encode("utf-8", "surrogatepass")
        file = self._folder / f"{sha256(asked).hexdigest()[:32]}.npy"
        if file.exists():
            return np.asarray(np.load(file), np.float32)
        found = self._encoder.encode(texts)
        self._folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        with part.open("wb") as to:
            np.save(to, found)
        os.replace(part, file)
        return found
