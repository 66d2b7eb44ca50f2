"""Text → word pieces, as BERT's uncased models read it (Wu et al. 2016; Devlin et al. 2019), without a dependency."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from fcacrawler.values.errors import FcaError

UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"
LONGEST = 100  # characters of a word; a longer one is unknown
_WORD = re.compile(r"[^\W_]+|[^\s]")
_IDEOGRAPH = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")


def words(text: str) -> list[str]:
    """Lower-case words without accents, and single marks between them.

    >>> words("Café-Concert, 2nd Ed.")
    ['cafe', '-', 'concert', ',', '2nd', 'ed', '.']
    """
    text = text.lower()
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) not in ("Mn", "Cf"))
        text = _IDEOGRAPH.sub(r" \1 ", text)
    return _WORD.findall(text)


def pieces(word: str, vocabulary: Container[str]) -> list[str]:
    """The longest known beginning, then the longest known continuations; unknown if there is none.

    >>> pieces("railways", {"rail": 0, "railway": 1, "##way": 2, "##s": 3})
    ['railway', '##s']
    >>> pieces("tram", {"rail": 0})
    ['[UNK]']
    """
    if len(word) > LONGEST:
        return [UNKNOWN]
    found: list[str] = []
    start = 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            piece = mark + word[start:end]
            if piece in vocabulary:
                break
        else:
            return [UNKNOWN]
        found.append(piece)
        start = end
    return found


class WordPieces:
    """A vocabulary, and texts as numbers of its pieces."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self.vocabulary = vocabulary

    @classmethod
    def read(cls, tokenizer: Path) -> WordPieces:
        """From a ``tokenizer.json`` of the WordPiece kind."""
        try:
            model: dict[str, Any] = json.loads(tokenizer.read_text(encoding="utf-8"))["model"]
        except (OSError, ValueError, KeyError, TypeError) as why:
            raise FcaError(f"{tokenizer} is not a tokenizer.json ({why}): name a folder with a sentence model") from why
        if model.get("type") != "WordPiece":
            raise FcaError(f"{tokenizer} holds a {model.get('type')} tokenizer: only WordPiece models can be read")
        return cls(model["vocab"])

    def numbers(self, text: str, most: int = 128) -> list[int]:
        """[CLS] pieces… [SEP], ``most`` of them at the most."""
        known = self.vocabulary
        found = [known[p] for word in words(text[: 20 * most]) for p in pieces(word, known)][: most - 2]
        return [known[START], *found, known[END]]
