"""Words of a text that has no spaces: the likeliest way to cut it (Viterbi over single word frequencies).

The words are those of ``wordfreq``, so what comes out has a frequency. Chinese and Japanese are cut so, and Korean,
whose spaces stand between words with all that is appended to them; the scripts of Thailand, Laos, Burma and Cambodia
fall into overlapping pairs of characters, the usual way out.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from math import log

import msgpack
import wordfreq.util

from fcacrawler.page.text.background import background

_LONGEST = 8  # characters of a word
_UNKNOWN = log(1e-9)  # a character that is no word
UNSPACED = frozenset(("zh", "ja", "ko", "th", "lo", "my", "km"))  # languages
_HANGUL = re.compile("[\u3131-\u318e\uac00-\ud7a3]+")
_RUN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)


def segment(token: str, language: str) -> list[str]:
    """The words of a token: parts in other scripts stay whole.

    >>> segment("一级方程式赛车", "zh")
    ['一级', '方程式赛车']
    >>> segment("데이터베이스를", "ko")
    ['데이터베이스', '를']
    """
    found: list[str] = []
    end = 0
    for run in (_HANGUL if language == "ko" else _RUN).finditer(token):
        if run.start() > end:
            found.append(token[end : run.start()])
        found += _cut(run[0], language)
        end = run.end()
    if end < len(token):
        found.append(token[end:])
    return found


def _cut(run: str, language: str) -> list[str]:
    if language == "zh":
        return _likeliest(run.translate(simplified()), language)
    if language in ("ja", "ko"):
        return _likeliest(run, language)
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _likeliest(run: str, language: str) -> list[str]:
    costs = _costs(language)
    n = len(run)
    best = [0.0] + [float("-inf")] * n
    begins = [0] * (n + 1)
    for i in range(n):
        here = best[i]
        for j in range(i + 1, min(i + _LONGEST, n) + 1):
            value = costs.get(run[i:j])
            if value is None:
                if j > i + 1:
                    continue
                value = _UNKNOWN
            if here + value > best[j]:
                best[j], begins[j] = here + value, i
    found = []
    while n:
        found.append(run[begins[n] : n])
        n = begins[n]
    return found[::-1]


@lru_cache(maxsize=3)
def _costs(language: str) -> dict[str, float]:
    return {w: log(f) for w, f in background(language).frequency.items() if len(w) <= _LONGEST}


@lru_cache(maxsize=1)
def simplified() -> dict[int, str]:
    """Traditional Chinese characters → simplified ones, as the frequencies have been counted."""
    with gzip.open(wordfreq.util.data_path("_chinese_mapping.msgpack.gz")) as file:
        found: dict[int, str] = msgpack.load(file, raw=False, strict_map_key=False)
    return found
