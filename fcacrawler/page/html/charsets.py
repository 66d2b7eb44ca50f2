"""Which encoding bytes are in that do not say so: the one in which they read most like a language written in it.

A language is told by how often its letters outside ASCII occur, counted from ``wordfreq``'s common words.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from math import log

from fcacrawler.page.text.background import common_words
from fcacrawler.page.text.segment import simplified

_WESTERN, _CENTRAL = "de fr es it pt nl sv da nb fi is ca", "pl cs sk hu ro sl sh"
_WRITTEN_IN = {
    "cp1252": _WESTERN, "cp1250": _CENTRAL, "iso8859_2": _CENTRAL, "cp1251": "ru uk bg mk", "koi8_r": "ru",
    "cp1253": "el", "cp1254": "tr", "cp1255": "he", "cp1256": "ar fa ur", "cp1257": "lt lv", "gb18030": "zh",
    "big5hkscs": "zh-Hant", "cp932": "ja", "euc_jp": "ja", "cp949": "ko", "cp874": "th",
}  # fmt: skip
_SAMPLE = 2048  # bytes that a guess is made from, markup left out
_MARKUP = re.compile(rb"<(script|style)\b.*?</\1|<[^>]*>", re.I | re.S)
_HIGH = re.compile(rb"[\x80-\xff]")
_BROKEN = 0.02  # of the characters outside ASCII may be no character of the encoding
_NEVER, _MARK = log(1e-5), -5.0  # of a letter that the language does not have, and of quotation marks and dashes
_THAI = "านรอกเงมยลวดทสตัี่้ิแปหคจ"  # its commonest letters
_LATIN = frozenset(("cp1252", "cp1250", "iso8859_2", "cp1254", "cp1257"))
_MIXED = re.compile(r"[a-z][^\W\d_a-z]|[^\W\d_a-z][a-z]")  # letters of two scripts in one word
_MIXTURE = -5.0  # nats for each
_LIKELIEST = 6.0  # nats in favour of Western Europe
_MARKS = frozenset("“”„‘’‚–—…«»•·")


def guess(body: bytes) -> str:
    """The likeliest encoding; that of Western Europe if there is nothing to tell it by.

    >>> guess("Привет, как дела? Сегодня гонка.".encode("koi8_r"))
    'koi8_r'
    """
    sample = _sample(body)
    scores = {name: _score(sample, name) for name in _WRITTEN_IN}
    scores["cp1252"] += _LIKELIEST
    return max(scores, key=scores.__getitem__)


def _sample(body: bytes) -> bytes:
    """Text around the first bytes that are not ASCII."""
    text = _MARKUP.sub(b" ", body[max(0, _first(body) - _SAMPLE) :][: 16 * _SAMPLE])
    return text[max(0, _first(text) - _SAMPLE // 8) :][:_SAMPLE]


def _first(text: bytes) -> int:
    found = _HIGH.search(text)
    return found.start() if found else 0


def _score(sample: bytes, encoding: str) -> float:
    """ln likelihood of the letters outside ASCII in the language that fits best."""
    text = sample.decode(encoding, "replace").lower()
    letters = Counter(c for c in text if c > "\x7f")
    if letters["\ufffd"] > 1 + _BROKEN * letters.total():
        return float("-inf")
    mixed = 0 if encoding in _LATIN else len(_MIXED.findall(text))
    return _MIXTURE * mixed + max(
        sum(n * letters_of(language).get(c, _MARK if c in _MARKS else _NEVER) for c, n in letters.items())
        for language in _WRITTEN_IN[encoding].split()
    )


@lru_cache
def letters_of(language: str) -> dict[str, float]:
    """Letter outside ASCII → ln of its part of all such letters of a language."""
    if language == "th":  # which wordfreq does not have
        rare, common = (
            dict.fromkeys(map(chr, range(0x0E01, 0x0E5C)), log(0.003)),
            dict.fromkeys(_THAI, log(0.8 / len(_THAI))),
        )
        return rare | common
    if language == "zh-Hant":  # as often as the simplified characters in whose place they stand
        known = letters_of("zh")
        return known | {chr(c): known[plain] for c, plain in simplified().items() if plain in known}
    counts: Counter[str] = Counter()
    for word, frequency in common_words(language).items():
        if not word.isascii():
            for character in word:
                if character > "\x7f":
                    counts[character] += frequency  # type: ignore[assignment]
    total = counts.total()
    return {character: log(count / total) for character, count in counts.items()}
