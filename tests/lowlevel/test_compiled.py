"""What is compiled is cached wherever the code lies, and begun anew where the cache is another version's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fcacrawler.lowlevel.compiled import compiled

ROOT = Path(__file__).parents[2]
RANK = """
import fcacrawler.semrank.rank as rank
print(sorted(rank.semrank({'a': ['k', 'l']}, {'b': ['k', 'm'], 'c': ['m']}, [('a', 'b')]).items()))
"""
STATS = """
from fcacrawler.semrank.kernels import concepts, rank as ranks
for kernel in (concepts._expand, ranks.raise_ranks):
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


@compiled
def last(numbers: np.ndarray, at: int) -> float:
    return numbers[at]


def test_a_place_that_an_array_does_not_have_is_an_error() -> None:
    assert last(np.arange(3.0), 2) == 2.0
    for at in (3, -4, 10**6):
        with pytest.raises(IndexError):
            last(np.arange(3.0), at)


SUM = """
from typing import NamedTuple
from fcacrawler.lowlevel.compiled import compiled
class {name}(NamedTuple):
    one: float
    two: float
@compiled
def total(pair: {name}) -> float:
    return pair.one + pair.two
"""


def test_what_another_version_kept_of_a_class_that_is_no_more_is_compiled_anew(tmp_path) -> None:
    for name in ("Pair", "Couple"):
        (tmp_path / "sums.py").write_text(SUM.format(name=name), "utf-8")
        assert run(f"import sums; print(sums.total(sums.{name}(1.0, 2.5)))", tmp_path, ROOT) == ["3.5"]
        assert len(list((tmp_path / "__pycache__").glob("sums.total-*.nbi"))) == 1


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
