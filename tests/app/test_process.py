"""A process that crawls gives memory back."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

GLIBC = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="no glibc, whose habit it is")
KEPT = """
from pathlib import Path
from fcacrawler.app.process import give_back

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) >> 8  # MB

texts = [bytes(2000) for _ in range(20_000)]
stays = texts[::100]
del texts
before = resident()
give_back()
print(before - resident())
"""
HOLES = """
import ctypes, sys
import numpy as np
from fcacrawler.app.process import keep_large_apart

class Heap(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "all a b c mapped d e used free f".split()]

if sys.argv[1] == "apart":
    keep_large_apart()
libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Heap
stays = []
np.ones(4 << 20)  # 32 MB, once
for _ in range(10):
    large = np.ones(1 << 20)  # 8 MB, done with when the next one is made
    stays.append(np.ones(1 << 13))  # 64 KB
    del large
    stays.append(np.ones(1 << 13))
print(libc.mallinfo2().free >> 20)
"""


@GLIBC
def test_large_arrays_leave_no_holes_between_what_stays() -> None:
    def holes(how: str) -> int:
        """MB that are free, and kept."""
        done = subprocess.run([sys.executable, "-c", HOLES, how], capture_output=True, text=True, check=True)
        return int(done.stdout)

    assert holes("apart") == 0 < 4 <= holes("as it is")


@GLIBC
def test_holes_between_what_stays_are_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", KEPT], capture_output=True, text=True, check=True)

    assert int(done.stdout) > 10
