"""Our commands for every project of an environment where fcacrawler is installed (``scrapy.commands`` in pyproject).

Scrapy makes one of each whatever is asked for. So these load nothing before somebody asks for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar


class Command:
    """The command of that name, as soon as it is looked at."""

    name: ClassVar[str]

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._command(), attribute)

    def __setattr__(self, attribute: str, value: Any) -> None:
        setattr(self._command(), attribute, value)

    def _command(self) -> Any:
        if "_loaded" not in self.__dict__:
            self.__dict__["_loaded"] = import_module(f"fcacrawler.commands.{self.name}").Command()
        return self.__dict__["_loaded"]


def later(name: str) -> type[Command]:
    return type(name, (Command,), {"name": name})


compare = later("compare")
completion = later("completion")
control = later("control")
draw = later("draw")
explain = later("explain")
export = later("export")
forget = later("forget")
frontier = later("frontier")
gather = later("gather")
learn = later("learn")
learn_ontology = later("learn-ontology")
mark = later("mark")
new = later("new")
ontology = later("ontology")
pise = later("pise")
rejudge = later("rejudge")
search = later("search")
seeds = later("seeds")
review = later("review")
vectors = later("vectors")
world = later("world")
