"""A tiny model folder with random weights, against attention written out number by number."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fcacrawler.values.errors import FcaError
from fcacrawler.vectors import load_vectors
from fcacrawler.vectors.bert import Bert
from fcacrawler.vectors.distill import Shape, distill
from fcacrawler.vectors.kept import Kept
from fcacrawler.vectors.model import Model

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "rail", "##way", "steam", "train", "the", "station", "##s"]
SIZE, HEADS, LAYERS, INNER = 8, 2, 2, 12


def write(folder: Path, model_type: str = "bert") -> Path:
    rng = np.random.default_rng(5)
    shapes: dict[str, tuple[int, ...]] = {
        "word_embeddings.weight": (len(VOCABULARY), SIZE),
        "position_embeddings.weight": (16, SIZE),
        "token_type_embeddings.weight": (2, SIZE),
        "LayerNorm.weight": (SIZE,),
        "LayerNorm.bias": (SIZE,),
    }
    tensors = {f"embeddings.{n}": s for n, s in shapes.items()}
    dense = {
        "attention.self.query": (SIZE, SIZE),
        "attention.self.key": (SIZE, SIZE),
        "attention.self.value": (SIZE, SIZE),
    }
    dense |= {
        "attention.output.dense": (SIZE, SIZE),
        "intermediate.dense": (INNER, SIZE),
        "output.dense": (SIZE, INNER),
    }
    for i in range(LAYERS):
        for name, shape in dense.items():
            tensors[f"encoder.layer.{i}.{name}.weight"] = shape
            tensors[f"encoder.layer.{i}.{name}.bias"] = shape[:1]
        for name in ("attention.output", "output"):
            tensors[f"encoder.layer.{i}.{name}.LayerNorm.weight"] = (SIZE,)
            tensors[f"encoder.layer.{i}.{name}.LayerNorm.bias"] = (SIZE,)
    header: dict[str, Any] = {}
    data = b""
    for name, shape in tensors.items():
        raw = rng.normal(0, 0.5, shape).astype(np.float32).tobytes()
        header[f"bert.{name}"] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    head = json.dumps(header).encode()
    folder.mkdir(exist_ok=True)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + data)
    config = {"model_type": model_type, "hidden_size": SIZE, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS}
    (folder / "config.json").write_text(json.dumps(config))
    model = {"type": "WordPiece", "vocab": {p: i for i, p in enumerate(VOCABULARY)}}
    (folder / "tokenizer.json").write_text(json.dumps({"model": model}))
    return folder


def slowly(encoder: Bert, numbers: list[int]) -> list[float]:
    """The same by loops over states, heads and positions."""
    w = encoder.weights

    def normal(x: Any, name: str) -> Any:
        y = (x - x.mean()) / math.sqrt(x.var() + encoder.epsilon)
        return y * w[f"{name}.LayerNorm.weight"] + w[f"{name}.LayerNorm.bias"]

    def dense(x: Any, name: str) -> Any:
        return w[f"{name}.weight"] @ x + w[f"{name}.bias"]

    e = "embeddings."
    words, places, kinds = (w[f"{e}{n}_embeddings.weight"] for n in ("word", "position", "token_type"))
    states = [normal(words[n] + places[i] + kinds[0], "embeddings") for i, n in enumerate(numbers)]
    for k in range(LAYERS):
        layer = f"encoder.layer.{k}"
        q, key, v = ([dense(s, f"{layer}.attention.self.{n}") for s in states] for n in ("query", "key", "value"))
        after = []
        for i, state in enumerate(states):
            seen = np.zeros(SIZE)
            for h in range(HEADS):
                part = slice(h * SIZE // HEADS, (h + 1) * SIZE // HEADS)
                scores = [math.exp(float(q[i][part] @ x[part]) / math.sqrt(SIZE / HEADS)) for x in key]
                seen[part] = sum(s * x[part] for s, x in zip(scores, v, strict=True)) / sum(scores)
            x = normal(state + dense(seen, f"{layer}.attention.output.dense"), f"{layer}.attention.output")
            y = dense(x, f"{layer}.intermediate.dense")
            y = np.array([t * 0.5 * (1 + math.erf(t / math.sqrt(2))) for t in y])
            after.append(normal(x + dense(y, f"{layer}.output.dense"), f"{layer}.output"))
        states = after
    mean = np.mean(states, axis=0)
    return list(mean / np.linalg.norm(mean))


def test_the_encoder_equals_attention_written_out(tmp_path: Path) -> None:
    encoder = Bert(write(tmp_path))
    texts = ["the railway station", "steam", "", "train trains tram"]
    together = encoder.encode(texts)
    for text, row in zip(texts, together, strict=True):
        np.testing.assert_allclose(row, slowly(encoder, encoder.pieces.numbers(text)), atol=1e-5)


def test_a_model_answers_again_from_its_cache_and_forgets_the_longest_unused(tmp_path: Path) -> None:
    model = Model(Bert(write(tmp_path)), kept=2)
    first = model.embed(["steam", "train", "steam", " "])
    np.testing.assert_array_equal(first[0], first[2])
    assert not first[3].any()
    model.embed(["railway"])
    assert list(model._known) == ["train", "railway"]
    np.testing.assert_allclose(model.embed(["steam"])[0], first[0], atol=1e-6)


def test_what_is_not_a_model_folder_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(FcaError, match="no such folder"):
        load_vectors(str(tmp_path / "nowhere"))
    with pytest.raises(FcaError, match=r"config\.json"):
        load_vectors(str(tmp_path))
    with pytest.raises(FcaError, match="gpt2"):
        load_vectors(str(write(tmp_path, "gpt2")))
    write(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(FcaError, match="safetensors"):
        load_vectors(str(tmp_path))


class Foreign:
    """A teacher that sees a word as the English one that it is the translation of."""

    size = 16

    def encode(self, texts: Sequence[str]) -> Any:
        return np.stack([self._seen(text.lower()) for text in texts]).astype(np.float32)

    def provenance(self) -> dict[str, str]:
        return {"teacher": "a test"}

    def _seen(self, text: str) -> Any:
        words = [WORDS.get(word, word) for word in text.split()]
        rows = [np.random.default_rng(sum(map(ord, word)) * 7 + len(word)).normal(size=self.size) for word in words]
        return np.sum(rows, 0) / np.linalg.norm(np.sum(rows, 0))


WORDS = {"nicht": "train", "aber": "station", "pero": "station"}
SMALL = Shape(english=300, others=800, size=8, width=2)


def test_a_distilled_folder_can_be_read_and_phrases_pull_its_rows_towards_the_model(tmp_path: Path) -> None:
    model = write(tmp_path / "model")
    phrases = ["steam train", "railway station", "the train station"]
    heard: list[str] = []

    def progress(what: str, done: int, of: int) -> None:
        heard.append(what)

    plain = distill(model, None, tmp_path / "plain", (), (), SMALL, progress)
    fitted = distill(model, None, tmp_path / "fitted", phrases, (), SMALL, progress)
    assert heard == ["English words", "English words", "phrases"]
    seen = Bert(model).encode(phrases)

    def error(static: Any) -> float:
        got = static.embed(phrases)
        return float(np.abs(got @ got.T - seen @ seen.T).mean())

    assert plain.embed(["unheard"]).shape == (1, 8)
    assert error(fitted) < error(plain)
    about = json.loads((tmp_path / "fitted" / "provenance.json").read_text())
    assert (about["rows"], about["size"], about["phrases"], about["languages"]) == (300, 8, 3, ["en"])
    assert fitted.languages == {"en"}


def test_what_a_model_has_said_before_it_was_stopped_is_not_asked_again(tmp_path: Path) -> None:
    asked: list[str] = []

    class Stopped(Foreign):
        def encode(self, texts: Sequence[str]) -> Any:
            asked.extend(texts)
            if "stop" in texts:
                raise KeyboardInterrupt
            return super().encode(texts)

    kept = Kept(Stopped(), tmp_path / "kept", "a")
    first = kept.encode(["steam train", "station"])
    with pytest.raises(KeyboardInterrupt):
        kept.encode(["stop"])
    again = Kept(Stopped(), tmp_path / "kept", "a").encode(["steam train", "station"])
    np.testing.assert_array_equal(again, first)
    assert asked == ["steam train", "station", "stop"]
    Kept(Stopped(), tmp_path / "kept", "b").encode(["steam train", "station"])
    assert len(asked) == 5


def test_a_word_of_another_language_gets_the_row_of_what_a_teacher_sees_it_as(tmp_path: Path) -> None:
    folder, silent = tmp_path / "out", lambda what, done, of: None
    static = distill(
        write(tmp_path / "model"), Foreign(), folder, ["steam train"], [("de", "aber nicht")], SMALL, silent
    )
    assert {"de", "ru", "zh", "en"} < static.languages
    train, station, nicht, aber, pero = static.embed(["train", "station", "nicht", "aber", "pero"])
    assert nicht @ train > nicht @ station
    assert aber @ station > aber @ train
    assert aber @ pero > 0.6
    names = (folder / "words.txt").read_text(encoding="utf-8").split("\n")
    assert len(names) == len(set(names)) == len(np.load(folder / "scales.npy"))
    assert json.loads((folder / "provenance.json").read_text())["teacher"] == "a test"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model", "out"]
