"""A text → its terms (stems without stop words) → their weights."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from heapq import nlargest
from math import log, sqrt
from typing import Any

from fcacrawler.page.background import WORD, background

_MOST = 1000  # terms of a page that are weighed
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]{2,}")
_KANA_HAN_THAI = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]{3,}")


def words(text: str, language: str) -> list[str]:
    """The words of a text in lower case; Chinese is segmented, other scripts without spaces cut into pairs."""
    found = WORD.findall(text.lower())
    if text.isascii() or not _KANA_HAN_THAI.search(text):
        return found
    if language == "zh":
        cut = _jieba().lcut
        return [s for w in found for s in (cut(w) if _HAN.search(w) else (w,))]
    return [s for w in found for s in (_pairs(w) if _KANA_HAN_THAI.search(w) else (w,))]


def _pairs(word: str) -> list[str]:
    return [word[i : i + 2] for i in range(len(word) - 1)]


@lru_cache(maxsize=1)
def _jieba() -> Any:
    """Loaded when the first Chinese page comes in: 0.4 s."""
    import logging

    import jieba

    jieba.setLogLevel(logging.ERROR)
    tokenizer = jieba.Tokenizer()
    tokenizer.initialize()
    return tokenizer


def terms(text: str, language: str) -> list[str]:
    """The stems of a text in order, stop words left out.

    >>> terms("The drivers were driving racing cars.", "en")
    ['driver', 'drive', 'race', 'car']
    """
    term = background(language).term
    return [t for w in words(text, language) if (t := term[w])]


def weigh(terms: Iterable[str] | Mapping[str, int], language: str, most: int = _MOST) -> dict[str, float]:
    """TF-IDF of terms: (1 + ln tf)·idf, L2 norm 1, the ``most`` heaviest; empty for no terms.

    >>> weigh(["car", "car", "race"], "en").keys() == {"car", "race"}
    True
    """
    idf = background(language).idf
    found = {t: (1 + log(n)) * idf(t) for t, n in Counter(terms).items()}
    if len(found) > most:
        found = dict(nlargest(most, found.items(), key=lambda f: f[1]))
    norm = sqrt(sum(w * w for w in found.values()))
    return {t: w / norm for t, w in found.items() if w > 0} if norm else {}
