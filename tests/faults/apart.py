"""A network of its own for a crawl: two namespaces with a cable between them, and names that one of them answers."""

from __future__ import annotations

import ctypes
import os
import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NET = "10.77.0"
CLONE_NEWNET = 0x40000000


def available() -> bool:
    """It takes root, iproute2 and nftables."""
    return os.geteuid() == 0 and bool(shutil.which("ip")) and bool(shutil.which("nft")) and _allowed()


def _allowed() -> bool:
    """A container may have the commands, and neither the right nor the kernel for them."""
    probe = f"fca-{os.getpid()}"
    steps = (
        f"ip netns add {probe}",
        f"ip -n {probe} link add p0 type veth peer name p1",
        f"ip netns exec {probe} nft add table ip fault",
    )
    allowed = all(subprocess.run(step.split(), capture_output=True, check=False).returncode == 0 for step in steps)
    subprocess.run(["ip", "netns", "del", probe], capture_output=True, check=False)
    return allowed


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Apart:
    """``crawler`` and ``web`` are names of namespaces. Names that end in .test are hosts of the web: h3.test is
    10.77.0.4."""

    def __init__(self) -> None:
        self.crawler, self.web = f"fca-c{os.getpid()}", f"fca-w{os.getpid()}"
        self.answers = True  # names are
        self._dns: socket.socket | None = None

    @property
    def command(self) -> list[str]:
        """What a command of the crawler begins with."""
        return ["ip", "netns", "exec", self.crawler]

    def enter_web(self) -> None:
        """The sockets that this thread makes from now on are in the web."""
        with Path(f"/run/netns/{self.web}").open() as namespace:
            if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")

    def route(self, there: bool) -> None:
        """The cable is in, or out."""
        _ip("-n", self.crawler, "link", "set", "c0", "up" if there else "down")

    def packets(self, pass_: bool) -> None:
        """What the crawler sends arrives, or is dropped."""
        exec_ = [*self.command, "nft"]
        rules = ["delete table ip fault"] if pass_ else ["add table ip fault", _CHAIN, _RULE]
        for rule in rules:
            subprocess.run([*exec_, rule], check=True)

    def _up(self, hosts: int) -> None:
        for name in (self.crawler, self.web):
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        _ip("link", "add", "c0", "netns", self.crawler, "type", "veth", "peer", "name", "w0", "netns", self.web)
        for name, link, address in ((self.crawler, "c0", 254), (self.web, "w0", 253)):
            _ip("-n", name, "addr", "add", f"{NET}.{address}/24", "dev", link)
            _ip("-n", name, "link", "set", link, "up")
        for n in range(hosts):
            _ip("-n", self.web, "addr", "add", f"{NET}.{n + 1}/24", "dev", "w0")
        etc = Path(f"/etc/netns/{self.crawler}")
        etc.mkdir(parents=True)
        (etc / "resolv.conf").write_text(f"nameserver {NET}.253\noptions timeout:1 attempts:1\n")
        threading.Thread(target=self._resolve, daemon=True).start()

    def _resolve(self) -> None:
        self.enter_web()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as self._dns:
            self._dns.bind((f"{NET}.253", 53))
            try:
                while True:
                    question, asker = self._dns.recvfrom(512)
                    if self.answers:
                        self._dns.sendto(_answer(question), asker)
            except OSError:  # closed
                pass

    def _down(self) -> None:
        if self._dns is not None:
            self._dns.close()
        for name in (self.crawler, self.web):
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
        shutil.rmtree(f"/etc/netns/{self.crawler}", ignore_errors=True)


_CHAIN = "add chain ip fault out { type filter hook output priority 0 ; policy accept ; }"
_RULE = "add rule ip fault out oifname c0 drop"


def _answer(question: bytes) -> bytes:
    """An address for hN.test, no such name for others, and nothing of IPv6."""
    end = question.index(b"\0", 12) + 5
    (kind,) = struct.unpack("!H", question[end - 4 : end - 2])
    label = question[13 : 13 + question[12]].decode("ascii", "replace")
    known = label[:1] == "h" and label[1:].isdigit()
    found = known and kind == 1
    head = question[:2] + struct.pack("!HHHHH", 0x8180 if known else 0x8183, 1, int(found), 0, 0)
    record = (
        struct.pack("!HHHIH", 0xC00C, 1, 1, 1, 4) + socket.inet_aton(f"{NET}.{int(label[1:]) + 1}") if found else b""
    )
    return head + question[12:end] + record


@contextmanager
def networks(hosts: int) -> Iterator[Apart]:
    apart = Apart()
    try:
        apart._up(hosts)
        yield apart
    finally:
        apart._down()
