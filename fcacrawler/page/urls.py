"""One name for one page: a URL's canonical form, its key, and the words that can be read in it."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

import idna

LONGEST = 2048  # characters; what is longer is a trap or an attack, and browsers and servers refuse it

_PLAIN = re.compile(  # possessive: nothing to go back to, so linear
    r"https?://[a-z0-9](?:[a-z0-9-]*[a-z0-9])?+(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?+)*+/(?:[\w~-][\w.~-]*+/?+)*+",
    re.ASCII,
)
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?")
_UNSAFE_PATH = re.compile(r"%([0-9A-Fa-f]{2})|%|[^!$&'()*+,\-./0-9:;=@A-Z_a-z~]")
_UNSAFE_QUERY = re.compile(r"%([0-9A-Fa-f]{2})|%|[^!$&'()*+,\-./0-9:;=?@A-Z_a-z~]")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_TRACKING = re.compile(
    r"utm_\w+|(?:g|fb|dc|y|msc?l|ttc|wbra|gbra|tw|igsh|s_kw)cl?id|igshid|msclkid|mc_[ce]id|_ga|_gl|_hs(?:enc|mi)|mkt_tok|oly_(?:enc|anon)_id"
    r"|vero_id|wickedid|pk_\w+|piwik_\w+|matomo_\w+|hsctatracking|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|zenid|osCsid".lower()
)
_SESSION = re.compile(r"(?:sid|s|sess|session|session_?id|sessid)")
_RANDOM = re.compile(r"(?=.*[0-9])[0-9A-Za-z_-]{16,}")
_SESSION_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^;/?#]*", re.I)
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def canonical_url(url: str) -> str:
    """The form that all spellings of a URL share; "" for what cannot be fetched over http(s).

    Without fragment, default port, user and password, tracking and session parameters; host in lower case and
    IDNA; dot segments resolved; percent-encoding as RFC 3986 §6.2.2 has it; query parameters sorted by name.

    >>> canonical_url("HTTP://Example.ORG:80/a/../b%7ec?b=2&utm_source=x&a=1#top")
    'http://example.org/b~c?a=1&b=2'
    >>> canonical_url("javascript:alert(1)")
    ''
    """
    if _PLAIN.fullmatch(url) and len(url) <= LONGEST:
        return url
    return _canonical(url)


@lru_cache(maxsize=50_000)
def _canonical(url: str) -> str:
    url = url.strip("\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x1b \x1c\x1d\x1e\x1f\xa0\u3000")
    if len(url) > 2 * LONGEST:
        return ""
    url = url.replace("\t", "").replace("\n", "").replace("\r", "")
    scheme, colon, rest = url.partition(":")
    scheme = scheme.lower()
    if not colon or scheme not in ("http", "https"):
        return ""
    before, mark, after = rest.partition("?")
    rest = "//" + before.replace("\\", "/").lstrip("/") + mark + after
    try:
        parts = urlsplit(f"{scheme}:{rest}")
        host, port = _host(parts), parts.port
    except ValueError:
        return ""
    if not host:
        return ""
    if port is not None and port != (80 if scheme == "http" else 443):
        host = f"{host}:{port}"
    query = _query(parts.query)
    found = f"{scheme}://{host}{_path(parts.path)}{'?' if query else ''}{query}"
    return found if len(found) <= LONGEST else ""


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if ":" in host:  # IPv6; urlsplit has checked it
        return f"[{host}]"
    host = unquote(host) if "%" in host else host
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True, transitional=False).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            return ""
    host = host.rstrip(".")
    return host if len(host) <= 253 and _HOST.fullmatch(host) else ""


def _path(path: str) -> str:
    if ";" in path:
        path = _SESSION_PATH.sub("", path)
    path = _UNSAFE_PATH.sub(_encode, path)
    if "/." in path:
        path = _without_dots(path)
    return path or "/"


def _without_dots(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments and segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _encode(found: re.Match[str]) -> str:
    digits = found[1]
    if digits:
        byte = int(digits, 16)
        return chr(byte) if byte in _UNRESERVED else f"%{digits.upper()}"
    return "".join(f"%{b:02X}" for b in found[0].encode("utf-8", "replace"))


def _query(query: str) -> str:
    if not query:
        return ""
    kept = [p for p in _UNSAFE_QUERY.sub(_encode, query).split("&") if p and not _is_noise(p)]
    return "&".join(sorted(kept, key=_name))


def _name(parameter: str) -> str:
    return parameter.partition("=")[0]


def _is_noise(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    name = name.lower()
    return bool(_TRACKING.fullmatch(name) or (_SESSION.fullmatch(name) and _RANDOM.fullmatch(value)))


def resolve(base: str, reference: str) -> str:
    """A link's canonical URL: ``reference`` as written on a page whose base is ``base``; "" if it leads nowhere.

    >>> resolve("http://e.org/a/b.htm", "../c d.htm#x")
    'http://e.org/c%20d.htm'
    """
    reference = reference.strip()
    if not reference or len(reference) > LONGEST:
        return ""
    try:
        return canonical_url(urljoin(base, reference))
    except ValueError:
        return ""


def host_of(url: str) -> str:
    """The host of a canonical URL, without port."""
    host = url.split("/", 3)[2]
    if host.startswith("["):
        return host[1 : host.index("]")]
    return host.partition(":")[0]


def key_of(url: str) -> tuple[bytes, str]:
    """A canonical URL's identity: a digest of 16 bytes, and its host.

    >>> key_of("http://e.org:8080/")[1]
    'e.org'
    """
    return blake2b(url.encode(), digest_size=16).digest(), host_of(url)


def url_words(url: str) -> str:
    """What can be read in a URL: the words of its path and query, extension left out, percent-decoded twice.

    >>> url_words("http://e.org/wiki/Auto_racing_%2528sport%2529.htm?page=formulaOne")
    'wiki Auto racing sport page formula One'
    """
    parts = urlsplit(url)
    path = unquote(unquote(posixpath.splitext(parts.path)[0]))
    query = unquote(unquote(parts.query.replace("+", " ")))
    return " ".join(_WORD.findall(_CAMEL.sub(" ", f"{path} {query}")))
