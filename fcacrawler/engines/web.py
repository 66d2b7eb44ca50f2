"""One bounded question over HTTP: so many bytes, so many seconds, and nowhere but to the public and to whom its user
has named.

Why so: decision 241.
"""

from __future__ import annotations

import asyncio
import socket
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urljoin
from urllib.request import getproxies, proxy_bypass

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from fcacrawler.engines.table import host_of
from fcacrawler.page import canonical_url
from fcacrawler.page.identity.addresses import address_of, is_private, sounds_private

SECONDS = 10.0  # for one answer, whole
LARGEST = 2_000_000  # bytes of an answer
HOPS = 4  # redirects
FAILURES = (aiohttp.ClientError, TimeoutError, OSError, ValueError)


class Unanswered(Exception):
    """Why there is no answer, in a line."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer."""

    url: str  # that it came from, after redirects
    status: int
    kind: str  # Content-Type
    body: bytes
    retry_after: str = ""


class Web:
    """``named``: hosts that the user has named, which may be anywhere; the others only where the public is, unless
    ``everywhere``. Use it as an asynchronous context."""

    def __init__(self, user_agent: str, named: Collection[str] = (), everywhere: bool = False) -> None:
        self.named, self.everywhere = frozenset(named), everywhere
        self._proxies = {host_of(url if "://" in url else f"http://{url}") for url in getproxies().values()}
        self._headers = {"User-Agent": user_agent, "Accept-Encoding": "identity"}

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=_Public(self), limit=8),
            timeout=aiohttp.ClientTimeout(total=SECONDS),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=True,
            headers=self._headers,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:  # fmt: skip
        await self._session.close()

    async def get(
        self, url: str, headers: Mapping[str, str] | None = None, most: int = LARGEST, whole: bool = True
    ) -> Reply:
        """Raises Unanswered. ``whole``: what is larger than ``most`` is no answer; else its beginning is one. With
        headers of its own a question follows no redirect to another host, which is not to see them."""
        try:
            async with asyncio.timeout(SECONDS):
                return await self._get(url, dict(headers or {}), most, whole)
        except TimeoutError:
            raise Unanswered(f"no answer within {SECONDS:g} s") from None
        except FAILURES as error:
            said, _, _ = f"{type(error).__name__}: {error}".partition("?")  # behind it there may be a key
            raise Unanswered(said[:200].strip(": ")) from None

    async def _get(self, url: str, headers: dict[str, str], most: int, whole: bool) -> Reply:
        for _ in range(HOPS + 1):
            await self._check(host_of(url))
            async with self._session.get(url, headers=headers, allow_redirects=False) as answer:
                if answer.status in (301, 302, 303, 307, 308) and "Location" in answer.headers:
                    target = canonical_url(urljoin(url, answer.headers["Location"]))
                    if not target:
                        raise Unanswered("it redirects to what is no http or https URL")
                    if headers and (host_of(target) != host_of(url) or not target.startswith(url.partition(":")[0])):
                        raise Unanswered(f"it redirects to {target.partition('?')[0][:200]}: name that in engines.toml")
                    url = target
                    continue
                body = await _read(answer, most, whole)
                kind, after = answer.headers.get("Content-Type", ""), answer.headers.get("Retry-After", "")
                return Reply(url, answer.status, kind[:200], body, after[:40])
        raise Unanswered(f"more than {HOPS} redirects")

    async def _check(self, host: str) -> None:
        """Before a name is resolved for the connection; where a proxy does that, it is looked up here."""
        if self.may(host):
            return
        private = is_private(host) if address_of(host) is not None else sounds_private(host)
        if not private and "http" in getproxies() and not proxy_bypass(host):
            found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
            private = any(is_private(str(at[0])) for *_, at in found)
        if private:
            raise Unanswered(f"{host[:200]} is a private address (FCA_PRIVATE=1 allows it)")

    def may(self, host: str) -> bool:
        """Whether a host may be anywhere."""
        return self.everywhere or host in self.named


class _Public(AbstractResolver):
    """Names of strangers resolve to public addresses only."""

    def __init__(self, web: Web) -> None:
        self._web, self._inner = web, ThreadedResolver()

    async def resolve(self, host: str, port: int = 0, family: Any = socket.AF_INET) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        if self._web.may(host) or host in self._web._proxies:
            return found
        public = [at for at in found if not is_private(at["host"])]
        if not public:
            raise OSError(None, f"{host[:200]} leads to a private address (FCA_PRIVATE=1 allows it)")
        return public

    async def close(self) -> None:
        await self._inner.close()


async def _read(answer: aiohttp.ClientResponse, most: int, whole: bool) -> bytes:
    """Unpacked if it was packed though nobody asked for that; never more than ``most`` bytes are held."""
    coding = answer.headers.get("Content-Encoding", "identity").strip().lower()
    if coding not in ("", "identity", "gzip", "deflate"):
        raise Unanswered(f"its answer is packed as {coding[:20]!r}")
    unpacking = zlib.decompressobj(47) if coding in ("gzip", "deflate") else None
    body = bytearray()
    async for chunk in answer.content.iter_chunked(65_536):
        try:
            body += unpacking.decompress(chunk, most + 1) if unpacking else chunk
        except zlib.error:
            raise Unanswered("its answer is packed, and broken") from None
        if len(body) > most:
            if whole:
                raise Unanswered(f"its answer is larger than {most:,} bytes")
            break
    return bytes(body[:most])
