"""One name for one page: a URL's canonical form, its key, and the words that can be read in it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv6Address
from typing import NamedTuple
from urllib.parse import SplitResult, quote, unquote, urlsplit

import idna

LONGEST = 2048  # characters; what is longer is a trap or an attack, and servers refuse it

_LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?+"
_PLAIN = re.compile(  # canonical already, as most links are; possessive, so that there is nothing to go back to
    rf"https?://(?=[^/]{{1,253}}/){_LABEL}(?:\.{_LABEL})*+/(?:[\w~-][\w.~-]*+/?+)*+", re.ASCII
)
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?+(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?+)*+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_IN_PATH = "%!$&'()*+,/:;=@"  # what may stand for itself besides letters, digits and "-._~"
_IN_QUERY = _IN_PATH + "?"
_BARE = re.compile("%(?![0-9A-Fa-f]{2})")
_NOT_PLAIN = re.compile(  # escapes of letters, digits and "-._~", and escapes in small letters
    "%(?:2[DEde]|3[0-9]|[46][1-9A-Fa-f]|5[0-9AaFf]|7[0-9AaEe]|[0-9A-F][a-f]|[a-f][0-9A-Fa-f])"
)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_NOISE = re.compile(  # parameters that say where a reader came from, or who he is; never what the page is
    r"(?:utm|pk|piwik|mtm|matomo|hsa|oly|vero|wt)_\w+|[a-z]{1,3}clid|gclsrc|g?[bw]braid|msclkid|twclid|igshid|igsh|mc_[ce]id"
    r"|_ga|_gl|_hs(?:enc|mi)|__hs\w+|mkt_tok|yclid|_openstat|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|zenid|oscsid"
)
_SESSION = re.compile(r"s|sid|sess|sessid|session|session_?id")
_RANDOM = re.compile(r"(?=[^0-9]*[0-9])[0-9A-Za-z_-]{16,}")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^;/]*", re.I)
_AROUND = "".join(map(chr, range(0x21))) + "\x7f\xa0\u3000\ufeff"
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
    if len(url) <= LONGEST and _PLAIN.fullmatch(url):
        return url
    return _canonical(url) if len(url) <= 2 * LONGEST else ""


@lru_cache(maxsize=10_000)
def _canonical(url: str) -> str:
    url = url.strip(_AROUND).replace("\t", "").replace("\n", "").replace("\r", "")
    scheme, _, rest = url.partition(":")
    scheme = scheme.lower()
    if scheme not in ("http", "https"):
        return ""
    before, mark, after = rest.partition("#")[0].partition("?")
    try:  # browsers take any number of slashes, either way round
        parts = urlsplit(f"{scheme}://{before.replace(chr(92), '/').lstrip('/')}{mark}{after}")
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
    if "[" in parts.netloc:
        return "" if "%" in host else f"[{IPv6Address(host)}]"  # a zone means something on one machine only
    if "%" in host:
        host = unquote(host)
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            return ""
    host = host.lower().removesuffix(".")
    return host if len(host) <= 253 and _HOST.fullmatch(host) else ""


def _path(path: str) -> str:
    if ";" in path:
        path = _SESSION_IN_PATH.sub("", path)
    path = _encoded(path, _IN_PATH)
    return _without_dots(path) if "/." in path else path or "/"


def _without_dots(path: str) -> str:
    """RFC 3986 §5.2.4."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment not in (".", ".."):
            kept.append(segment)
        elif segment == ".." and kept:
            kept.pop()
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _encoded(text: str, safe: str) -> str:
    """Every character and escape in its one spelling."""
    text = quote(text, safe, errors="replace")
    return _NOT_PLAIN.sub(_plain, _BARE.sub("%25", text)) if "%" in text else text


def _plain(escape: re.Match[str]) -> str:
    character = chr(int(escape[0][1:], 16))
    return character if character in _UNRESERVED else escape[0].upper()


def _query(query: str) -> str:
    if not query:
        return ""
    parameters = _encoded(query, _IN_QUERY).split("&")
    return "&".join(sorted((p for p in parameters if p and not _is_noise(p)), key=_name))


