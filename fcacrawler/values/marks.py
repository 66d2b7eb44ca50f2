"""A mark: what a user says of a page, that it is about the topic (good) or is not (bad)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fcacrawler.values.errors import BadRecord

UNDONE = "none"
WORDS: Mapping[str, bool | None] = MappingProxyType({"good": True, "bad": False, UNDONE: None})
LONGEST = 20_000  # characters of a line


@dataclass(frozen=True, slots=True)
class Mark:
    """Of the marks of a URL the last one told counts."""

    url: str  # canonical
    good: bool | None  # None: what was said before is taken back
    who: str = ""
    when: str = ""  # ISO 8601

    @property
    def word(self) -> str:
        return next(word for word, good in WORDS.items() if good is self.good)


def dump_mark(mark: Mark) -> str:
    """A line of JSON.

    >>> dump_mark(Mark("http://a.test/", True, "ann"))
    '{"url":"http://a.test/","mark":"good","who":"ann","when":""}'
    """
    fields = {"url": mark.url, "mark": mark.word, "who": mark.who, "when": mark.when}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def load_mark(line: str) -> Mark:
    """
    >>> load_mark(dump_mark(Mark("http://a.test/", False))).good
    False
    >>> load_mark('{"url": "http://a.test/", "mark": "fine"}')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    fcacrawler.values.errors.BadRecord: not a mark ('fine' is not good, bad or none): {"url": "http://a.test/", "ma...
    """
    try:
        fields = json.loads(line[:LONGEST])
        url, word, who, when = (fields.get(name, "") for name in ("url", "mark", "who", "when"))
        if not all(isinstance(value, str) for value in (url, word, who, when)) or not url:
            raise ValueError("it needs url and mark")
        if word not in WORDS:
            raise ValueError(f"{word!r} is not {', '.join(list(WORDS)[:-1])} or {UNDONE}")
    except (ValueError, AttributeError, RecursionError) as error:
        raise BadRecord(f"not a mark ({error}): {line[:80]}") from None
    return Mark(url, WORDS[word], who, when)
