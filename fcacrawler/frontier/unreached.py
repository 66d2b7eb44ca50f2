"""Hosts that could not be reached in this run: nothing of them leaves, what waits there waits for the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple


class Unreached(NamedTuple):
    """A host that is not asked any more in this run."""

    why: str
    links: int  # that wait there


class Shut:
    """The hosts of a frontier with one worker that are not asked any more, and why."""

    def __init__(self) -> None:
        self.why: dict[str, str] = {}

    def out_of(self, hosts: Callable[[str], bool]) -> Callable[[str], bool]:
        """The same hosts without those."""
        return (lambda host: host not in self.why and hosts(host)) if self.why else hosts

    def counted(self, hosts: Iterable[str]) -> dict[str, Unreached]:
        """``hosts``: of all links that wait there, or only of those, as often as there are links."""
        links = dict.fromkeys(self.why, 0)
        for host in hosts:
            if host in links:
                links[host] += 1
        return {host: Unreached(why, links[host]) for host, why in self.why.items()}
