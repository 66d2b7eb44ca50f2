"""What a found page says where the words of the query stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import islice
from unicodedata import normalize

from fcacrawler.page.text.segment import UNSPACED
from fcacrawler.page.text.stems import stems_of
from fcacrawler.page.text.words import runs

WIDTH = 240  # characters
BEFORE = 60  # of them at most before the first word
LONGEST = 20_000  # characters of a text that are looked at
SOON = 2_000  # of them that are looked at first
MOST = 300  # words that are looked at

WORD = re.compile(r"[^\W_]+")
_PAUSE = re.compile("[ 。！？、，；：؟؛۔।]")
Pieces = Sequence[tuple[str, bool]]  # text, and whether it is a word of the query
Place = tuple[int, int, str]  # where a word begins and ends, and its stem


def snippet(text: str, language: str, wanted: Set[str]) -> Pieces:
    """The part of a text with the most of the ``wanted`` stems; its beginning if it has none.

    >>> snippet("It rained. Drivers were driving.", "en", {"drive"})
    [('It rained. Drivers were ', False), ('driving', True), ('.', False)]
    """
    text = normalize("NFC", text[:LONGEST].replace("\n", " "))
    found = _found(text[: SOON + WIDTH], language, wanted)
    if len(text) > SOON + WIDTH and not _soon(found, wanted):
        found = _found(text, language, wanted)
    start, end = _window(found, len(text))
    start, end = _whole_words(text, start, end)
    pieces = [("… ", False)] if start else []
    for first, last, _ in found:
        if start <= first and last <= end:
            pieces += [(text[start:first], False), (text[first:last], True)]
            start = last
    pieces += [(text[start:end], False), (" …" if end < len(text) else "", False)]
    return [piece for piece in pieces if piece[0]]


def _found(text: str, language: str, wanted: Set[str]) -> list[Place]:
    return list(islice(_places(text, language, wanted), MOST)) if wanted else []


def _soon(found: Sequence[Place], wanted: Set[str]) -> bool:
    """Whether the rest need not be read: all of the stems stand together before ``SOON``, or nothing is looked for."""
    return not wanted or any(first <= SOON and len(stems) == len(wanted) for first, stems in _together(found))


def _places(text: str, language: str, wanted: Set[str]) -> Iterator[Place]:
    """Where words with these stems begin and end."""
    if language in UNSPACED:
        words = sorted(filter(None, wanted), key=len, reverse=True)
        for word in re.finditer("|".join(map(re.escape, words)) or "(?!)", text, re.IGNORECASE):
            yield word.start(), word.end(), word[0].lower()
        return
    known, lowered = stems_of(language, True), text.replace("İ", "i").lower()  # as long as the text
    told = {run: known[run] for run in set(runs(lowered, b" ", b" "))}
    near = [run for run, stem in told.items() if stem in wanted or " " in stem]
    forms = {form for run in near for form in WORD.findall(run) if known[form] in wanted}
    yield from sorted(place for form in forms for place in _wholly(form, lowered, known[form]))


def _wholly(form: str, text: str, stem: str) -> Iterator[Place]:
    """Where this word stands, and is no part of another."""
    start = text.find(form)
    while start >= 0:
        end = start + len(form)
        if not (start and WORD.match(text[start - 1])) and not WORD.match(text[end : end + 1]):
            yield start, end, stem
        start = text.find(form, end)


def _together(found: Sequence[Place]) -> Iterator[tuple[int, set[str]]]:
    """For each place the stems that stand from there on."""
    for i, (first, _, _) in enumerate(found):
        yield first, {stem for _, last, stem in found[i : i + 20] if last <= first + WIDTH - BEFORE}


def _window(found: Sequence[Place], length: int) -> tuple[int, int]:
    """Where most of the stems are, and of such places the first."""
    best, start = 0, 0
    for first, here in _together(found):
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
