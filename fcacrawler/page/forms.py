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
_SURE = frozenset(("aux", "ões", "ces"))  # these say enough; stems need not agree
_PLAIN_VOWELS = str.maketrans("äöü", "aou")


@lru_cache(maxsize=12)
def forms(language: str) -> Remembered[str]:
    """Token → its plain form; "" for what says nothing."""
    known = background(language)
    if known.language in _ENDINGS:
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
    if not known.term[token]:
        return ""
    best = token
    while True:
        better = max(_neighbours(best, known), key=lambda w: _weight(w, known), default=best)
        if _weight(better, known) <= _weight(best, known):
            return best
        best = better


def _neighbours(word: str, known: Background) -> list[str]:
    """Words with the same stem that differ in their ending only."""
    sure: list[str] = []
    near: list[str] = []
    for end, plain in _ENDINGS[known.language]:
        for old, new in ((end, plain), (plain, end)):
            if word.endswith(old) and len(word) > len(old) + 1:
                (sure if end in _SURE else near).append(word.removesuffix(old) + new)
    if known.language == "de":
        near += [w.translate(_PLAIN_VOWELS) for w in (word, *near) if not w.isascii()]
    elif known.language == "nl":
        near += [w[:-1] for w in near if w[-1:] == w[-2:-1]]  # mannen → mann → man
    stem = known.term[word]
    return [w for w in sure if known.term[w]] + [w for w in near if known.term[w] == stem]


def _commonest(known: Background) -> dict[str, str]:
    """Stem → its commonest word. The words come in order of their frequency."""
    found: dict[str, str] = {}
    stem = known.stem or str
    for word in known.frequency:
        found.setdefault(stem(word), word)
    return found
