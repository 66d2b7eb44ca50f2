"""Who may ask: this machine alone, unless a token is given; a page of another site may ask for nothing.

Why so: decision 212.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BROWSER, TOKEN = "pise", "pise-token"  # cookies
PROGRAM = "x-pise"  # a header by which a program says that it is none of another site's
LARGEST = 200_000  # bytes of a form
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Doors:
    """The names under which the page may be asked for, and the token if one is needed."""

    hosts: frozenset[str]  # with the port
    token: str = ""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def stamp(self, browser: str) -> str:
        """What a form of this browser's carries, which no other site knows."""
        return hmac.new(self.secret, browser.encode("utf-8", "replace"), sha256).hexdigest()


class Guard:
    """Around the application. It finds ``scope["browser"]`` (a pseudonym), ``scope["stamp"]`` and, of a POST, the
    ``scope["form"]``."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self._app = app
        self._doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, cookies = Headers(scope=scope), _cookies(scope)
        known = cookies.get(BROWSER, "")
        browser = known if len(known) == 16 and known.isalnum() else secrets.token_hex(8)
        scope["browser"], scope["new"], scope["stamp"] = browser, browser != known, self._doors.stamp(browser)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    more[name] = value
                if browser != known:
                    more.append("Set-Cookie", f"{BROWSER}={browser}; Path=/; HttpOnly; SameSite=Strict")
            await send(message)

        refusal = self._refusal(scope, headers, cookies)
        if refusal is None and scope["method"] == "POST":
            refusal = await self._form(scope, receive, headers)
        await (refusal or self._app)(scope, receive, answer)

    def _refusal(self, scope: Scope, headers: Headers, cookies: dict[str, str]) -> ASGIApp | None:
        doors = self._doors
        if headers.get("host", "") not in doors.hosts:
            return PlainTextResponse("This page is not known under that name.", 421)
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("GET and POST only.", 405)
        if not doors.token:
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if hmac.compare_digest(query.get("token", [""])[-1].encode(), doors.token.encode()):
            entered = RedirectResponse("/", 303)
            entered.set_cookie(TOKEN, doors.token, httponly=True, samesite="strict")
            return entered
        bearer = headers.get("authorization", "").removeprefix("Bearer ")  # programs, such as Prometheus
        if hmac.compare_digest(bearer.encode("utf-8", "replace"), doors.token.encode()):
            return None
        if not hmac.compare_digest(cookies.get(TOKEN, "").encode(), doors.token.encode()):
            return PlainTextResponse("A token is needed: open the address that scrapy pise printed.", 403)
        return None

    async def _form(self, scope: Scope, receive: Receive, headers: Headers) -> ASGIApp | None:
        """The form is read; what another site sends is refused."""
        body, more = b"", True
        while more and len(body) <= LARGEST:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) > LARGEST:
            return PlainTextResponse("That is too much at once.", 413)
        try:
            form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=100))
        except ValueError:
            return PlainTextResponse("That is no form of ours.", 400)
        stamped = hmac.compare_digest(form.pop("stamp", "").encode("utf-8", "replace"), scope["stamp"].encode())
        program = headers.get(PROGRAM) == "1"  # no page of another site may send that
        if not (stamped or program) or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return PlainTextResponse("This form is old, or of another site: load the page again.", 403)
        scope["form"] = form
        return None


def _cookies(scope: Scope) -> dict[str, str]:
    found: SimpleCookie = SimpleCookie()
    try:
        found.load(Headers(scope=scope).get("cookie", ""))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in found.items()}
