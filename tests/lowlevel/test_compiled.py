"""What is compiled is kept wherever the code lies, and begun anew where what is kept is not whole or not one's own."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fcacrawler.lowlevel.compiled import _sealed, compiled

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


CALL = "import logging; logging.basicConfig(format='%(message)s', stream=sys.stdout)"
USE = f"import sys; {CALL}; import sums; print(sums.total(sums.Pair(1.0, 2.5)), *sums.total.stats.cache_hits.values())"
KEPT, NEW = ["3.5 1"], ["The first run of this version compiles its loops: some ten seconds, once", "3.5"]


@pytest.fixture
def kept(tmp_path, monkeypatch) -> Path:
    """The file that a first process has kept of a module with one loop."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "sums.py").write_text(SUM.format(name="Pair"), "utf-8")
    assert run(USE, tmp_path, ROOT) == NEW
    assert run(USE, tmp_path, ROOT) == KEPT
    return next((tmp_path / "cache/fcacrawler/compiled").iterdir())


def test_what_is_compiled_is_kept_where_only_its_user_can_write(kept: Path) -> None:
    assert kept.name.startswith("sums.total-")
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.slow
def test_what_another_version_kept_of_a_class_that_is_no_more_is_compiled_anew(kept: Path, tmp_path) -> None:
    (tmp_path / "sums.py").write_text(SUM.format(name="Couple"), "utf-8")
    assert run(USE.replace("Pair", "Couple"), tmp_path, ROOT) == NEW
    os.utime(kept, (0, 0))
    (tmp_path / "sums.py").write_text(SUM.format(name="Two"), "utf-8")
    assert run(USE.replace("Pair", "Two"), tmp_path, ROOT) == NEW
    assert not kept.exists(), "what is old goes"


@pytest.mark.parametrize("torn", [lambda b: b[:-1], lambda b: b""])
def test_a_file_that_is_torn_is_compiled_anew_and_told(torn, kept: Path, tmp_path) -> None:
    kept.write_bytes(torn(kept.read_bytes()))
    told, *rest = run(USE, tmp_path, ROOT)
    assert told == f"{kept} is torn, or somebody else's: it is compiled anew"
    assert rest == NEW
    assert run(USE, tmp_path, ROOT) == KEPT


@pytest.mark.slow
@pytest.mark.parametrize("opened", ["file", "folder"])
def test_what_others_can_write_is_not_run(opened: str, kept: Path, tmp_path) -> None:
    planted = pickle.dumps(Planted(tmp_path / "was-here"))
    kept.write_bytes(_sealed(planted))
    (kept if opened == "file" else kept.parent).chmod(0o777)
    told, *rest = run(USE, tmp_path, ROOT)
    assert str(kept if opened == "file" else kept.parent) in told
    assert rest == NEW
    assert not (tmp_path / "was-here").exists()


class Planted:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.slow
def test_a_full_disk_costs_a_line(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "sums.py").write_text(SUM.format(name="Pair"), "utf-8")
    full = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); "
    for _ in range(2):
        first, told, result = run(full + limit + USE, tmp_path, ROOT, PYTHONDONTWRITEBYTECODE="1")  # no torn .pyc
        assert (first, result) == tuple(NEW)
        assert told.startswith("compiled loops cannot be kept, the next process compiles them again: ")
    assert not list((tmp_path / "cache/fcacrawler/compiled").iterdir())


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
    (tmp_path / "file").touch()
    assert run(RANK, tmp_path, XDG_CACHE_HOME=str(tmp_path / "file")) == run(RANK, ROOT)