def _name(parameter: str) -> str:
    return parameter.partition("=")[0]


def _is_noise(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    name = name.lower()
    if _NOISE.fullmatch(name):
        return True
    return _SESSION.fullmatch(name) is not None and _RANDOM.fullmatch(value) is not None


def resolve(base: str, reference: str) -> str:
    """The canonical URL of a reference as it is written on a page with this canonical base; "" if it leads nowhere.

    As RFC 3986 §5.2 has it, less what ``canonical_url`` does anyway.

    >>> resolve("http://e.org/a/b.htm", "../c d.htm#x")
    'http://e.org/c%20d.htm'
    """
    reference = reference.strip(_AROUND)
    if not reference or len(reference) > LONGEST:
        return ""
    if _SCHEME.match(reference):
        return canonical_url(reference)
    first = reference[0]
    if first == "#" or not base:
        return base
    if first in "/\\":
        if reference[1:2] in ("/", "\\"):
            return canonical_url(base.partition("/")[0] + reference)
        return canonical_url(_origin(base) + reference)
    if first == "?":
        return canonical_url(base.partition("?")[0] + reference)
    folder = base.partition("?")[0].rpartition("/")[0]
    while reference.startswith("../"):
        reference = reference[3:]
        folder = folder.rpartition("/")[0] if folder.count("/") > 2 else folder
    return canonical_url(f"{folder}/{reference}")


def is_too_long(base: str, reference: str) -> bool:
    """Whether it is for its length that a reference leads nowhere.

    >>> is_too_long("http://e.org/", "x" * 5000), is_too_long("http://e.org/", "data:" + "x" * 5000)
    (True, False)
    """
    scheme = _SCHEME.match(reference.strip(_AROUND))
    return len(base) + len(reference) > LONGEST and (not scheme or scheme[0].lower() in ("http:", "https:"))


def _origin(url: str) -> str:
    return url[: url.index("/", url.index("//") + 2)]


def has_host(url: str) -> bool:
    """Whether a URL, canonical or not, names a host that can be asked over http(s), and nobody who asks.

    >>> has_host("https://a.b/" + "x" * 9000)
    True
    >>> [has_host(u) for u in ("http://[", "http://a:99999/", "http://a%00b/", "http://me:word@a/", "file:///x")]
    [False, False, False, False, False]
    """
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(_host(parts)) and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        return False


def host_of(url: str) -> str:
    """The host of a canonical URL, without port."""
    host = url.split("/", 3)[2]
    return host[1 : host.index("]")] if host[0] == "[" else host.partition(":")[0]


class Identity(NamedTuple):
    """What a URL is known by."""

    key: bytes
    host: str


def key_of(url: str) -> Identity:
    """A canonical URL's key: 4 bytes of a digest of its host and 12 of one of itself; and its host. Keys of one host
    are neighbours in a sorted index, as links of one page are.

    >>> key_of("http://e.org:8080/").host
    'e.org'
    """
    host = host_of(url)
    return Identity(_digest(host) + blake2b(url.encode(), digest_size=12).digest(), host)


def keys_of(urls: Sequence[str]) -> list[Identity]:
    """``key_of`` each."""
    return [key_of(url) for url in urls]


@lru_cache(maxsize=10_000)
def _digest(host: str) -> bytes:
    return blake2b(host.encode(), digest_size=4).digest()


def url_words(url: str) -> str:
    """What can be read in a URL: the words of its path and query, extension left out, percent-decoded twice.

    >>> url_words("http://e.org/wiki/Auto_racing_%2528sport%2529.htm?page=formulaOne")
    'wiki Auto racing sport page formula One'
    """
    path, _, query = url.split("/", 3)[-1].partition("?")
    if "." in path:
        path = posixpath.splitext(path)[0]
    words = f"{path} {query.replace('+', ' ')}"
    if "%" in words:
        words = unquote(unquote(words))
    return " ".join(_WORD.findall(words if words.islower() else _CAMEL.sub(" ", words)))
