"""Which items of a harvest are wanted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit

from fcacrawler.page import NearDuplicates, simhash
from fcacrawler.page.signals import refusal
from fcacrawler.page.text.quality import quality
from fcacrawler.values.pages import Page

DUPLICATES = 1_000_000  # pages that near-duplicates are looked for among: 16 MB, and their URLs


@dataclass(slots=True)
class Choice:
    """What is wanted; "" and 0 for whatever there is. An item that says nothing of what is asked is not wanted."""

    relevant: bool = False
    least: float = 0.0  # semrank
    since: str = ""  # fetched then or later: the beginning of an ISO 8601 date
    languages: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()  # with those below them
    use: str = ""  # that no owner refuses
    clean: tuple[str, ...] = ()  # rules of quality, none of which is broken: c4, gopher, fineweb
    tell_quality: bool = False
    distinct: bool = False  # nearly the same text once
    left_out: Counter[str] = field(default_factory=Counter)  # by reason

    def of(self, lines: Iterable[str]) -> Iterator[str]:
        """Those that are wanted, each as a line again."""
        known = NearDuplicates(most=DUPLICATES) if self.distinct else None
        for line in lines:
            item = json.loads(line)
            if why := self._against(item, known):
                self.left_out[why] += 1
            else:
                yield json.dumps(item, ensure_ascii=False) if self.tell_quality else line

    def _against(self, item: dict[str, Any], known: NearDuplicates | None) -> str:
        """Why an item is not wanted; what costs most is asked last. Its quality is written into it where that is to be
        told."""
        if self.relevant and not item.get("relevant"):
            return "not relevant"
        if (item.get("semrank") or 0.0) < self.least:
            return "less relevant than asked for"
        if self.since and str(item.get("fetched_at") or "") < self.since:
            return "fetched before"
        if self.languages and item.get("language") not in self.languages:
            return "in another language"
        if self.hosts and not _is_on(host_of(item), self.hosts):
            return "on another host"
        if self.use and (where := refusal(signals_of(item), self.use)):
            return f"refused for {self.use}: {where}"
        if self.clean or self.tell_quality:
            found = quality(text_of(item), str(item.get("language") or ""))
            broken = [flag for flag in found.flags if flag.partition(":")[0] in self.clean]
            if broken:
                return broken[0]
            if self.tell_quality:
                item["quality"], item["quality_flags"] = found.numbers, list(found.flags)
        if known is not None and _seen(item, known):
            return "nearly the same text as another"
        return ""


def only(names: Sequence[str], lines: Iterable[str]) -> Iterator[str]:
    """These fields of items; None for what an item does not have."""
    for line in lines:
        item = json.loads(line)
        yield json.dumps({name: item.get(name) for name in names}, ensure_ascii=False)


def _seen(item: Mapping[str, Any], known: NearDuplicates) -> bool:
    text, url = text_of(item), str(item.get("url") or "")
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest() if text else ""
    page = Page(url, url, "", "", text, (), content_hash=digest, simhash=simhash(text))
    return known.add(url, page) is not None


def text_of(item: Mapping[str, Any]) -> str:
    text = item.get("text")
    return text if isinstance(text, str) else ""


def signals_of(item: Mapping[str, Any]) -> dict[str, str]:
    said = item.get("signals")
    return {str(k): v for k, v in said.items() if isinstance(v, str)} if isinstance(said, dict) else {}


def host_of(item: Mapping[str, Any]) -> str:
    try:
        return urlsplit(str(item.get("final_url") or item.get("url") or "")).hostname or ""
    except ValueError:
        return ""


def _is_on(host: str, hosts: Iterable[str]) -> bool:
    return any(host == h or host.endswith(f".{h}") for h in hosts)
