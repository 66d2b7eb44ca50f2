"""What owners say of how their pages may be used, as far as machines can read it: recorded, and asked when it matters.

robots.txt (Content-Signal; Content-Usage of the IETF's AIPREF drafts), response headers, meta elements (noai, noarchive
…) and TDMRep, the W3C community group's protocol for text and data mining. Nothing of this grants or takes a right: it
is told as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from urllib.parse import unquote, urlsplit

SEARCH, INPUT, TRAIN, MINE, ARCHIVE = USES = ("search", "ai-input", "ai-train", "tdm", "archive")
ROBOTS_TXT = "robots.txt "  # begins the names of what robots.txt says
TDM_FILE = "tdmrep.json "
_LONGEST = 500
_TDM = ("tdm-reservation", "tdm-policy")
_KEPT = re.compile(r"\b(noai|noimageai|noarchive|nosnippet|noindex)\b")
_NAMES = {"train-ai": TRAIN, "ai-train": TRAIN, "search": SEARCH, "ai-input": INPUT, "tdm": MINE, "ai-use": INPUT}
_NO = re.compile(r"([a-z-]+)\s*=\s*(?:no|n|\?0)(?![\w-])")
_OF_ROBOTS = {"noai": (TRAIN, INPUT), "noarchive": (ARCHIVE,), "noindex": (SEARCH,)}


def said_of_use(metas: Mapping[str, str], headers: Mapping[str, str]) -> dict[str, str]:
    """By where it is said. Only what a page and its response say themselves.

    >>> said_of_use({"robots": "noai, follow", "tdm-reservation": "1"}, {"content-usage": "train-ai=n"})
    {'meta robots': 'noai', 'meta tdm-reservation': '1', 'header content-usage': 'train-ai=n'}
    """
    found: dict[str, str] = {}
    tags = ("meta robots", metas.get("robots")), ("header x-robots-tag", headers.get("x-robots-tag"))
    for name, said in tags:
        if said and (kept := dict.fromkeys(_KEPT.findall(_for_all(said[: 4 * _LONGEST].lower())))):
            found[name] = ", ".join(kept)
    for name in _TDM:
        if said := _plain(metas.get(name, "")):
            found[f"meta {name}"] = said
    for name in ("content-usage", "content-signal", *_TDM):
        if said := _plain(headers.get(name, "")):
            found[f"header {name}"] = said
    return found


def _for_all(directives: str) -> str:
    """Less those for another robot by name: "otherbot: noai"."""
    return re.sub(r"[a-z][\w-]*:[^,]*", "", directives)


def _plain(text: str) -> str:
    text = " ".join(text[:_LONGEST].split())
    return text if text.isprintable() else ""


def refusal(signals: Mapping[str, str], use: str) -> str:
    """Where an owner refuses a use; "" where none does. Of several that speak the strictest is heard, as AIPREF has it:
    what is allowed somewhere does not take back what is refused elsewhere.

    >>> refusal({"robots.txt Content-Signal": "search=yes, ai-train=no"}, "ai-train")
    'robots.txt Content-Signal'
    >>> refusal({"meta robots": "noai"}, "search"), refusal({"header tdm-reservation": "1"}, "ai-train")
    ('', 'header tdm-reservation')
    """
    return next((name for name, said in signals.items() if use in _refused(name.rpartition(" ")[2].lower(), said)), "")


def _refused(kind: str, said: str) -> Iterable[str]:
    if kind in ("content-usage", "content-signal"):
        return {_NAMES[name] for name in _NO.findall(said.lower()) if name in _NAMES}
    if kind in ("robots", "x-robots-tag"):
        return {use for directive in said.split(", ") for use in _OF_ROBOTS.get(directive, ())}
    return (MINE, TRAIN) if kind == "tdm-reservation" and said == "1" else ()  # mining is what training does


def _robots_name(kind: str) -> str:
    return ROBOTS_TXT + kind.title()


class RobotsSignals:
    """What a robots.txt says of use, for one crawler: the lines of its group, each for a path and what is below it."""

    def __init__(self, text: str, agent: str) -> None:
        self._lines = {kind: _lines(text, agent, kind) for kind in ("content-signal", "content-usage")}

    def __bool__(self) -> bool:
        return any(self._lines.values())

    def of(self, url: str) -> dict[str, str]:
        """By the line whose path fits best, which is the longest.

        >>> robots = "User-agent: *\\nContent-Usage: train-ai=n\\nContent-Usage: /ai-ok/ train-ai=y"
        >>> signals = RobotsSignals(robots, "fcacrawler")
        >>> signals.of("http://a.org/x"), signals.of("http://a.org/ai-ok/x")
        ({'robots.txt Content-Usage': 'train-ai=n'}, {'robots.txt Content-Usage': 'train-ai=y'})
        """
        parts = urlsplit(url)
        path = unquote(parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        found = {}
        for kind, lines in self._lines.items():
            fitting = [(len(where), said) for where, said in lines if not where or fits(where, path)]
            longest = max((length for length, _ in fitting), default=0)
            if said := ", ".join(dict.fromkeys(said for length, said in fitting if length == longest)):
                found[_robots_name(kind)] = said[:_LONGEST]
        return found


_LINES = 200  # of one kind that are kept


def _lines(text: str, agent: str, kind: str) -> list[tuple[str, str]]:
    """Path and what is said, of the group for this agent, or else of that for all."""
    groups: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
    named = {True: False, False: False}  # there is a group for the agent; for all
    current: set[bool] = set()
    in_rules = False
    for line in text[:500_000].splitlines():
        name, _, value = line.partition("#")[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        if name == "user-agent":
            if in_rules:
                current, in_rules = set(), False
            if value == "*" or _is_named(value, agent):
                current.add(value != "*")
                named[value != "*"] = True
        elif name in ("allow", "disallow", kind):
            in_rules = True
            if name == kind:
                where, _, rest = value.partition(" ") if value.startswith(("/", "*")) else ("", "", value)
                for of in current if _plain(rest) and "=" in rest else ():
                    if len(groups[of]) < _LINES:
                        groups[of].append((where, _plain(rest)))
    return groups[named[True]]


def _is_named(token: str, agent: str) -> bool:
    return product_token(token).lower() == agent.lower()


def product_token(user_agent: str) -> str:
    """What a robots.txt calls a crawler: the name that its User-Agent begins with (RFC 9309, 2.2.1).

    >>> product_token("fcacrawler/1.0 (+https://example.org)")
    'fcacrawler'
    """
    match = re.match(r"[A-Za-z_-]+", user_agent)
    return match[0] if match else user_agent


@lru_cache(maxsize=1000)
def _pattern(where: str) -> tuple[tuple[str, ...], bool]:
    return tuple(unquote(where.removesuffix("$")).split("*")), where.endswith("$")


def fits(where: str, path: str) -> bool:
    """Whether a rule's path fits, with * for anything and $ for the end (RFC 9309, 2.2.3); linear.

    >>> fits("/a/*.gif$", "/a/b/c.gif"), fits("/a/*.gif$", "/a/b.gif?x"), fits("/a", "/ab"), fits("/*a*b", "/xb")
    (True, False, True, False)
    """
    parts, ends = _pattern(where)
    if not path.startswith(parts[0]):
        return False
    at = len(parts[0])
    for part in parts[1 : len(parts) - ends]:
        at = path.find(part, at)
        if at < 0:
            return False
        at += len(part)
    if not ends:
        return True
    return at == len(path) if len(parts) == 1 else len(path) - len(parts[-1]) >= at and path.endswith(parts[-1])


def tdm_of(rules: Iterable[object], url: str) -> dict[str, str]:
    """What /.well-known/tdmrep.json says of a URL: the first rule whose location fits (TDMRep, 6.2).

    >>> rules = [{"location": "/free/", "tdm-reservation": 0}, {"location": "/", "tdm-reservation": 1}]
    >>> tdm_of(rules, "http://a.org/free/x"), tdm_of(rules, "http://a.org/x")
    ({'tdmrep.json tdm-reservation': '0'}, {'tdmrep.json tdm-reservation': '1'})
    """
    parts = urlsplit(url)
    path = unquote(parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    for rule in rules:
        if isinstance(rule, dict) and isinstance(where := rule.get("location"), str) and fits(where, path):
            return dict(_told(rule))
    return {}


def _told(rule: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name in _TDM:
        if isinstance(value := rule.get(name), str | int) and (said := _plain(str(value))):
            yield TDM_FILE + name, said
