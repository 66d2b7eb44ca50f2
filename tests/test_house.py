"""The house stands: every module imports, without effect."""

import importlib
import pkgutil

import fcacrawler


def test_every_module_imports() -> None:
    names = [m.name for m in pkgutil.walk_packages(fcacrawler.__path__, "fcacrawler.")]
    assert names
    for name in names:
        importlib.import_module(name)
