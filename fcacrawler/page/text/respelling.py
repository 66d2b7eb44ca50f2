"""Words as URLs write them, in ASCII, → as their language does: "presentacion", "fuer", "elektronnaya", "tianqi".

A word is the topic's that can be written so, else the commonest. Transliterations of Cyrillic differ, so both sides are
brought to what they have in common: ш and щ are s, ж is z, й, ы and и are i. Chinese: ``pinyin``. Japanese, Korean,
Arabic and Greek stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from fcacrawler.page.identity.urls import url_words
from fcacrawler.page.text import pinyin
from fcacrawler.page.text.background import common_words
from fcacrawler.page.text.words import tokens

_CYRILLIC = frozenset(("ru", "uk", "bg", "sr", "mk"))
_OTHERS = frozenset(("", "en", "ja", "ko", "ar", "fa", "he", "el", "hi", "th", "ur", "bn", "ta"))
_LETTERS = str.maketrans({"ß": "ss", "ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
_TWO = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_ROMAN = str.maketrans(
    dict(zip("абвгдеёжзийклмнопрстуфхцчшщыэіїєґјђћѓќ", "abvgdeezziiklmnoprstufhccssieiiegidcgk", strict=True))
    | {"ъ": "", "ь": "", "ю": "iu", "я": "ia", "љ": "li", "њ": "ni", "џ": "dz", "ѕ": "dz"}
)
_SOUNDS = {
    "shch": "s", "sch": "s", "sh": "s", "zh": "z", "kh": "h", "ch": "c", "ts": "c", "tz": "c", "ya": "ia", "ja": "ia",
    "yu": "iu", "ju": "iu", "yo": "e", "jo": "e", "ye": "e", "je": "e", "y": "i", "j": "i", "w": "v", "x": "ks",
}  # fmt: skip
_SOUND = re.compile("|".join(_SOUNDS))
_TWICE = re.compile(r"(.)\1+")
_SHORTEST = 4  # letters of a word that is looked for


def words_in_urls(urls: Sequence[str], language: str, said: str = "") -> list[str]:
    """What can be read in each URL, as its language, or the topic, writes it; ``said``: the topic's words.

    >>> words_in_urls(["http://a.test/graficos/3.html"], "es")
    ['gráficos 3']
    """
    return [respelt(url_words(url), language, said) for url in urls]


def respelt(words: str, language: str, said: str = "") -> str:
    """``said``: the topic's words.

    >>> respelt("Presentacion de graficos", "es"), respelt("elektronnaya tablitsa 2", "ru"), respelt("the car", "en")
    ('presentación de gráficos', 'электронная таблица 2', 'the car')
    """
    if language in _OTHERS or not words.isascii():
        return words
    own = _said(said, language)
    if language == "zh":
        return " ".join(pinyin.chinese(words.lower().split(), own))
    known, sound = _spellings(language), language in _CYRILLIC
    found = []
    for word in words.split():
        plain = _heard(word.lower()) if sound else word.lower()
        found.append(own.get(plain) or known.get(plain, word) if len(word) >= _SHORTEST else word)
    return " ".join(found)


@lru_cache(maxsize=12)
def _said(words: str, language: str) -> Mapping[str, str]:
    """How the topic's words can be written in ASCII → the first of them."""
    said = [word for word in tokens(words, language) if len(word) > 1]
    return {spelling: word for word in reversed(said) for spelling in _written(word, language)}


@lru_cache(maxsize=12)
def _spellings(language: str) -> Mapping[str, str]:
    """How common words can be written in ASCII → the commonest of them. Made when the first URL is read: 0.1 s."""
    found: dict[str, str] = {}
    for word in common_words(language):
        if len(word) >= _SHORTEST - 1:
            for spelling in _written(word, language):
                found.setdefault(spelling, word)
    return found


def _written(word: str, language: str) -> set[str]:
    if language == "zh":
        return pinyin.spellings(word)
    if language in _CYRILLIC:
        return {_TWICE.sub(r"\1", word.translate(_ROMAN))}
    return {_bare(word), _bare(word.translate(_TWO))}


def _bare(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word.translate(_LETTERS)) if not unicodedata.combining(c))


def _heard(word: str) -> str:
    """
    >>> _heard("programmirovaniye"), _heard("khimiya"), _heard("himija")
    ('programirovanie', 'himia', 'himia')
    """
    return _TWICE.sub(r"\1", _SOUND.sub(lambda m: _SOUNDS[m[0]], word))
