"""What a page's scripts may send to hosts and read of them: the same-origin policy (Fetch standard, CORS).

The browser keeps the policy itself, by the headers it is given; what it cannot see is decided here: Playwright grants
every origin where an answer says nothing, and redirects are followed outside of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

ALLOW = "access-control-allow-origin"
NOBODY = "https://nobody.invalid"  # an origin that no page has
_OTHERS = frozenset(("accept", "accept-language"))  # headers that scripts may set for any host
_OWN = _OTHERS | {
    "content-type",
    "x-requested-with",
}  # … for their page's own: neither credentials nor what steers proxies
_PORTS = {"http": 80, "https": 443}


def origin_of(url: str) -> str:
    """
    >>> origin_of("https://A.org:443/x?y"), origin_of("http://a.org:8080/")
    ('https://a.org', 'http://a.org:8080')
    """
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    port = parts.port or _PORTS.get(parts.scheme)
    return f"{parts.scheme}://{host}" + ("" if port == _PORTS.get(parts.scheme) else f":{port}")


def sent(page: str, url: str, headers: Mapping[str, str]) -> dict[str, str]:
    """The headers with which a URL is asked for what a page's scripts want of it.

    >>> asked = {"accept": "*/*", "authorization": "x", "metadata-flavor": "Google", "x-requested-with": "fetch"}
    >>> sent("http://a.org/", "http://a.org/data", asked)
    {'accept': '*/*', 'x-requested-with': 'fetch'}
    >>> sent("http://a.org/", "http://b.org/data", asked)
    {'accept': '*/*', 'origin': 'http://a.org'}
    """
    lower = {name.lower(): value for name, value in headers.items()}
    own = origin_of(page) == origin_of(url)
    kept = {name: value for name, value in lower.items() if name in (_OWN if own else _OTHERS)}
    return kept if own else {**kept, "origin": lower.get("origin", origin_of(page))}


def readable(page: str, url: str, final: str, headers: Mapping[str, str], script: bool) -> dict[str, str] | None:
    """The headers of an answer with which the browser keeps the policy; None where it cannot, and must not see it.
    ``final``: the URL that it came from in the end; ``headers``: names in lower case; ``script``: it is run, not read.

    >>> readable("http://a.org/", "http://b.org/x", "http://b.org/x", {}, False)
    {'access-control-allow-origin': 'https://nobody.invalid'}
    >>> readable("http://a.org/", "http://b.org/x", "http://b.org/x", {ALLOW: "*"}, False)
    {'access-control-allow-origin': '*'}
    >>> readable("http://a.org/", "http://a.org/x", "http://b.org/y", {}, False)
    """
    here, asked, came = origin_of(page), origin_of(url), origin_of(final)
    run = script and "javascript" in headers.get("content-type", "")
    if came not in (asked, here) and not run and headers.get(ALLOW) not in ("*", here):
        return None
    return {**headers, ALLOW: headers.get(ALLOW, NOBODY)} if asked != here else dict(headers)
