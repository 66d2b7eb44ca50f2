"""A sentence model → one row a word, small enough to ship (after model2vec, Tulkens & van Dongen 2024).

1. Every word piece, and the commonest words that are not one piece, pass through the model alone.
2. Their mean is taken away, since all vectors of a sentence model lean one way, and PCA keeps ``size`` directions.
3. A word weighs (7.5 - zipf) / 7.5, at least 0.2: the commoner, the less it says.
4. Fitted to phrases, if there are any: the sum over a phrase's words shall point where the model sees the phrase.
   min Σ |Σ rows / length - phrase|² + |rows - rows before|², a ridge that knows compounds ("guinea pig").
5. A row becomes int8 and a scale.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from wordfreq import top_n_list, zipf_frequency

from fcacrawler.vectors.bert import Bert
from fcacrawler.vectors.static import Static

Array = NDArray[np.float32]
Progress = Callable[[str, int, int], None]  # what, how many are done, of how many
SLICE = 1024  # texts between two words of progress
ROUNDS, STEPS = 2, 12  # of the fit: lengths are taken anew, conjugate gradients


def distill(model: Path, out: Path, phrases: Sequence[str], size: int, rows: int, progress: Progress) -> Static:
    """Write words.txt, vectors.npy, scales.npy and provenance.json to ``out``; answer what they hold."""
    encoder = Bert(model)
    names = choose(list(encoder.pieces.vocabulary), rows)
    raw = _alone(encoder, names, progress)
    mean = raw[[n.isalpha() and len(n) > 2 for n in names]].mean(0)
    axes = principal(raw - mean, size)
    weighted = ((raw - mean) @ axes) * weights(names)[:, None]
    if phrases:
        seen = (_encode(encoder, phrases, "phrases", progress) - mean) @ axes
        weighted = fit(weighted, _uses(names, weighted, phrases), seen / np.linalg.norm(seen, axis=1, keepdims=True))
    quantised, scales = quantise(weighted)
    out.mkdir(parents=True, exist_ok=True)
    (out / "words.txt").write_text("\n".join(names), encoding="utf-8")
    np.save(out / "vectors.npy", quantised)
    np.save(out / "scales.npy", scales)
    about = {
        "model": json.loads((model / "config.json").read_text(encoding="utf-8")).get("_name_or_path", ""),
        "model.safetensors sha256": hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest(),
        "rows": len(names),
        "size": size,
        "phrases": len(phrases),
        "made": datetime.now(UTC).date().isoformat(),
    }
    (out / "provenance.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    return Static.read(out)


def choose(vocabulary: Sequence[str], rows: int) -> list[str]:
    """The Latin pieces, then the commonest English words that are not one piece, ``rows`` in all."""
    known = set(vocabulary)
    found = [p for p in vocabulary if (bare := p.removeprefix("##")).isascii() and bare.isalnum()]
    common = (w for w in top_n_list("en", 2 * rows) if w.isascii() and w.isalpha() and len(w) > 2 and w not in known)
    return (found + [w for w, _ in zip(common, range(max(0, rows - len(found))), strict=False)])[:rows]


def weights(names: Sequence[str]) -> Array:
    """
    >>> [f"{w:.2f}" for w in weights(["the", "railway"])]
    ['0.20', '0.41']
    """
    zipf = np.array([zipf_frequency(n.removeprefix("##"), "en") for n in names])
    return np.maximum(0.2, (7.5 - zipf) / 7.5).astype(np.float32)


def principal(centred: Array, size: int) -> Array:
    """The ``size`` directions in which the rows vary most, as columns."""
    _, axes = np.linalg.eigh(centred.T @ centred)
    return np.ascontiguousarray(axes[:, ::-1][:, :size], np.float32)


def fit(rows: Array, uses: Any, phrases: Array) -> Array:
    """Rows whose sums (``uses``: phrases × rows, sparse counts) point at the phrases, near what they were."""
    fitted = rows.copy()
    for _ in range(ROUNDS):
        lengths = np.linalg.norm(uses @ fitted, axis=1)
        sums = sp.diags_array(1 / np.maximum(lengths, 1e-6)).astype(np.float32) @ uses
        fitted = fitted + _ridge(sums, phrases - sums @ fitted, rows - fitted)
    return fitted


def _ridge(sums: Any, residual: Array, back: Array) -> Array:
    """The x of least |sums·x - residual|² + |x - back|², by conjugate gradients, a column each."""
    x = np.zeros_like(back)
    r = sums.T @ residual + back
    p, rr = r.copy(), (r * r).sum(0)
    for _ in range(STEPS):
        a = sums.T @ (sums @ p) + p
        step = rr / np.maximum((p * a).sum(0), 1e-12)
        x += step * p
        r -= step * a
        before, rr = rr, (r * r).sum(0)
        p = r + rr / np.maximum(before, 1e-12) * p
    return x


def quantise(rows: Array) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """rows ≈ scales · int8, the largest number of each row becoming ±127.

    >>> [x.tolist() for x in quantise(np.array([[0.5, -1.0], [0.0, 0.0]], np.float32))]
    [[[64, -127], [0, 0]], [0.00787353515625, 0.0]]
    """
    scales = np.abs(rows).max(1) / 127
    numbers = np.rint(rows / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8)
    return numbers, scales.astype(np.float16)


def _uses(names: Sequence[str], rows: Array, phrases: Sequence[str]) -> Any:
    reader = Static(names, *quantise(rows))
    columns, owner = reader.numbers(phrases)
    starts = np.searchsorted(owner, np.arange(len(phrases) + 1))
    ones = np.ones(len(columns), np.float32)
    return sp.csr_array((ones, columns, starts), shape=(len(phrases), len(names)))


def _alone(encoder: Bert, names: Sequence[str], progress: Progress) -> Array:
    """Each name by itself; a piece by its number, since read as a text "##s" would be three marks and a letter."""
    known = encoder.pieces.vocabulary
    count = next((i for i, n in enumerate(names) if n not in known), len(names))
    out = np.zeros((len(names), encoder.size), np.float32)
    for start in range(0, count, SLICE):
        ids = np.array([[known["[CLS]"], known[n], known["[SEP]"]] for n in names[start : min(count, start + SLICE)]])
        out[start : start + len(ids)] = encoder.forward(ids, np.ones(ids.shape, np.float32))
        progress("word pieces", start + len(ids), count)
    if count < len(names):
        out[count:] = _encode(encoder, names[count:], "words", progress)
    return out


def _encode(encoder: Bert, texts: Sequence[str], what: str, progress: Progress) -> Array:
    parts = []
    for start in range(0, len(texts), SLICE):
        parts.append(encoder.encode(texts[start : start + SLICE], 24))
        progress(what, min(len(texts), start + SLICE), len(texts))
    return np.concatenate(parts)
