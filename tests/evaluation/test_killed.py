"""A comparison that is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import os, time
from scrapy.settings import Settings
from fcacrawler.app.config import read_config
from fcacrawler.evaluation.comparison import office
if __name__ == "__main__":
    with office("demo", read_config(Settings()), 1) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(time.sleep, 600).result()
"""


def runs(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no /proc to look for processes in")
def test_a_killed_comparison_leaves_no_process_at_work(tmp_path: Path) -> None:
    script = tmp_path / "compare.py"
    script.write_text(SCRIPT)
    giver = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert giver.stdout is not None
    worker = int(giver.stdout.readline())
    assert runs(worker)
    giver.kill()
    giver.wait()
    giver.stdout.close()
    until = time.monotonic() + 30
    while runs(worker) and time.monotonic() < until:
        time.sleep(0.05)
    assert not runs(worker)
