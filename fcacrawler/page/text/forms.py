"""A word as a keyword shows it: of its inflected forms the commonest, so that "circuit" and "circuits" are one keyword.

Stems would not do: they cannot be read ("motorsport" stays, "racing" becomes "race", "university" and "universe" both
"univers").
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from fcacrawler.page.text.background import NUMBER, Background, Remembered, background, idf

_ENDINGS = {  # of the plural or of another case → of the plain form
    "en": (("ies", "y"), ("es", ""), ("s", "")),
    "de": (("ern", ""), ("en", ""), ("er", ""), ("es", ""), ("em", ""), ("n", ""), ("e", ""), ("s", ""), ("en", "e")),
    "fr": (("aux", "al"), ("s", ""), ("x", "")),
    "es": (("ces", "z"), ("es", ""), ("s", "")),
    "it": (("he", "a"), ("hi", "o"), ("i", "o"), ("i", "e"), ("i", "a"), ("e", "a")),
    "pt": (("ões", "ão"), ("is", "l"), ("ns", "m"), ("es", ""), ("s", "")),
    "nl": (("en", ""), ("s", "")),
}
_LAST = {language: frozenset(end[-1] for end, _ in endings) for language, endings in _ENDINGS.items()}
_SURE = frozenset(("aux", "ões", "ces"))  # these say enough; stems need not agree
_PLAIN_VOWELS = str.maketrans("äöü", "aou")


@lru_cache(maxsize=12)
def forms(language: str) -> Remembered[str]:
    """Token → its plain form; "" for what says nothing."""
    plain, says_something = plain_form(language), background(language).says_something
    return Remembered(lambda token: plain(token) if says_something(token) else "")


@lru_cache(maxsize=12)
def plain_form(language: str) -> Callable[[str], str]:
    """The plain form of a token that says something."""
    known = background(language)
    if known.language in _ENDINGS:
        return partial(_plainest, known)
    if known.stem is None:
        return str
    stem, commonest = known.stem, _commonest(known)
    return lambda token: commonest.get(stem(token), token)


def plain_idf(known: Background) -> Callable[[str], float]:
    """A plain form's idf, by how often that word occurs itself."""
    frequency = known.frequency
    return lambda word: NUMBER if word[0].isdigit() else idf(frequency.get(word, 0.0))


def _plainest(known: Background, token: str) -> str:
    """Go to ever plainer forms with the same stem, until there is none."""
    last = _LAST[known.language]
    while token[-1] in last or not token.isascii():
        plainer = max(_plainer(token, known), key=lambda word: _weight(word, known), default=token)
        if _weight(plainer, known) <= _weight(token, known):
            break
        token = plainer
    return token


def _weight(word: str, known: Background) -> float:
    """A plain form wins unless it is much rarer: "physics" is not the plural of "physic"."""
    return known.frequency.get(word, 0.0) * 0.5 ** len(word)


def _plainer(word: str, known: Background) -> list[str]:
    """Words with the same stem that end more plainly."""
    found = [
        (end, word.removesuffix(end) + plain)
        for end, plain in _ENDINGS[known.language]
        if word.endswith(end) and len(word) > len(end) + 1
    ]
    if known.language == "de" and not word.isascii():
        found += [("", w.translate(_PLAIN_VOWELS)) for w in (word, *(w for _, w in found))]
    elif known.language == "nl":
        found += [("", w[:-1]) for _, w in found if w[-1:] == w[-2:-1]]  # mannen → mann → man
    stem = known.stem or str
    found = [(end, w) for end, w in found if w in known.frequency and known.says_something(w)]
    return [w for end, w in found if end in _SURE or stem(w) == stem(word)]


def _commonest(known: Background) -> dict[str, str]:
    """Stem → its commonest word. The words come in order of their frequency."""
    found: dict[str, str] = {}
    stem = known.stem or str
    for word in known.frequency:
        found.setdefault(stem(word), word)
    return found
