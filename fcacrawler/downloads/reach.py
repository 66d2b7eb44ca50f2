"""Where a crawl may go: which addresses it may ask, and what it may tell there of where it comes from.

Why so: decision 170.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from fcacrawler.page.identity.addresses import address_of, is_private, network_of

HOSTS = 10_000  # of which is known where they are: those met last


class Reach:
    """The public, and private addresses of hosts that the user has named (and others at these addresses). A named host
    is followed only in the networks where it was found first: what its name says later is not the user's word."""

    def __init__(self, everywhere: bool, kept: Path | None = None) -> None:
        """``kept``: where it is written down in which network named hosts were found; taken up if it is there."""
        self.everywhere = everywhere
        self._kept = kept
        self._named: set[str] = set()
        self._addresses: set[str] = set()  # private ones, of named hosts
        self._networks: dict[str, set[str]] = {}  # of named hosts, "" for the public
        self._met: defaultdict[str, set[str]] = defaultdict(set)  # the same of hosts that are just being looked up
        self._private: dict[str, bool] = {}  # host → where it was found
        if kept is not None and kept.exists():
            rows = (line.split("\t") for line in kept.read_text("utf-8", "replace").splitlines())
            self._networks.update({row[0]: set(row[1].split(" ")) for row in rows if len(row) == 2})

    def name(self, host: str) -> None:
        """The user has said that this host is to be asked."""
        self._named.add(host)

    def is_named(self, host: str) -> bool:
        return host in self._named

    def allows(self, host: str, address: str) -> bool:
        """Whether the host of a URL may be fetched from this address.

        >>> reach = Reach(everywhere=False)
        >>> reach.name("wiki.test")
        >>> reach.allows("wiki.test", "10.0.0.5"), reach.settle("wiki.test")
        (True, None)
        >>> [reach.allows("wiki.test", a) for a in ("10.0.0.6", "169.254.169.254", "93.184.216.34")]
        [True, False, True]
        >>> reach.allows("e.org", "10.0.0.5"), reach.allows("e.org", "10.0.0.7")
        (True, False)
        """
        address = str(address_of(address))
        network = network_of(address)
        if host in self._named:
            networks = self._networks.get(host)
            if networks is None:
                networks = self._met[host]
                networks.add(network)
            if network and network in networks:
                self._addresses.add(address)
        return self.everywhere or not network or address in self._addresses

    def settle(self, host: str) -> None:
        """These are all addresses that the host has now."""
        networks = self._met.pop(host, None)
        if networks is None:
            return
        self._networks[host] = networks
        if self._kept is not None and address_of(host) is None:
            with suppress(OSError):  # a full disk: it is known in this run
                self._kept.parent.mkdir(parents=True, exist_ok=True)
                with self._kept.open("a", encoding="utf-8") as file:
                    file.write(f"{host}\t{' '.join(sorted(networks))}\n")

    def found(self, host: str, address: str) -> None:
        """The host has been asked, or is about to be, at this address."""
        self._private.pop(host, None)
        self._private[host] = is_private(address)
        if len(self._private) > HOSTS:
            del self._private[next(iter(self._private))]

    def referer(self, parent: str, url: str) -> str:
        """What the host of a URL is told of the page that links to it, as browsers have it (W3C Referrer Policy,
        strict-origin-when-cross-origin), and nothing of a page that may be private; "" for nothing.

        >>> reach = Reach(everywhere=False)
        >>> reach.found("a.org", "93.184.216.34")
        >>> reach.referer("https://a.org/x?y=1", "https://a.org/z"), reach.referer("https://a.org/x", "https://b.org/")
        ('https://a.org/x?y=1', 'https://a.org/')
        >>> reach.referer("https://a.org/x", "http://b.org/"), reach.referer("http://wiki/x", "http://b.org/")
        ('', '')
        """
        here, there = urlsplit(parent), urlsplit(url)
        if here.scheme not in ("http", "https"):
            return ""
        if (here.scheme, here.netloc) == (there.scheme, there.netloc):
            return parent.partition("#")[0]
        if here.scheme == "https" and there.scheme != "https":
            return ""
        host = here.hostname or ""
        public = self._private.get(host) is False and not is_private(host)
        return f"{here.scheme}://{here.netloc.rpartition('@')[2]}/" if public or host == there.hostname else ""
