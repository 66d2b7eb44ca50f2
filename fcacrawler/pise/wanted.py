"""A new crawl as somebody wants it: checked, and written as the topic's file that the crawl reads."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fcacrawler.app.config import codes, no_codes
from fcacrawler.engines import Said
from fcacrawler.page import canonical_url
from fcacrawler.values.errors import BadOptions

MOST_URLS, LONGEST_TOPIC, MOST_PAGES = 1000, 300, 10_000_000
STAYS = ("any", "site", "host")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A new crawl, as somebody typed it."""

    topic: str
    seeds: str = ""
    examples: str = ""
    pages: str = "1000"
    stay: str = "any"
    languages: str = ""
    demo: bool = False
    taken: tuple[str, ...] = ()  # of what engines have named
    said: Said | None = None  # who named what, if that is still known
    engines: str = ""  # their file; "": there is none

    @property
    def codes(self) -> str:
        """The languages as a crawl reads them."""
        return ",".join(codes(self.languages[:LONGEST_TOPIC]))

    def by_engines(self) -> Said:
        """What the crawl is to know of its seeds: that it is engines who have named them, and who."""
        said = self.said or Said(secrets.token_hex(8), " ".join(self.topic.split()), {})
        return replace(said, seeds=self.taken)


def checked(wanted: Wanted) -> tuple[str, int]:
    """The topic's file and the budget."""
    problems: list[str] = []
    words = " ".join(wanted.topic.split())
    typed, examples = (list(_urls(text, problems)) for text in (wanted.seeds, wanted.examples))
    seeds = list(dict.fromkeys([*typed, *_urls("\n".join(wanted.taken), problems)]))
    if not any(c.isalnum() for c in words):
        problems.append("topic: say what to look for, such as auto racing")
    if len(words) > LONGEST_TOPIC:
        problems.append(f"topic: {LONGEST_TOPIC} characters at most")
    if not (seeds or wanted.demo or wanted.engines):
        problems.append("seeds: name some pages to begin with, one a line (or choose the demo web)")
    if wrong := no_codes(wanted.languages[:LONGEST_TOPIC]):
        problems.append(f"languages: {wrong}")
    if wanted.stay not in STAYS:
        problems.append(f"stay: must be one of {', '.join(STAYS)}")
    pages = int(wanted.pages) if re.fullmatch("[0-9]{1,8}", wanted.pages) else 0
    if not 0 < pages <= MOST_PAGES:
        problems.append(f"pages: a number from 1 to {MOST_PAGES}")
    if problems:
        raise BadOptions(problems)
    lists = {"seeds": seeds, "examples": examples}
    lines = [f"words = {_quoted(words)}", *(f"{n} = [{', '.join(map(_quoted, v))}]" for n, v in lists.items() if v)]
    return "\n".join(lines) + "\n", pages


def _urls(text: str, problems: list[str]) -> Iterator[str]:
    for word in text.split()[: MOST_URLS + 1]:
        url = canonical_url(word)
        if url:
            yield url
        else:
            problems.append(f"{word[:80]!r} is no URL that begins with http:// or https://")
    if len(text.split()) > MOST_URLS:
        problems.append(f"{MOST_URLS} URLs at most")


def _quoted(text: str) -> str:
    """As TOML has it."""
    return json.dumps("".join(c for c in text if c.isprintable()), ensure_ascii=False)
