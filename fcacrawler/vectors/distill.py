"""Sentence models → one row a word, small enough to ship (after model2vec, Tulkens & van Dongen 2024).

1. Every English word piece, and the commonest words that are not one piece, pass through the model alone.
2. Their mean is taken away, since all vectors of a sentence model lean one way, and PCA keeps ``size`` directions.
3. A word weighs (7.5 - zipf) / 7.5, at least 0.2: the commoner, the less it says.
4. Fitted to phrases, if there are any: the sum over a phrase's words shall point where the model sees the phrase.
   min Σ |Σ rows / length - phrase|² + |rows - rows before|², a ridge that knows compounds ("guinea pig").
5. Words of other languages get rows in the same space by a second model, which knows all of them (``abroad``).
6. A row becomes a scale and some bytes, each of which names the nearest of the 256 entries of its book (k-means).
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from wordfreq import top_n_list, zipf_frequency

from fcacrawler.vectors.abroad import LISTED, Bridge, Teacher, Text, encode, less_mean, pairs, seen_alone, units, weight
from fcacrawler.vectors.abroad import choose as choose_abroad
from fcacrawler.vectors.bert import Bert
from fcacrawler.vectors.kept import Kept
from fcacrawler.vectors.model import Encoder
from fcacrawler.vectors.static import Rows, Static

Array = NDArray[np.float32]
Progress = Callable[[str, int, int], None]  # what, how many are done, of how many
EN = "en"
BASE = 14_000  # the commonest English words, the nearest of which say where another word is
HEARD = 30_000  # English texts, at most, that the second model hears
TRAINED, TURNS = 20_000, 8  # rows that books are made of, turns of k-means
ROUNDS, STEPS = 2, 12  # of the fit: lengths are taken anew, conjugate gradients


@dataclass(frozen=True, slots=True)
class Shape:
    """How large the table becomes."""

    english: int = 36_500  # rows of English words and word pieces
    others: int = 105_000  # rows of words of other languages, at most
    size: int = 256
    width: int = 64  # bytes a row, twice as many for English


def distill(
    model: Path, teacher: Teacher | None, out: Path, phrases: Sequence[str], texts: Sequence[Text], shape: Shape,
    progress: Progress,
) -> Static:  # fmt: skip
    """Write words.txt, the arrays of ``Rows`` and provenance.json to ``out``; answer what they hold. ``phrases`` are
    English, ``texts`` of other languages, which are left out without a ``teacher``. What the models have said lies in a
    folder beside ``out`` until all is written: what is stopped goes on from there."""
    digest = hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest()
    kept = out.with_name(f"{out.name}.kept")
    bert = Bert(model)
    names, rows = english(bert.pieces.vocabulary, Kept(English(bert), kept, digest), phrases, shape, progress)
    many, languages = len(names), ["en"]
    if teacher is not None:
        heard = Kept(teacher, kept, json.dumps(teacher.provenance()))
        names, rows = with_others(heard, names, rows, [*((EN, p) for p in phrases), *texts], shape.others, progress)
        languages = sorted(["en", *LISTED])
    write(out, names, rows, many, languages, shape.width)
    about = {
        "model": json.loads((model / "config.json").read_text(encoding="utf-8")).get("_name_or_path", ""),
        "model.safetensors sha256": digest,
        **({} if teacher is None else teacher.provenance()),
        "languages": languages, "rows": len(names), "english": many, "size": shape.size, "phrases": len(phrases),
        "texts": len(texts), "made": datetime.now(UTC).date().isoformat(),
    }  # fmt: skip
    (out / "provenance.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(kept, ignore_errors=True)
    return Static.read(out)


class English:
    """An English model, asked for short texts; a piece by its number, since read as a text "##s" would be three marks
    and a letter."""

    def __init__(self, encoder: Bert) -> None:
        self._encoder, self.size = encoder, encoder.size

    def encode(self, texts: Sequence[str]) -> Array:
        known = self._encoder.pieces.vocabulary
        start, end = known["[CLS]"], known["[SEP]"]
        out = np.zeros((len(texts), self.size), np.float32)
        pieces = [i for i, text in enumerate(texts) if text in known]
        if pieces:
            ids = np.array([[start, known[texts[i]], end] for i in pieces])
            out[pieces] = self._encoder.forward(ids, np.ones(ids.shape, np.float32))
        others = [i for i, text in enumerate(texts) if text not in known]
        if others:
            out[others] = self._encoder.encode([texts[i] for i in others], 24)
        return out


def english(
    vocabulary: Iterable[str], encoder: Encoder, phrases: Sequence[str], shape: Shape, progress: Progress
) -> tuple[list[str], Array]:
    """Words and word pieces, and their rows."""
    names = choose(list(vocabulary), shape.english)
    raw = encode(encoder, names, "English words", progress)
    mean = raw[[n.isalpha() and len(n) > 2 for n in names]].mean(0)
    axes = principal(raw - mean, shape.size)
    weighted = ((raw - mean) @ axes) * weights(names)[:, None]
    if phrases:
        seen = (encode(encoder, phrases, "phrases", progress) - mean) @ axes
        weighted = fit(weighted, uses(names, phrases), seen / np.linalg.norm(seen, axis=1, keepdims=True))
    return names, weighted


def with_others(
    teacher: Encoder, names: list[str], rows: Array, texts: Sequence[Text], most: int, progress: Progress
) -> tuple[list[str], Array]:
    """Words of other languages after the English ones; a spelling that is mostly theirs becomes theirs."""
    known = {name: i for i, name in enumerate(names)}
    at_home = [n for n in names if n.isalpha() and len(n) > 2]
    home = units(rows[[known[n] for n in at_home]])
    scale = float(np.median(np.linalg.norm(rows[[known[n] for n in at_home]], axis=1) / weights(at_home)))
    seen = seen_alone(teacher, at_home, 1 / 3, progress)
    means = {EN: seen.mean(0)}
    told = [text for language, text in texts if language == EN]
    told = told[:: max(1, -(-len(told) // HEARD))]
    heard = encode(teacher, told, "English texts", progress)
    base, taught = np.concatenate([seen - means[EN], heard - heard.mean(0)] if told else [seen - means[EN]]), [home]
    if told:
        columns = uses(names, told)
        taught.append(units(columns @ rows))
    bridge = Bridge(units(base), np.concatenate(taught), min(BASE, len(at_home)))

    found = choose_abroad(most)
    own = [word.language for word in found]
    seen = seen_alone(teacher, [word.name for word in found], 0.6, progress)
    means |= {language: seen[[o == language for o in own]].mean(0) for language in dict.fromkeys(own)}
    weight_of = np.array([weight(word.frequency) for word in found], np.float32)[:, None]
    new = bridge(less_mean(seen, own, means)) * scale * weight_of
    free = [i for i, word in enumerate(found) if word.name not in known]
    places = np.array([known.get(word.name, -1) for word in found])
    places[free] = np.arange(len(names), len(names) + len(free))
    names = names + [found[i].name for i in free]
    rows = np.concatenate([rows, np.zeros((len(free), rows.shape[1]), np.float32)])
    rows[places] = new
    foreign = [*((language, text) for language, text in texts if language in means and language != EN), *pairs(found)]
    heard = encode(teacher, [text for _, text in foreign], "texts", progress)
    aims = bridge(less_mean(heard, [language for language, _ in foreign], means))
    rows[places] = fit(rows / scale, uses(names, [text for _, text in foreign]), aims)[places] * scale
    return names, rows


def write(out: Path, names: Sequence[str], rows: Array, many: int, languages: Sequence[str], width: int) -> None:
    """The first ``many`` rows in twice as many bytes."""
    fine, fine_books, fine_scales = quantise(rows[:many], 2 * width)
    codes, books, scales = quantise(rows[many:], width)
    out.mkdir(parents=True, exist_ok=True)
    (out / "words.txt").write_text("\n".join(names), encoding="utf-8")
    arrays: tuple[NDArray[Any], ...] = (fine, fine_books, codes, books, np.concatenate([fine_scales, scales]))
    for name, array in zip(Rows._fields, arrays, strict=True):
        np.save(out / f"{name}.npy", array)


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


def quantise(rows: Array, width: int) -> tuple[NDArray[np.uint8], NDArray[np.float16], NDArray[np.float16]]:
    """rows ≈ scales · (of each byte's book the entry that it names); numbers ``width`` apart share a byte."""
    scales = np.linalg.norm(rows, axis=1)
    units = rows / np.maximum(scales, 1e-9)[:, None]
    rng = np.random.default_rng(1)
    trained = units[rng.permutation(len(units))[:TRAINED]]
    codes = np.zeros((len(rows), width), np.uint8)
    books = np.zeros((width, 256, rows.shape[1] // width), np.float32)
    for byte in range(width if len(rows) else 0):
        book = books[byte] = _means(np.ascontiguousarray(trained[:, byte::width]), rng)
        for start in range(0, len(rows), TRAINED):
            codes[start : start + TRAINED, byte] = _nearest(units[start : start + TRAINED, byte::width], book)
    return codes, books.astype(np.float16), scales.astype(np.float16)


def _means(points: Array, rng: np.random.Generator) -> Array:
    """256 points near which all are."""
    book: Array = points[rng.choice(len(points), 256, replace=len(points) < 256)]
    for _ in range(TURNS):
        nearest = _nearest(points, book)
        counts = np.bincount(nearest, minlength=256)
        sums = np.stack([np.bincount(nearest, points[:, k], 256) for k in range(points.shape[1])], 1)
        book = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], book).astype(np.float32)
    return book


def _nearest(points: Array, book: Array) -> NDArray[np.intp]:
    return np.asarray(np.argmin((book * book).sum(1) - 2 * points @ book.T, axis=1))


def uses(names: Sequence[str], texts: Sequence[str]) -> Any:
    """Texts × names, how often each occurs."""
    none = np.zeros((len(names), 1), np.uint8)
    book = np.zeros((1, 256, 1), np.float16)
    columns, owner = Static(names, Rows.of(none, book, none[:0], book, none[:, 0]), ()).numbers(texts)
    starts = np.searchsorted(owner, np.arange(len(texts) + 1))
    ones = np.ones(len(columns), np.float32)
    return sp.csr_array((ones, columns, starts), shape=(len(texts), len(names)))
