"""The compiled path is cached wherever the code lies, and where there is no numba the plain one answers the same."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RANK = """
import fcacrawler.semrank.rank as rank
print(sorted(rank.semrank({'a': ['k', 'l']}, {'b': ['k', 'm'], 'c': ['m']}, [('a', 'b')]).items()))
"""
STATS = """
from fcacrawler.semrank import compiled_concepts, compiled_rank
for kernel in (compiled_concepts._expand, compiled_rank.raise_ranks):
    print(sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values()))
print(rank.__file__)
"""


NOWHERE = """
from numba.core import caching
def refuse(self): raise OSError
caching._CacheLocator.ensure_cache_path = refuse
"""


def run(code, *path, **env):
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd="/",
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))} | env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_without_numba_the_plain_path_answers_the_same(tmp_path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('there is no numba here')\n", "utf-8")
    assert run(RANK, tmp_path, ROOT) == run(RANK, ROOT)


@pytest.mark.slow
def test_compiled_code_is_cached_inside_a_zipped_egg(tmp_path) -> None:
    shutil.copytree(ROOT / "fcacrawler", tmp_path / "tree/fcacrawler", ignore=shutil.ignore_patterns("__pycache__"))
    egg = shutil.make_archive(str(tmp_path / "fcacrawler"), "zip", tmp_path / "tree")
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    first, second = (run(RANK + STATS, egg, **home) for _ in range(2))
    assert first[0] == second[0] == run(RANK, ROOT)[0]
    assert egg in first[3]
    assert [line.split()[0] for line in first[1:3]] == ["0", "0"]
    assert [line.split()[1] for line in second[1:3]] == ["0", "0"]


@pytest.mark.slow
def test_where_nothing_can_be_written_each_process_compiles_for_itself(tmp_path) -> None:
    shutil.copytree(ROOT / "fcacrawler", tmp_path / "fcacrawler", ignore=shutil.ignore_patterns("__pycache__"))
    assert run(NOWHERE + RANK, tmp_path) == run(RANK, ROOT)
