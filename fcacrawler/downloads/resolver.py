"""What the reactor resolves names with, less the addresses that a crawl may not ask: nothing is ever sent there."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from twisted.internet.interfaces import IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer

from fcacrawler.downloads.reach import Reach

NAMES = 10_000  # that are refused and need not be looked up again


@implementer(IHostnameResolver)
class Resolver:
    """Asks another resolver, and hands on what it may."""

    def __init__(self, reach: Reach, proxies: Container[str], inner: Any) -> None:
        """``proxies``: hosts that may be anywhere."""
        self.reach, self.proxies, self.inner = reach, proxies, inner
        self.refused: dict[str, None] = {}  # names that resolved to private addresses only, the latest

    def resolveHostName(self, receiver: Any, hostName: str, *how: Any, **more: Any) -> IHostResolution:
        found: IHostResolution = self.inner.resolveHostName(_Found(self, hostName, receiver), hostName, *how, **more)
        return found

    def refuse(self, host: str) -> None:
        """One that is forgotten is looked up again."""
        self.refused[host] = None
        if len(self.refused) > NAMES:
            del self.refused[next(iter(self.refused))]


@implementer(IResolutionReceiver)
class _Found:
    """Hands on what a name resolves to, if it may."""

    def __init__(self, resolver: Resolver, host: str, receiver: Any) -> None:
        self.resolver, self.host, self.receiver = resolver, host, receiver
        self.allowed: list[bool] = []

    def resolutionBegan(self, resolution: IHostResolution) -> None:
        self.receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:
        reach = self.resolver.reach
        self.allowed.append(self.host in self.resolver.proxies or reach.allows(self.host, address.host))
        if self.allowed[-1]:
            reach.found(self.host, address.host)
            self.receiver.addressResolved(address)

    def resolutionComplete(self) -> None:
        self.resolver.reach.settle(self.host)
        if self.allowed and not any(self.allowed):
            self.resolver.refuse(self.host)
        self.receiver.resolutionComplete()
