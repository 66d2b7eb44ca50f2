"""Addresses of hosts: which lead into somebody's own network, however they are written, and what that network is."""

from __future__ import annotations

import re
import socket
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address

_NUMBERS = re.compile(r"[0-9a-fx]+(?:\.[0-9a-fx]+){0,3}\.?", re.I | re.ASCII)
_UNICAST = IPv6Network("2000::/3")  # all that is given out to networks of the public
_LAST_32 = (  # networks that stand for IPv4: the last 32 bits of an address are one of it
    IPv6Network("::ffff:0:0/96"),  # RFC 4291: mapped
    IPv6Network("::/96"),  # RFC 4291: compatible
    IPv6Network("64:ff9b::/96"),  # RFC 6052: NAT64
)
_OWN = (".localhost", ".local", ".internal", ".intranet", ".lan", ".corp", ".home", ".home.arpa")
_SITE = {4: 16, 6: 48}  # bits that the hosts of one owner's network have in common


@lru_cache(maxsize=10_000)
def address_of(host: str) -> Address | None:
    """The address that a host is; None for a name. Of one that carries an address of IPv4, that.

    >>> address_of("2852039166"), address_of("127.1"), address_of("e.org")
    (IPv4Address('169.254.169.254'), IPv4Address('127.0.0.1'), None)
    >>> address_of("64:ff9b::a9fe:a9fe"), address_of("2002:a00:1::")
    (IPv4Address('169.254.169.254'), IPv4Address('10.0.0.1'))
    """
    try:
        ip = ip_address(host)
    except ValueError:
        return _written_as_numbers(host)
    return _carried(ip) if isinstance(ip, IPv6Address) else ip


def _written_as_numbers(host: str) -> Address | None:
    """As browsers and the C library read hosts: in one to four numbers, decimal, octal or hexadecimal."""
    if not _NUMBERS.fullmatch(host):
        return None
    try:
        return IPv4Address(socket.inet_aton(host.removesuffix(".")))
    except OSError:
        return None


def _carried(ip: IPv6Address) -> Address:
    if ip.teredo is not None:  # its server, and its client
        return next((part for part in ip.teredo if _is_private(part)), ip.teredo[1])
    if ip.sixtofour is not None:
        return ip.sixtofour
    plain = any(ip in network for network in _LAST_32) and int(ip) > 1  # which :: and ::1 are not
    return IPv4Address(int(ip) & 0xFFFFFFFF) if plain else ip


def is_private(host: str) -> bool:
    """Whether an address leads into somebody's own network instead of the public one. A name is no address.

    >>> [is_private(a) for a in ("127.0.0.1", "10.1.2.3", "::ffff:192.168.0.1", "169.254.169.254", "fec0::1")]
    [True, True, True, True, True]
    >>> is_private("93.184.216.34"), is_private("64:ff9b::5db8:d822"), is_private("example.org")
    (False, False, False)
    """
    ip = address_of(host)
    return ip is not None and _is_private(ip)


def _is_private(ip: Address) -> bool:
    public = ip.is_global and not ip.is_multicast and not ip.is_reserved
    return not public or (isinstance(ip, IPv6Address) and ip not in _UNICAST)


def sounds_private(host: str) -> bool:
    """Whether a name is one that only somebody's own network knows, or is an address in one.

    >>> [sounds_private(h) for h in ("localhost", "wiki", "a.b.internal", "10.0.0.1", "e.org")]
    [True, True, True, True, False]
    """
    return is_private(host) or (address_of(host) is None and ("." not in host or host.endswith(_OWN)))


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """The network of one owner that an address is in; "" for a public one.

    >>> network_of("10.0.3.4"), network_of("169.254.169.254"), network_of("fd00:1:2::3"), network_of("93.184.216.34")
    ('10.0.0.0/16', '169.254.0.0/16', 'fd00:1:2::/48', '')
    """
    ip = address_of(address)
    if ip is None or not _is_private(ip):
        return ""
    return str(ip_network((ip, _SITE[ip.version]), strict=False))
