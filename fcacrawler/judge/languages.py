"""Which languages are wanted: a judge's opinion of pages in others, and what is known of where they lie."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage

NAMES = {  # how languages call themselves on links
    "ar": "العربية", "cs": "čeština", "da": "dansk", "de": "deutsch", "el": "ελληνικά", "en": "english",
    "es": "español", "fi": "suomi", "fr": "français", "he": "עברית", "hu": "magyar", "id": "bahasa indonesia",
    "it": "italiano", "ja": "日本語", "ko": "한국어", "nb": "norsk", "nl": "nederlands", "pl": "polski",
    "pt": "português", "ro": "română", "ru": "русский", "sv": "svenska", "th": "ไทย", "tr": "türkçe",
    "uk": "українська", "vi": "tiếng việt", "zh": "中文",
}  # fmt: skip
NUMBERS = {code: n for n, code in enumerate(NAMES)}
_CALLED = {name: code for code, name in NAMES.items()}
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")), ("ko", re.compile("[\uac00-\ud7af]")), ("zh", re.compile("[\u4e00-\u9fff]")),
    ("el", re.compile("[\u0370-\u03ff]")), ("he", re.compile("[\u0590-\u05ff]")), ("th", re.compile("[\u0e00-\u0e7f]")),
)  # fmt: skip
_NAMING = re.compile(  # what a URL that names a language has somewhere; most have nothing of it
    r"(?://|@)[a-z]{2}\.|/[a-z]{2}(?:[-_][a-z]{2,4})?(?:[/?#]|$)|\.[a-z]{2}(?:[-_][a-z]{2,4})?\.html?"
    r"|(?:lang|hl|language|locale)="
)
SAYS, PRIOR = 4.0, 1.0  # pages that a code in a URL counts as, and that nothing known counts as
_REMEMBERED = 100_000  # URLs of which pages have said the language
LEAST = 0.1  # what is left of a rank where everything speaks for another language


@lru_cache(maxsize=50_000)
def said_by(url: str) -> str:
    """The language that a URL names, in its host, path or query; "" if none or several.

    >>> [said_by(u) for u in ("http://de.e.org/x", "http://e.org/fr-CA/a", "http://e.org/?lang=ja", "http://e.de/it")]
    ['de', 'fr', 'ja', 'it']
    >>> said_by("http://www.e.org/item/of/it.is"), said_by("http://e.org/a/index.de.html")
    ('', 'de')
    """
    low = url.lower()
    return _said_by(low) if _NAMING.search(low) else ""


def _said_by(url: str) -> str:
    parts = urlsplit(url)
    labels = (parts.hostname or "").split(".")
    if len(labels) > 2 and labels[0] in NAMES:
        return labels[0]
    found = {segment[:2] for segment in parts.path.split("/") if re.fullmatch(r"[a-z]{2}([-_][a-z]{2,4})?", segment)}
    found |= {m[1] for m in re.finditer(r"\.([a-z]{2})(?:[-_][a-z]{2,4})?\.html?$", parts.path)}
    found |= {m[1] for m in re.finditer(r"(?:^|&)(?:lang|hl|language|locale)=([a-z]{2})\b", parts.query)}
    found &= NAMES.keys()
    return found.pop() if len(found) == 1 else ""


def called(anchor: str) -> str:
    """The language that an anchor names, or is written in the script of; "" if it does not tell.

    >>> called("Deutsch"), called("日本語"), called("機関車"), called("ひらがな"), called("car")
    ('de', 'ja', '', 'ja', '')
    """
    text = anchor.strip().lower()
    if text in _CALLED:
        return _CALLED[text]
    if text.isascii():
        return ""
    found = next((code for code, script in _SCRIPTS if script.search(text)), "")
    return "" if found == "zh" else found  # Chinese characters may be Japanese


def other_language(link: Candidate, languages: Collection[str]) -> int:
    """The number of the language that its URL or an anchor names; UNKNOWN if none, or one of these.

    >>> link = Candidate(b"", "http://de.e.org/", "de.e.org", 1)
    >>> other_language(link, {"en"}) == NUMBERS["de"], other_language(link, {"de", "en"})
    (True, -1)
    """
    said = [code for code in (said_by(link.url), *(called(e.anchor) for e in link.evidence)) if code]
    return NUMBERS[said[0]] if said and not set(said) & set(languages) else UNKNOWN


class Sayings:
    """What links say of the language that they lead to, and what came: a language that is named is believed while no
    more pages in others have come there than in it. ``http://cs.e.edu/`` may be Czech, and is computer science.

    >>> sayings = Sayings()
    >>> sayings.believed("cs"), sayings.add("cs", "en"), sayings.believed("cs")
    (True, None, False)
    """

    def __init__(self) -> None:
        self._kept: Counter[str] = Counter()  # pages in the language less those in others

    def add(self, said: str, language: str) -> None:
        """A page in this language has come from a URL that names that one; "" where it is not known."""
        if said and language:
            self._kept[said] += 1 if said == language else -1

    def believed(self, said: str) -> bool:
        return said != "" and self._kept[said] >= 0

    def those(self, said: NDArray[np.integer]) -> NDArray[np.bool_]:
        """``believed`` each, by their numbers; not what is UNKNOWN."""
        return np.asarray(np.array([*map(self.believed, NUMBERS), False])[said])


class Wanted:
    """The wanted languages, and how many pages of them have been found on which host and in which folder."""

    def __init__(self, languages: Iterable[str]) -> None:
        self.languages = frozenset(languages)
        self._seen: Counter[tuple[str, bool]] = Counter()
        self._said: dict[str, str] = {}  # URL → its language, by the pages that link to it
        self._sayings = Sayings()

    def has(self, language: str) -> bool:
        """A page whose language cannot be told is not held back."""
        return not language or language in self.languages

    def learn(self, page: SeenPage) -> None:
        for link in page.links:
            if link.language:
                if len(self._said) >= _REMEMBERED:
                    self._said.clear()
                self._said[link.url] = link.language
        self._sayings.add(said_by(page.url), page.language)
        if page.language:
            for place in places(page.url):
                self._seen[place, self.has(page.language)] += 1

    def chance(self, url: str, anchors: Iterable[str]) -> float:
        """That what a link leads to is wanted: the pages found in its folder, or else on its host, beside what URL,
        anchors, and the pages that link there (hreflang) say."""
        good = bad = 0.0
        for place in places(url):
            if self._seen[place, True] + self._seen[place, False] > 1:
                good, bad = float(self._seen[place, True]), float(self._seen[place, False])
                break
        named = filter(self._sayings.believed, (said_by(url), *map(called, anchors)))
        for said in filter(None, (self._said.get(url, ""), *named)):
            if said in self.languages:
                good += SAYS
            else:
                bad += SAYS
        return (good + PRIOR) / (good + bad + PRIOR)


def places(url: str) -> tuple[str, ...]:
    """Where a URL lies: the first folder, the host; the narrower first."""
    parts = url.split("/", 4)
    host = parts[2] if len(parts) > 2 else ""
    return (f"{host}/{parts[3]}/", host) if len(parts) > 4 else (host,)


def spoken_in(wanted: Sequence[str]) -> Callable[[str], str]:
    """The language of a topic's pages, by that of its first seed: a seed in a language that nobody wants leads to them,
    and they are in the first one that is wanted.

    >>> spoken_in(["de", "fr"])("fr"), spoken_in(["de", "fr"])("en"), spoken_in([])("en")
    ('fr', 'de', 'en')
    """
    return lambda language: language if language in wanted or not wanted else wanted[0]
