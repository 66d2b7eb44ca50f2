"""How a process is set up that is to crawl for weeks: what it does about garbage, threads and memory.

Why so: decisions 077, 101, 112.
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

from threadpoolctl import threadpool_limits

GARBAGE = 20_000, 20, 20  # what a crawl keeps is plain data; to look for cycles in it every 700 objects took an eighth
LARGE = 1 << 20  # bytes
M_MMAP_THRESHOLD = -3  # of malloc.h
OFTEN = 60.0  # seconds


def set_up() -> None:
    gc.set_threshold(*GARBAGE)
    threadpool_limits(1)  # on small arrays BLAS's threads wait for one another, and sum in any order
    keep_large_apart()


def keep_large_apart() -> None:
    """Large arrays go back to the system when they are done with. By itself glibc learns with each of them to put the
    next one into its heap, up to 32 MB, where they leave holes between what stays."""
    with suppress(OSError, AttributeError, TypeError):  # other systems, which have no such habit
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """The holes in glibc's heap go back to the system, to be done every minute: it takes some milliseconds."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
