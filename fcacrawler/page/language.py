"""The language of a page: what it says of itself if its words bear it out, or what they sound like."""

from __future__ import annotations

import re
from functools import lru_cache

from fcacrawler.page.background import WORD
from fcacrawler.page.stopwords import STOP_WORDS

_CODE = re.compile(r"[a-z]{2,3}")
_OLD = {"iw": "he", "in": "id", "ji": "yi", "no": "nb", "nn": "nb", "eng": "en", "deu": "de", "fra": "fr"}
_SAMPLE = 1500  # characters that are looked at
_ENOUGH = 0.2  # of the words are stop words of the language: in any prose


def language_of(declared: str, text: str) -> str:
    """ISO 639-1 code; "" if neither declaration nor text tells it."""
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    code = _OLD.get(code, code) if _CODE.fullmatch(code) else ""
    sample = text[:_SAMPLE].lower()
    heard = _heard(sample)
    if not heard or heard == code:
        return code
    return heard


@lru_cache(maxsize=1)
def _stop_words() -> dict[str, frozenset[str]]:
    return {language: frozenset(listed.split()) for language, listed in STOP_WORDS.items()}


def _heard(sample: str) -> str:
    """The language whose stop words a text is full of; "" if of none."""
    found = WORD.findall(sample)
    if len(found) < 20:
        return ""
    share = {language: sum(map(stop.__contains__, found)) for language, stop in _stop_words().items()}
    best = max(share, key=lambda language: share[language])
    return best if share[best] > _ENOUGH * len(found) else ""
