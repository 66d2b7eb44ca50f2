"""usage: slow_line.py LISTEN TARGET SECONDS   a line on loopback from one port to another, so long there and back"""

from __future__ import annotations

import socket
import sys
from threading import Thread
from time import sleep


def carry(source: socket.socket, target: socket.socket, seconds: float) -> None:
    while data := source.recv(1 << 20):
        sleep(seconds)
        target.sendall(data)


def main() -> None:
    listen, target, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    with socket.create_server(("127.0.0.1", listen)) as server:
        while True:
            near, _ = server.accept()
            far = socket.create_connection(("127.0.0.1", target))
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Thread(target=carry, args=(near, far, seconds / 2), daemon=True).start()
            Thread(target=carry, args=(far, near, seconds / 2), daemon=True).start()


if __name__ == "__main__":
    main()
