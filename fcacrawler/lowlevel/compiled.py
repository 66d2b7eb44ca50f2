"""What is compiled, and how: numba, kept on disk for the next process, also inside a zipped egg.

For loops that run for every page, over numbers; what they compute is told by their plain twins in the tests.

Why so: decision 172.
"""

from __future__ import annotations

import linecache
import logging
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from hashlib import blake2b
from inspect import getfile
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from time import monotonic, time
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

logger = logging.getLogger(__name__)
F = TypeVar("F", bound=Callable[..., object])
SEAL = 16  # bytes of a digest of what follows them in a file
SPARE = 4  # file handles that are held for loading and compiling
EVERY = 3.0  # seconds between two lines of progress
STALE = 30 * 86_400.0  # seconds after which what another version of a module has kept is deleted


def compiled(function: F) -> F:
    """Compile at the first call, and keep it in a folder that only this user can write to, and only he has written to:
    it is read back as pickles, which may run anything.

    A place that an array does not have is an IndexError, as in Python: checking costs a few percent of the loops.
    What is kept is fresh by the source file alone: what a compiled function calls stands in the same file. Where
    nothing can be kept each process compiles for itself.
    """
    found: Any = numba.njit(boundscheck=True)(function)
    found._cache = _Kept(function)
    return cast(F, found)


@cache
def kept_in() -> Path | None:
    """Where it is kept; None, which is told, where that is not safe or cannot be."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fcacrawler" / "compiled"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        wrong = (
            None if _is_mine(folder.lstat(), S_ISDIR) else f"{folder} is not this user's alone: chmod 700 or delete it"
        )
    except (OSError, RuntimeError) as error:  # a user without a home
        wrong = str(error)
    if wrong:
        logger.warning("compiled loops are not kept, each process takes some ten seconds for them: %s", wrong)
    return None if wrong else folder


def _is_mine(about: os.stat_result, kind: Callable[[int], bool]) -> bool:
    if not hasattr(os, "geteuid"):  # Windows: a user's folder is the user's
        return kind(about.st_mode)
    return kind(about.st_mode) and about.st_uid == os.geteuid() and not about.st_mode & 0o077


class _Files:
    """Compiled forms of one function: a file for each of the types and processors that it was compiled for."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")

    @cached_property
    def _version(self) -> bytes | None:
        """Of all that it is made of; None for a function without a source."""
        source = "".join(linecache.getlines(getfile(self._function), self._function.__globals__))
        return _digest(source, numba.__version__, sys.implementation.cache_tag) if source else None

    def _path(self, key: object) -> Path | None:
        folder = kept_in()
        if folder is None or self._version is None:
            return None
        return folder / f"{self._name}-{self._version.hex()[:12]}-{_digest(key).hex()[:12]}"

    def load(self, key: object) -> Any:
        """What is kept; None if nothing is, or nothing whole."""
        path = self._path(key)
        if path is None or not path.exists():
            return None
        try:
            with open(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
                sealed = file.read() if _is_mine(os.fstat(file.fileno()), S_ISREG) else b""
            if _sealed(sealed[SEAL:]) == sealed:
                asked, found = pickle.loads(sealed[SEAL:])
                return found if asked == key else None
            logger.warning("%s is torn, or somebody else's: it is compiled anew", path)
        except OSError as error:
            logger.warning("a compiled loop cannot be read, and is compiled anew: %s", error)
        except (AttributeError, ImportError):  # a class that is no more
            pass
        return None

    def save(self, key: object, data: object) -> None:
        path = self._path(key)
        if path is None:
            return
        new = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(_sealed(dumps((key, data))))  # type: ignore[no-untyped-call]
            new.replace(path)
            for other in path.parent.glob(f"{self._name}-*"):
                if time() - other.stat().st_mtime > STALE:
                    other.unlink()
        except OSError as error:
            _not_kept(str(error))
            new.unlink(missing_ok=True)


@cache
def _not_kept(why: str) -> None:
    logger.warning("compiled loops cannot be kept, the next process compiles them again: %s", why)


def _digest(*parts: object) -> bytes:
    return blake2b(repr(parts).encode("utf-8", "replace"), digest_size=SEAL).digest()


def _sealed(data: bytes) -> bytes:
    return blake2b(data, digest_size=SEAL).digest() + data


class _Told:
    """What a user hears of it, who would else see nothing for some seconds."""

    def __init__(self) -> None:
        self._loops = 0
        self._last = 0.0

    def __call__(self) -> None:
        """Another loop is being compiled."""
        self._loops += 1
        if self._loops == 1:
            logger.warning("The first run of this version compiles its loops: some ten seconds, once")
        elif monotonic() - self._last > EVERY:
            logger.warning("compiling the loops, once: %s are done", self._loops - 1)
        else:
            return
        self._last = monotonic()


_tell = _Told()


class _Spare:
    """File handles, so that a process that has used up all others still has its loops, of which each is loaded when it
    is needed first: without one a page would be learned by half."""

    def __init__(self) -> None:
        self._held: list[int] = []

    def give(self) -> None:
        while self._held:
            os.close(self._held.pop())

    def take(self) -> None:
        with suppress(OSError):
            while len(self._held) < SPARE:
                self._held.append(os.open(os.devnull, os.O_RDONLY))


_spare = _Spare()


class _Place(_CacheLocator):
    """Numba wants to be told where a function's files are: nowhere, ``_Files`` has them."""

    def __init__(self, function: object, file: str) -> None:
        self._py_file = file

    @classmethod
    def from_function(cls, function: object, file: str) -> _Place:
        return cls(function, file)

    def ensure_cache_path(self) -> None:
        pass

    def get_cache_path(self) -> str:
        return ""

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return ""


class _Written(CompileResultCacheImpl):
    _locator_classes = [_Place]  # noqa: RUF012  # as numba has it


class _Kept(FunctionCache):
    _impl_class = _Written

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file: Any = _Files(function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        _spare.give()
        found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is None:
            _tell()
        else:
            _spare.take()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """It has been compiled."""
        super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        _spare.take()
