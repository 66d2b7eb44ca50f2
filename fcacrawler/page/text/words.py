"""A text → its tokens → its terms (stems without stop words) → their weights."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from math import hypot, log
from operator import itemgetter
from unicodedata import normalize

from fcacrawler.page.text.background import background
from fcacrawler.page.text.segment import UNSPACED, segment

_MARKS = (  # what ``\w`` leaves out of words: accents, vowel signs of Hebrew, Arabic, Indic scripts, Thai
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u0963\u0981-\u0983\u09bc-\u09e3"
    "\u0a01-\u0dff\u0e31-\u0e4e\u0eb1-\u0ece\u102b-\u103e\u17b4-\u17d3"
)
_TOKEN = re.compile(rf"[\w{_MARKS}]{{1,99}}|[^\w\s{_MARKS}'’‘`´-]")
_KINDS = bytes(  # what a byte is: itself in a word (or of a character beyond ASCII), a line's end, a space or a mark
    c if c > 127 or c == 10 or chr(c).isalnum() else ord(" ") if chr(c).isspace() or chr(c) in "'`-_" else ord(",")
    for c in range(256)
)
STROKE = "\u0338"  # it may go through an ASCII mark: else tokens are runs that can be told byte by byte
MOST = 1000  # terms of a page that are weighed


@lru_cache(maxsize=16)
def tokens(text: str, language: str) -> tuple[str, ...]:
    """The words of a text in lower case, and between them the marks (",") and line ends that divide phrases.

    >>> tokens("The driver's car, 1st\\nprize", "en")
    ('the', 'driver', 's', 'car', ',', '1st', '|', 'prize')
    """
    if language in UNSPACED:
        found = _TOKEN.findall(normalize("NFKC", text.replace("_", " ")).lower())
        return tuple(chain.from_iterable(segment(w, language) for w in found))
    return tuple(cut(text))


def cut(text: str) -> list[str]:
    """``tokens`` of a text in a language that has spaces."""
    found = runs(text)
    if text.isascii() and max(map(len, found), default=0) < 100:
        return found
    words = []
    for word in found:
        if word.isascii() and len(word) < 100:
            words.append(word)
        else:
            words += cut_run(word)
    return words


def runs(text: str, mark: bytes = b" , ", line_end: bytes = b" | ") -> list[str]:
    """What stands between spaces and ASCII marks, in lower case; ``mark`` and ``line_end`` stand for these."""
    text = text.lower()
    if not text.isascii():
        text = normalize("NFC", text.replace("i̇", "i"))
    data = text.encode("utf-8", "surrogatepass").translate(_KINDS).replace(b",", mark).replace(b"\n", line_end)
    return data.decode("utf-8", "surrogatepass").split()


def cut_run(run: str) -> list[str]:
    """The words of a run, and the marks beyond ASCII between them."""
    return _TOKEN.findall(run)


def terms(text: str, language: str) -> list[str]:
    """The stems of a text in order, stop words left out.

    >>> terms("The drivers were driving racing cars.", "en")
    ['driver', 'drive', 'race', 'car']
    """
    return list(filter(None, map(background(language).terms.__getitem__, tokens(text, language))))


def weigh(terms: Iterable[str] | Mapping[str, int], language: str, most: int = MOST) -> dict[str, float]:
    """TF-IDF of terms (or of how often each occurs): (1 + ln tf)·idf, L2 norm 1, the ``most`` heaviest.

    >>> {t: round(w, 3) for t, w in weigh(["race", "car", "race"], "en").items()}
    {'race': 0.921, 'car': 0.388}
    """
    idf = background(language).idfs
    found = {t: (1 + log(n)) * idf[t] for t, n in Counter(terms).items()}
    if len(found) > most:
        found = dict(sorted(found.items(), key=itemgetter(1), reverse=True)[:most])
    norm = hypot(*found.values())
    return {t: w / norm for t, w in found.items()} if norm else {}
