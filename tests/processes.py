"""``scrapy …`` as a user types it, in a process of its own: forked from one that has read the house's modules, since
reading them takes a process two seconds. (All of these have the same seed of Python's hashes: who tests that nothing
hangs on it begins processes anew.)"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(
    ["scrapy.cmdline", "fcacrawler.scheduler", "fcacrawler.middlewares.visits", "fcacrawler.extensions.report"]
)


def scrapy(
    *arguments: object, cwd: Path = ROOT, timeout: float = 120, **environment: str
) -> subprocess.CompletedProcess[str]:
    """What it has written, and its exit code."""
    command = ["scrapy", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    env.pop("SCRAPY_SETTINGS_MODULE", None)  # a test in this process has read a project's settings
    with TemporaryDirectory() as folder:
        told = [Path(folder) / name for name in ("out", "err")]
        process = _FORKS.Process(target=_become, args=(command, cwd, env, told))
        process.start()
        process.join(timeout)
        if process.is_alive():
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(command, timeout, told[0].read_bytes(), told[1].read_bytes())
        texts = [file.read_text("utf-8") for file in told]
    return subprocess.CompletedProcess(command, process.exitcode or 0, *texts)


def _become(command: list[str], cwd: Path, environment: dict[str, str], told: list[Path]) -> None:
    for file, to in zip(told, (1, 2), strict=True):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), to)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = command
    sys.path.insert(0, str(cwd))
    runpy.run_module("scrapy", run_name="__main__", alter_sys=True)
