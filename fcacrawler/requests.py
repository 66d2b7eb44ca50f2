"""A foreign spider's requests as plain data, so that they outlive their process and other workers can make them."""

from __future__ import annotations

import base64
import json
from typing import Any

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

from fcacrawler.values.errors import BadRecord

KEPT = "kept"  # in place of a request that only the process that has it can make


def dump_request(request: Request, spider: Spider) -> str:
    """JSON; "" for a plain GET. TypeError or ValueError says what cannot be written."""
    if request.method == "GET" and not (request.body or request.callback or request.errback or request.cb_kwargs):
        extra = request.meta.keys() - {"depth", "download_slot"}
        if not extra and request.headers.keys() <= {b"Referer"} and not request.cookies:
            return ""
    data = request.to_dict(spider=spider)
    data["body"] = base64.b64encode(data["body"]).decode()
    data["headers"] = {k.decode("latin-1"): [v.decode("latin-1") for v in vs] for k, vs in data["headers"].items()}
    data.pop("_class", None)
    return json.dumps(data, separators=(",", ":"))


def load_request(text: str, spider: Spider) -> Request:
    if text == KEPT:
        raise BadRecord("only the process that found it could make this request: its callback or meta is no plain data")
    try:
        data: dict[str, Any] = json.loads(text)
        data["body"] = base64.b64decode(data["body"])
        return request_from_dict(data, spider=spider)
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        raise BadRecord(f"this spider cannot make the request: {e}") from None
