"""A word as a keyword shows it: of its inflected forms the commonest, so that "circuit" and "circuits" are one keyword.

Stems would not do: they cannot be read ("motorsport" stays, "racing" becomes "race", "university" and "universe" both
"univers").
"""

from __future__ import annotations

from functools import lru_cache

from fcacrawler.page.background import Background, Remembered, background

_ENDINGS = {  # of the plural or another case → of the plain form
    "en": (("ies", "y"), ("es", ""), ("s", "")),
    "de": (("ern", ""), ("en", ""), ("er", ""), ("es", ""), ("em", ""), ("n", ""), ("e", ""), ("s", ""), ("en", "e")),
    "fr": (("aux", "al"), ("s", ""), ("x", "")),
    "es": (("ces", "z"), ("es", ""), ("s", "")),
    "it": (("he", "a"), ("hi", "o"), ("i", "o"), ("i", "e"), ("i", "a"), ("e", "a")),
    "pt": (("ões", "ão"), ("is", "l"), ("ns", "m"), ("es", ""), ("s", "")),
    "nl": (("en", ""), ("s", "")),
}


@lru_cache(maxsize=12)
def forms(language: str) -> Remembered[str]:
    """Token → its plain form; "" for what says nothing."""
    known = background(language)
    if language in _ENDINGS:
        return Remembered(lambda token: _plainest(token, known))
    if known.stem is None:
        return Remembered(lambda token: token if known.says_something(token) else "")
    commonest = _commonest(known)
    return Remembered(lambda token: commonest.get(stem, token) if (stem := known.term[token]) else "")


def _weight(word: str, known: Background) -> float:
    """A plain form wins over a longer one unless it is much rarer: "politics" is not a plural of "politic"."""
    return known.frequency.get(word, 0.0) * 0.5 ** len(word)


def _plainest(token: str, known: Background) -> str:
    """Climb to ever plainer forms with the same stem, until there is none."""
    stem = known.term[token]
    if not stem:
        return ""
    best = token
    while True:
        near = [w for w in _neighbours(best, known.language) if known.term[w] == stem]
        better = max(near, key=lambda w: _weight(w, known), default=best)
        if _weight(better, known) <= _weight(best, known):
            return best
        best = better


def _neighbours(word: str, language: str) -> list[str]:
    found = []
    for end, plain in _ENDINGS[language]:
        if word.endswith(end) and len(word) > len(end) + 1:
            found.append(word.removesuffix(end) + plain)
        if word.endswith(plain):
            found.append(word.removesuffix(plain) + end)
    if language == "de":
        found += [w.translate(_PLAIN_VOWELS) for w in (word, *found) if not w.isascii()]
    elif language == "nl":
        found += [w[:-1] for w in found if w[-1:] == w[-2:-1]]  # mannen → mann → man
    return found


_PLAIN_VOWELS = str.maketrans("äöü", "aou")


def _commonest(known: Background) -> dict[str, str]:
    """Stem → its commonest word. The words come in order of their frequency."""
    found: dict[str, str] = {}
    stem = known.stem or str
    for word in known.frequency:
        found.setdefault(stem(word), word)
    return found
