"""What stands in a request's meta; and requests as candidates, plain data, so that they outlive their process and other
workers can make them."""

from __future__ import annotations

import base64
import json
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.request import request_from_dict

from fcacrawler.frontier import Entry, Frontier
from fcacrawler.page import canonical_url, key_of
from fcacrawler.values.errors import BadRecord
from fcacrawler.values.links import Candidate, Evidence

ENTRY = "fca_entry"  # request meta: the frontier's entry that a request was made of
EVIDENCE = "fca_evidence"  # request meta: the link that a foreign spider's request follows
PUT_BACK = "fca_put_back"  # request meta: how often it has been put back, to wait again in the frontier
UNCOUNTED = "fca_uncounted"  # request meta: put back for what says nothing of the link
SIGNALS = "fca_signals"  # request meta: what its host's robots.txt says of the use of its URL
KIND = "fca_kind"  # request meta: what its response was before it was made HTML
RECORD = "fca_record"  # request meta: where its response has been recorded
WEB = ("http://", "https://")
KEPT = "kept"  # in place of a request that only the process that has it can make


class Unwritable(Exception):
    """A request that is no plain data."""


class Requests:
    """A spider's requests as candidates of the frontier, and back."""

    def __init__(self, crawler: Crawler, frontier: Frontier, spider: Spider) -> None:
        self._crawler = crawler
        self._frontier = frontier
        self._spider = spider
        self._live: dict[bytes, Request] = {}  # requests that cannot be written as JSON

    def candidate(self, request: Request) -> Candidate:
        """Raises ``Unwritable`` where other workers would have to make a request that only this process can."""
        url = canonical_url(request.url)
        if url and request.method == "GET" and not request.body and not request.dont_filter:
            key, _ = key_of(url)
        else:
            key = self._crawler.request_fingerprinter.fingerprint(request)[:16]
        if request.dont_filter and self._frontier.knows(key):  # asked for again on purpose
            key = b"again" + len(self._live).to_bytes(3, "big") + id(request).to_bytes(8, "big")
        evidence: Evidence | None = request.meta.pop(EVIDENCE, None)
        depth = int(request.meta.get("depth", 0))
        host = self._crawler.engine.downloader.get_slot_key(request)
        return Candidate(key, request.url, host, depth, (evidence,) if evidence else (), self._written(key, request))

    def _written(self, key: bytes, request: Request) -> str:
        try:
            return dump_request(request, self._spider)
        except (TypeError, ValueError) as error:
            if self._frontier.shared:
                raise Unwritable(str(error)) from None
            self._crawler.stats.inc_value("fca/requests_kept_as_objects")
            self._live[key] = request
            return KEPT

    def of(self, entry: Entry) -> Request:
        """The request for a link that leaves. Raises ``BadRecord``."""
        candidate = entry.candidate
        request = self._live.get(candidate.key)
        if request is None:
            request = load_request(candidate, self._spider)
            if (parent := candidate.parent) and not candidate.request:
                request.headers["Referer"] = parent
        request.meta[ENTRY] = entry
        request.meta["depth"] = candidate.depth
        return request

    def forget(self, key: bytes) -> None:
        """The link is done."""
        self._live.pop(key, None)


def dump_request(request: Request, spider: Spider) -> str:
    """JSON; "" for a plain GET. TypeError or ValueError says what cannot be written."""
    if not request.url.startswith(WEB):
        raise ValueError("its URL is neither http nor https")
    if request.method == "GET" and not (request.body or request.callback or request.errback or request.cb_kwargs):
        extra = request.meta.keys() - {"depth", "download_slot"}
        if not extra and request.headers.keys() <= {b"Referer"} and not request.cookies:
            return ""
    data = request.to_dict(spider=spider)
    data["body"] = base64.b64encode(data["body"]).decode()
    data["headers"] = {k.decode("latin-1"): [v.decode("latin-1") for v in vs] for k, vs in data["headers"].items()}
    data.pop("_class", None)
    return json.dumps(data, separators=(",", ":"))


def load_request(candidate: Candidate, spider: Spider) -> Request:
    """The request of a link that has waited. What a store holds may have been written by others: nothing but pages of
    the web is asked for, and no class is looked up by name."""
    if candidate.request == KEPT:
        raise BadRecord("only the process that found it could make this request: its callback or meta is no plain data")
    try:
        request = _described(candidate.request, spider) if candidate.request else Request(candidate.url)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as e:
        raise BadRecord(f"this spider cannot make the request: {e}") from None
    if not request.url.startswith(WEB):
        raise BadRecord("what has waited in a store is asked for by http and https only")
    return request


def _described(text: str, spider: Spider) -> Request:
    data: dict[str, Any] = json.loads(text)
    data["body"] = base64.b64decode(data["body"])
    data.pop("_class", None)
    return request_from_dict(data, spider=spider)


def asked_url(response: Response) -> str:
    """The canonical URL that was asked for, before redirects."""
    entry = response.meta.get(ENTRY)
    if entry is not None and not entry.candidate.request:
        return str(entry.candidate.url)
    first = response.meta.get("redirect_urls", [response.url])[0]
    return canonical_url(first) or first


def put_back(request: Request, counted: bool = True) -> Request:
    """For the scheduler: its link is to wait in the frontier again. Neither callback nor errback hears of it.
    ``counted``: it is one of the attempts that a link has."""
    again = request.copy()
    again.meta[PUT_BACK] = request.meta.get(PUT_BACK, 0) + 1
    if not counted:
        again.meta[UNCOUNTED] = True
    return again
