"""A crawl's items in a search engine of somebody else's, OpenSearch or Elasticsearch: lines for _bulk, and its answers.

    POST URL/_bulk   {"index": {"_index": "pages", "_id": …}} ⏎ {item} ⏎ …

Why so: decision 253.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

from fcacrawler.values.errors import BadOptions, FcaError

MOST, LARGEST = 500, 5 << 20  # documents, and bytes, of one request; the engine itself takes 100 MB
WINDOW = 10_000  # hits that the engine gives at most
SECONDS = 60
AUTHORIZATION = "OPENSEARCH_AUTHORIZATION"  # environment: what goes into the header of that name
FIELDS = (
    "url", "final_url", "title", "text", "language", "fetched_at", "depth", "parent", "anchor", "topic", "semrank",
    "relevant", "content_hash", "duplicate_of", "mark",
)  # fmt: skip
TYPES: Mapping[str, str] = {
    "title": "text", "text": "text", "anchor": "text", "fetched_at": "date", "semrank": "float", "depth": "integer",
    "relevant": "boolean",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Engine:
    """An index of a search engine: its server, and its name."""

    server: str
    index: str
    authorization: str = ""

    @classmethod
    def at(cls, url: str, authorization: str = "") -> Engine:
        """``url``: http://127.0.0.1:9200/pages. Raises BadOptions."""
        parts = urlsplit(url)
        name = parts.path.strip("/")
        wrong = ""
        if parts.scheme not in ("http", "https") or not parts.hostname:
            wrong = "must begin with http:// or https:// and name a host"
        elif not name or name != name.lower() or name[0] in "-_+." or set(name) & set('\\/*?"<>| ,#:'):
            wrong = "must end with the name of an index in lower case, as in http://127.0.0.1:9200/pages"
        elif parts.username or parts.password or parts.query:
            wrong = f"must name no user and no query: authorization comes from the environment: {AUTHORIZATION}"
        if wrong:
            raise BadOptions([f"opensearch {url}: {wrong}"])
        return cls(urlunsplit((parts.scheme, parts.netloc, "", "", "")), name, authorization)

    def make(self) -> None:
        """The index with the types of the fields, unless it is there."""
        keywords = {name: {"type": TYPES.get(name, "keyword")} for name in FIELDS}
        for name in ("url", "final_url", "parent", "duplicate_of"):
            keywords[name]["ignore_above"] = 8191  # type: ignore[assignment]
        told = {"mappings": {"dynamic": False, "properties": {**keywords, "keywords": {"type": "keyword"}}}}
        try:
            self._ask("PUT", f"/{self.index}", json.dumps(told).encode(), "application/json")
        except Refused as error:
            if "resource_already_exists_exception" not in error.body:
                raise

    def add(self, items: Iterable[Mapping[str, Any]]) -> Iterator[int]:
        """How many are in it so far, after each request. FcaError says what it does not take."""
        done = 0
        for lines, count in requests(items, self.index):
            answer = self._ask("POST", "/_bulk", lines, "application/x-ndjson")
            if answer.get("errors"):
                wrong = [one for place in answer.get("items", ()) if (one := next(iter(place.values()))).get("error")]
                first = wrong[0]["error"] if wrong else {}
                why = f"{first.get('type')}: {first.get('reason')}"
                raise FcaError(f"{self.server} does not take {len(wrong)} of {count} pages: {why}")
            done += count
            yield done

    def find(self, words: str, n: int) -> list[dict[str, Any]]:
        """The best pages by the engine's own score, as hits of ours."""
        highlight = {"fields": {"text": {"fragment_size": 240, "number_of_fragments": 1}}}
        return [
            {"score": hit.get("_score"), **hit.get("_source", {}), "snippet": hit.get("highlight", {}).get("text", [])}
            for hit in self._found(words, n, {"_source": [*FIELDS], "highlight": highlight})
        ]

    def urls(self, words: str, n: int) -> list[tuple[str, float]]:
        """Of the best pages, with the engine's own score."""
        found = self._found(words, min(n, WINDOW), {"_source": ["url"]})
        return [
            (hit["_source"]["url"], float(hit.get("_score") or 0.0)) for hit in found if "url" in hit.get("_source", ())
        ]

    def _found(self, words: str, n: int, more: Mapping[str, Any]) -> list[dict[str, Any]]:
        query = {"multi_match": {"query": words, "fields": ["title^4", "anchor", "text"]}}
        asked = json.dumps({"size": n, "query": query, **more}).encode()
        answer = self._ask("POST", f"/{self.index}/_search", asked, "application/json")
        found: list[dict[str, Any]] = answer.get("hits", {}).get("hits", [])
        return found

    def _ask(self, method: str, path: str, body: bytes, kind: str) -> dict[str, Any]:
        headers = {"Content-Type": kind} | ({"Authorization": self.authorization} if self.authorization else {})
        request = Request(self.server + path, body, headers, method=method)
        try:
            with urlopen(request, timeout=SECONDS) as answer:
                found = json.loads(answer.read())
        except HTTPError as error:
            raise Refused(self.server, error.code, error.read().decode("utf-8", "replace")[:2000]) from None
        except (URLError, OSError) as error:
            raise FcaError(f"{self.server} does not answer: {getattr(error, 'reason', error)}") from None
        except ValueError:
            raise FcaError(f"{self.server} is no OpenSearch: it does not answer in JSON") from None
        return found if isinstance(found, dict) else {}


class Refused(FcaError):
    """An answer that is an error."""

    def __init__(self, server: str, code: int, body: str) -> None:
        super().__init__(f"{server} answers {code}: {body[:300]}")
        self.body = body


def requests(items: Iterable[Mapping[str, Any]], index: str) -> Iterator[tuple[bytes, int]]:
    """Bodies of _bulk, with how many pages each has: two lines a page, the last line ended too.

    >>> [(body, count)] = requests([{"url": "http://tea.test/", "title": "Tea"}], "pages")
    >>> body.decode().splitlines()[1], body.endswith(b"\\n"), count
    ('{"url": "http://tea.test/", "title": "Tea"}', True, 1)
    """
    lines, count = bytearray(), 0
    for item in items:
        action = {"index": {"_index": index, "_id": blake2b(str(item["url"]).encode(), digest_size=16).hexdigest()}}
        known = {name: item[name] for name in FIELDS if item.get(name) is not None}
        if item.get("keywords"):
            known["keywords"] = list(item["keywords"])
        pair = b"".join(json.dumps(part).encode() + b"\n" for part in (action, known))
        if count and (count >= MOST or len(lines) + len(pair) > LARGEST):
            yield bytes(lines), count
            lines, count = bytearray(), 0
        lines += pair
        count += 1
    if count:
        yield bytes(lines), count
