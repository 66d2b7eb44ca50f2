"""A small BERT in plain numpy: numbers of word pieces → one unit vector a text (Reimers & Gurevych 2019: mean of all
last states). It reads the standard folder: ``config.json``, ``model.safetensors``, ``tokenizer.json``."""

from __future__ import annotations

import json
import math
import mmap
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from fcacrawler.values.errors import FcaError
from fcacrawler.vectors.wordpiece import WordPieces

Array = NDArray[np.float32]
BATCH = 64  # texts at a time: larger ones leave the cache


class Bert:
    """The encoder of a model folder."""

    def __init__(self, folder: Path) -> None:
        config = _read_config(folder)
        self.pieces = WordPieces.read(folder / "tokenizer.json")
        self.size: int = config["hidden_size"]
        self.heads: int = config["num_attention_heads"]
        self.layers: int = config["num_hidden_layers"]
        self.epsilon: float = config.get("layer_norm_eps", 1e-12)
        self.weights = read_safetensors(folder / "model.safetensors")
        missing = {"embeddings.word_embeddings.weight", f"encoder.layer.{self.layers - 1}.output.dense.weight"}
        if missing - self.weights.keys():
            raise FcaError(
                f"{folder / 'model.safetensors'} is not a BERT: it lacks {min(missing - self.weights.keys())}"
            )

    def encode(self, texts: Sequence[str], most: int = 128) -> Array:
        """A unit row for each text. Texts of like length share a batch, so that little is padded."""
        numbers = [self.pieces.numbers(t, most) for t in texts]
        order = sorted(range(len(texts)), key=lambda i: len(numbers[i]))
        out = np.zeros((len(texts), self.size), np.float32)
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            ids = np.zeros((len(rows), len(numbers[rows[-1]])), np.int64)
            mask = np.zeros(ids.shape, np.float32)
            for r, i in enumerate(rows):
                ids[r, : len(numbers[i])] = numbers[i]
                mask[r, : len(numbers[i])] = 1
            out[rows] = self.forward(ids, mask)
        return out

    def forward(self, ids: NDArray[np.int64], mask: Array) -> Array:
        """Per layer, states attend to states (Vaswani et al. 2017) and pass a dense pair; then their mean."""
        w = self.weights
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = self._normal(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings")
        barred = np.where(mask > 0, 0, -1e9).astype(np.float32)[:, None, None, :]
        for i in range(self.layers):
            layer = f"encoder.layer.{i}."
            x = self._normal(x + self._attend(x, barred, layer), layer + "attention.output")
            y = self._dense(x, layer + "intermediate")
            y = 0.5 * y * (1 + erf(y / math.sqrt(2)))
            x = self._normal(x + self._dense(y, layer + "output"), layer + "output")
        mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), np.float32)

    def _attend(self, x: Array, barred: Array, layer: str) -> Array:
        rows, length, size = x.shape
        shape = (rows, length, self.heads, size // self.heads)
        parts = (self._dense(x, f"{layer}attention.self.{n}", "") for n in ("query", "key", "value"))
        q, k, v = (p.reshape(shape).transpose(0, 2, 1, 3) for p in parts)
        a = q @ k.transpose(0, 1, 3, 2) / np.float32(math.sqrt(shape[-1])) + barred
        a = np.exp(a - a.max(-1, keepdims=True))
        a /= a.sum(-1, keepdims=True)
        return self._dense((a @ v).transpose(0, 2, 1, 3).reshape(rows, length, size), layer + "attention.output")

    def _dense(self, x: Array, name: str, suffix: str = ".dense") -> Array:
        weight = self.weights[f"{name}{suffix}.weight"]
        flat = x.reshape(-1, x.shape[-1]) @ weight.T  # one product: numpy makes one a text of what has three dimensions
        return flat.reshape(*x.shape[:-1], len(weight)) + self.weights[f"{name}{suffix}.bias"]

    def _normal(self, x: Array, name: str) -> Array:
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(self.epsilon))
        return x * self.weights[f"{name}.LayerNorm.weight"] + self.weights[f"{name}.LayerNorm.bias"]


def read_safetensors(path: Path) -> Mapping[str, Array]:
    """The float32 tensors of a file, mapped, under their names without the prefix ``bert.``"""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        length = struct.unpack("<Q", data[:8])[0]
        header: dict[str, Any] = json.loads(data[8 : 8 + length])
    except (OSError, ValueError, struct.error) as why:
        raise FcaError(f"{path} is not a safetensors file ({why}): name a folder with a sentence model") from why
    return {
        name.removeprefix("bert."): np.frombuffer(
            data, np.float32, math.prod(about["shape"]), 8 + length + about["data_offsets"][0]
        ).reshape(about["shape"])
        for name, about in header.items()
        if name != "__metadata__" and about["dtype"] == "F32"
    }


def _read_config(folder: Path) -> dict[str, Any]:
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as why:
        raise FcaError(
            f"{folder} is not a model folder ({why}): it needs config.json, model.safetensors, tokenizer.json"
        ) from why
    if config.get("model_type") != "bert":
        raise FcaError(f"{folder} holds a {config.get('model_type')} model: only BERT-like sentence models can be read")
    return config
