"""A focused crawler: pages about a topic first, ranked by meaning.

For scripts and notebooks: ``from fcacrawler import Harvest, Topic, crawl`` (docs/use/python.md).
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fcacrawler.harvests import Harvest as Harvest
    from fcacrawler.harvests import crawl as crawl
    from fcacrawler.harvests import crawl_async as crawl_async
    from fcacrawler.values.topics import Topic as Topic

__version__ = "1.0.0"

_WHERE = {"Harvest": "harvests", "Topic": "values.topics", "crawl": "harvests", "crawl_async": "harvests"}


class _Package(ModuleType):
    """Names for scripts are loaded when they are asked for. ``crawl`` is the function, also when the room of that name
    has been imported, which is found by its full name all the same."""

    def __getattr__(self, name: str) -> Any:
        if name not in _WHERE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _WHERE and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
