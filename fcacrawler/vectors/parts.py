"""A run of letters → the names in a table of words that it is made of, in any language of the table.

A word that has a row counts by it; written without its accents ("buro", "buero") by the word's with them. Scripts
without spaces, and Korean, are cut into the longest names from the left; other words count by their pieces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping

from fcacrawler.vectors.wordpiece import pieces

_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]")
_DENSE = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\ud7af\uf900-\ufaff]")
_LATIN = re.compile("[\0-\u024f\u0300-\u036f\u1e00-\u1eff]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa"})
_LETTERS = str.maketrans({"ß": "ss", "ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
_HALF = 4  # characters of a word in a compound, at least
_FIRST = 3  # characters of a beginning, at least
_STEM, _ENDING = 4, 3  # characters of a beginning, at least, and of an ending that says nothing more, at most
LONGEST, _DENSEST = 60, 8  # characters of a word that are looked at, of a name in a script without spaces


def words(run: str) -> list[str]:
    """The words of a run in lower case and in their usual characters.

    >>> words("Café–Concert"), words("ＡＢＣ機関車")
    (['café', 'concert'], ['abc機関車'])
    """
    run = run.lower()
    if not run.isascii():
        run = _MARKS.sub("", unicodedata.normalize("NFKC", run))
    return _WORD.findall(run)


def bare(word: str) -> str:
    """A word of the Latin script without accents.

    >>> bare("łódź"), bare("straße")
    ('lodz', 'strasse')
    """
    return _MARKS.sub("", unicodedata.normalize("NFD", word.translate(_LETTERS)))


def spellings(names: Iterable[str]) -> dict[str, str]:
    """How the names can be written in ASCII → the first name that is written so.

    >>> spellings(["über", "uber", "façade", "ebene"])
    {'uber': 'über', 'ueber': 'über', 'facade': 'façade'}
    """
    latin = [name for name in names if not name.isascii() and _LATIN.fullmatch(name)]
    lines = "\n".join(latin)  # at once: a third of the time
    found: dict[str, str] = {}
    for name, *plain in zip(latin, bare(lines).split("\n"), bare(lines.translate(_UMLAUTS)).split("\n"), strict=False):
        for spelling in plain:
            if spelling.isascii():
                found.setdefault(spelling, name)
    return found


def parts(word: str, known: Container[str], plain: Mapping[str, str]) -> list[str]:
    """The names that a word is made of, of those that are known; ``plain``: their spellings in ASCII.

    >>> known = {"dampf", "##maschine", "機関", "機関車", "über", "станц"}
    >>> parts("dampfmaschine", known, {}), parts("蒸気機関車", known, {}), parts("станции", known, {})
    (['dampf', '##maschine'], ['機関車'], ['станц'])
    >>> parts("arbeitsweise", {"arbeit", "weise"}, {})
    ['arbeit', 'weise']
    >>> parts("ueber", known, {"ueber": "über"})
    ['über']
    """
    if word in known:
        return [word]
    if word in plain:
        return [plain[word]]
    if _DENSE.search(word):
        return _dense(word[: 10 * LONGEST], known)
    if not word.isascii():
        if (folded := bare(word)) != word:
            return parts(folded, known, plain)
        return _beginning(word[:LONGEST], known)
    return _compound(word, known) or [piece for piece in pieces(word, known) if piece in known]


def _compound(word: str, known: Container[str]) -> list[str]:
    """The two known words that it is put together of, the second as long as can be; German may have an s between."""
    for start in range(_HALF, min(len(word), LONGEST) - _HALF + 1):
        if (last := word[start:]) in known:
            for first in (word[:start], word[:start].removesuffix("s")):
                if len(first) >= _HALF and first in known:
                    return [first, last]
    return []


def _beginning(word: str, known: Container[str]) -> list[str]:
    """The longest known beginning, and what continues it if that is more than an ending."""
    for end in range(len(word) - 1, _FIRST - 1, -1):
        if word[:end] in known:
            ends = end >= _STEM and len(word) - end <= _ENDING
            return [word[:end]] if ends else [word[:end], *_beginning(word[end:], known)]
    return []


def _dense(word: str, known: Container[str]) -> list[str]:
    found, start = [], 0
    while start < len(word):
        for end in range(min(len(word), start + _DENSEST), start, -1):
            if word[start:end] in known:
                found.append(word[start:end])
                break
        start = max(end, start + 1)
    return found
