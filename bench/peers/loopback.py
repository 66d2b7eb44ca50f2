"""In a peer's process: every name resolves to the world's server on loopback. To be called before anything else."""

import json
import socket
import sys


def task() -> dict:
    """What to crawl: words, seeds, pages, port. From now on no name leads off this machine."""
    given = json.loads(sys.argv[1])
    resolve = socket.getaddrinfo

    def here(host, port, *args, **kwargs):
        if host in ("localhost", "127.0.0.1", None):
            return resolve(host, port, *args, **kwargs)
        return resolve("127.0.0.1", given["port"], *args, **kwargs)

    socket.getaddrinfo = here
    return given
