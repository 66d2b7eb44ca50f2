"""What a found page says where the words of the query stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from unicodedata import normalize

from fcacrawler.page.text.segment import UNSPACED
from fcacrawler.page.text.stems import stems_of

WIDTH = 240  # characters
BEFORE = 60  # of them at most before the first word
LONGEST = 20_000  # characters of a text that are looked at
MOST = 300  # words that are looked at

WORD = re.compile(r"[^\W_]+")
_PAUSE = re.compile("[ 。！？、，；：؟؛۔।]")
Pieces = Sequence[tuple[str, bool]]  # text, and whether it is a word of the query


def snippet(text: str, language: str, wanted: Collection[str]) -> Pieces:
    """The part of a text with the most of the ``wanted`` stems; its beginning if it has none.

    >>> snippet("It rained. Drivers were driving.", "en", {"drive"})
    [('It rained. Drivers were ', False), ('driving', True), ('.', False)]
    """
    text = normalize("NFC", text[:LONGEST].replace("\n", " "))
    found = [place for place, _ in zip(_places(text, language, wanted), range(MOST), strict=False)]
    start, end = _window(found, len(text))
    start, end = _whole_words(text, start, end)
    pieces = [("… ", False)] if start else []
    for first, last, _ in found:
        if start <= first and last <= end:
            pieces += [(text[start:first], False), (text[first:last], True)]
            start = last
    pieces += [(text[start:end], False), (" …" if end < len(text) else "", False)]
    return [piece for piece in pieces if piece[0]]


def _places(text: str, language: str, wanted: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Where words with these stems begin and end."""
    if language in UNSPACED:
        words = sorted(filter(None, wanted), key=len, reverse=True)
        for word in re.finditer("|".join(map(re.escape, words)) or "(?!)", text, re.IGNORECASE):
            yield word.start(), word.end(), word[0].lower()
        return
    known = stems_of(language, True)
    forms = {form for form in WORD.findall(text) if known[form.lower()] in wanted}
    yield from sorted(place for form in forms for place in _wholly(form, text, known[form.lower()]))


def _wholly(form: str, text: str, stem: str) -> Iterator[tuple[int, int, str]]:
    """Where this word stands, and is no part of another."""
    start = text.find(form)
    while start >= 0:
        end = start + len(form)
        if not (start and WORD.match(text[start - 1])) and not WORD.match(text[end : end + 1]):
            yield start, end, stem
        start = text.find(form, end)


def _window(found: Sequence[tuple[int, int, str]], length: int) -> tuple[int, int]:
    """Where most of the stems are, and of such places the first."""
    best, start = 0, 0
    for i, (first, _, _) in enumerate(found):
        here = {stem for a, b, stem in found[i : i + 20] if b <= first + WIDTH - BEFORE}
        if len(here) > best:
            best, start = len(here), max(0, first - BEFORE)
    if start and length - start < WIDTH:
        start = max(0, length - WIDTH)
    return start, min(length, start + WIDTH)


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """No word is cut, where there are spaces nearby, or marks of a script without them."""
    if start and (pause := _PAUSE.search(text, start, start + 20)):
        start = pause.end()
    if end < len(text):
        for pause in _PAUSE.finditer(text, max(start, end - 20), end):
            end = pause.start() if pause[0] == " " else pause.end()
    return start, end
