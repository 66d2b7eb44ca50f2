"""The quick rows of bench/bench_faults.py: what happens around a crawl, held against the server's own log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench.bench_faults import can, measure

pytestmark = pytest.mark.slow


def row(name: str, folder: Path, **size: Any) -> dict[str, Any]:
    if not can(name):
        pytest.skip("it takes root, iproute2 and nftables, or a tmpfs")
    return measure(name, **{"pages": 120, "hosts": 12, "away": 4.0, "seed": 1, "folder": folder, **size})


@pytest.mark.parametrize("name", ["kill-sqlite", "kill-redis", "network", "dns", "handles", "disk-full"])
def test_nothing_is_lost(name: str, tmp_path: Path) -> None:
    found = row(name, tmp_path)
    assert (found["pages lost"], found["items lost"], found["tracebacks"]) == (0, 0, 0), found
    assert found["exit codes"][-1] == 0, found
