"""The language of a page: what it says of itself where its words bear that out, or else what they sound like."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from math import exp, log
from typing import NamedTuple

import wordfreq

from fcacrawler.page.text.background import common_words
from fcacrawler.page.text.stopwords import STOP_WORDS
from fcacrawler.page.text.trigrams import Trigrams

_CODES = frozenset(
    """aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
    eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka
    kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl
    nn nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw
    ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu""".split()
)  # ISO 639-1
_WORD = re.compile(r"[^\W_]+")
_SAME = {
    "iw": "he", "in": "id", "ji": "yi", "no": "nb", "nn": "nb", "fil": "tl", "sh": "hr", "eng": "en", "deu": "de",
    "ger": "de", "fra": "fr", "fre": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl", "dut": "nl",
    "rus": "ru", "zho": "zh", "chi": "zh", "cmn": "zh", "yue": "zh", "jpn": "ja",
}  # fmt: skip
_SAMPLE = 1500  # characters that are looked at
_FEW = 8  # words, and a declaration is believed
_PLAIN = 0.37  # of the words are stop words of the language: then it is that language and no relative of it
_ENGLISH = 0.2  # … enough for English, which has no near relative among them
_BELIEVED, _UNDECLARED = 12.0, 6.0  # nats by which a declaration, or its absence, is believed against the words
_NATS = 3.0  # by which one language must lead to be e times likelier: words of a text hang together
_SURE, _DECLARED = 0.99, 0.7  # certainties: borne out by stop words or script; only declared
_COMMON = 3000  # words that are known of a language
_LINE, _SOUND = 40, 0.2  # words of a text that is so short that its letters are heard, and what they count
_HEARD = 1500  # words of a language whose letters are known
_DENSE = ("ja", "ko", "zh")  # whose characters say as much as two letters
_RARE = 1e-6
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")), ("ko", re.compile("[\uac00-\ud7af]")), ("zh", re.compile("[\u4e00-\u9fff]")),
    ("el", re.compile("[\u0370-\u03ff]")), ("he", re.compile("[\u0590-\u05ff]")), ("hi", re.compile("[\u0900-\u097f]")),
    ("bn", re.compile("[\u0980-\u09ff]")), ("ta", re.compile("[\u0b80-\u0bff]")), ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ka", re.compile("[\u10a0-\u10ff]")), ("hy", re.compile("[\u0530-\u058f]")),
)  # fmt: skip
_WRITTEN_SO_TOO = {"hi": ("mr", "ne", "sa"), "he": ("yi",)}


class Told(NamedTuple):
    """A language by its ISO 639-1 code, "" if it cannot be told, and how sure that is, in [0, 1]."""

    code: str
    certainty: float


def language_of(declared: str, text: str) -> str:
    """ISO 639-1 code of a page that declares its language so; "" if neither declaration nor text tells it.

    >>> language_of("en-GB", "Das ist ein kurzer Satz, und er ist nicht auf Englisch, sondern auf Deutsch geschrieben.")
    'de'
    """
    return told(declared, text).code


def told(declared: str, text: str) -> Told:
    """The language, and how sure it is.

    >>> told("", "Das ist ein kurzer Satz, und er ist nicht auf Englisch, sondern auf Deutsch geschrieben.")
    Told(code='de', certainty=1.0)
    >>> told("fr", ""), told("", "")
    (Told(code='fr', certainty=0.7), Told(code='', certainty=0.0))
    """
    code = code_of(declared)
    no_more = Told(code, _DECLARED if code else 0.0)
    middle = max(0, len(text) // 2 - _SAMPLE)  # where prose is likelier than at the beginning
    sample = text[middle : middle + _SAMPLE].lower()
    words = _WORD.findall(sample)
    if not words:
        return no_more
    if code in STOP_WORDS and _share(words, code) >= (_ENGLISH if code == "en" else _PLAIN):
        return Told(code, _SURE)
    script = _script(sample)
    if script:
        return Told(code if code in (script, *_WRITTEN_SO_TOO.get(script, ())) else script, _SURE)
    if code and len(words) < _FEW:
        return no_more
    scores = _scores(words)
    if len(words) < _LINE:
        for language, says in _trigrams().scores(words).items():
            scores[language] += _SOUND * says
    if not scores:
        return no_more
    if code and code not in _languages():
        return Told("en", _DECLARED) if _share(words, "en") >= _ENGLISH else no_more
    scores[code] += _BELIEVED if code else _UNDECLARED
    best = max(scores, key=scores.__getitem__)
    chances = (exp((score - scores[best]) / _NATS) for score in scores.values())
    return Told(best, round(1 / sum(chances), 3) if best else 0.0)


def code_of(declared: str) -> str:
    """The ISO 639-1 code of a language as pages write it; "" for what is none.

    >>> code_of("de-AT"), code_of("zho_Hant"), code_of("x-default"), code_of("jp")
    ('de', 'zh', '', '')
    """
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    code = _SAME.get(code, code)
    return code if code in _CODES else ""


def _share(words: list[str], language: str) -> float:
    """Which part of the words are stop words of the language; 0 for a text too short to tell."""
    return sum(map(_listed(language).__contains__, words)) / len(words) if len(words) >= 20 else 0.0


@lru_cache
def _listed(language: str) -> frozenset[str]:
    return frozenset(STOP_WORDS[language].split())


def _script(sample: str) -> str:
    """The one language that is written in the script of a fifth of the text, a tenth where a character is a syllable or
    more; "" for scripts of many languages."""
    if sample.isascii():
        return ""
    letters = sum(map(str.isalpha, sample))
    of = {code: 10 if code in _DENSE else 5 for code, _ in _SCRIPTS}
    return next((code for code, script in _SCRIPTS if of[code] * len(script.findall(sample)) > letters), "")


def _scores(words: list[str]) -> dict[str, float]:
    """Language → how much commoner the words are in it than rare words are: sum of ln f/10⁻⁶."""
    scores: defaultdict[str, float] = defaultdict(float)
    common = _common()
    for word in dict.fromkeys(words):
        for language, says in common.get(word, ()):
            scores[language] += says
    return scores


@lru_cache(maxsize=1)
def _languages() -> tuple[str, ...]:
    """Languages of the Latin, Cyrillic and Arabic scripts whose common words are known."""
    written_alone = {code for code, _ in _SCRIPTS}
    return tuple(sorted({_SAME.get(c, c) for c in wordfreq.available_languages("small")} - written_alone))


@lru_cache(maxsize=1)
def _trigrams() -> Trigrams:
    """Made when the first line comes that does not plainly say what it is: 0.15 s."""
    return Trigrams({language: common_words(language, _HEARD) for language in _languages()})


@lru_cache(maxsize=1)
def _common() -> dict[str, list[tuple[str, float]]]:
    """Word → the languages it is common in. Made when the first page does not plainly say what it is: 0.1 s."""
    found: dict[str, list[tuple[str, float]]] = {}
    for language in _languages():
        common = common_words(language, _COMMON)
        says = {frequency: (language, log(frequency / _RARE)) for frequency in set(common.values())}
        for word, frequency in common.items():
            if word.isalpha():
                found.setdefault(word, []).append(says[frequency])
    return found
