"""docs/design/equations.md and errata.md: no row and no function is orphaned."""

import importlib
import pkgutil
import re
from contextlib import suppress
from functools import reduce
from pathlib import Path

from fcacrawler import semrank

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("| \n").split(" | ")]
    for line in (ROOT / "docs/design/equations.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and "`" in line
]
ERRATA = [
    [cell.strip() for cell in line.strip("| \n").split(" | ")]
    for line in (ROOT / "docs/design/errata.md").read_text("utf-8").splitlines()
    if re.match(r"\| \d", line)
]
NO_EQUATIONS = {  # what equations are computed with, and pictures of what comes out
    "ancestry",
    "draw",
    "kernels.arrays",
    "kernels.structures",
    "keyword_context",
    "layout",
    "neighbours",
    "parameters",
    "svg",
    "ties",
    "wordnet",
    "conceptnet",
}
DATA = {  # plain values, doors and bounds: no equation of the papers stands in them
    "masks.Masks",
    "masks.bits",
    "hierarchy.Dropped",
    "hierarchy.Hierarchy",
    "base_concepts.Borne",
    "base_concepts.Word",
    "cover.sides",
    "kernels.nearest.Base",
    "kernels.nearest.Near",
    "kernels.fast_rank.Best",
    "kernels.fast_rank.similarity_bound",
    "kernels.rank.greatest_ties",
    "kernels.rank.like_best",
    "kernels.rank.ties_of",
    "keyword_similarity.KeywordSimilarity",
    "keyword_similarity.set_equal",
}


def test_every_function_that_a_row_names_exists() -> None:
    assert len(ROWS) > 15
    for row in ROWS:
        names = re.findall(r"`([^`]+)`", row[1])
        assert names, row
        for name in names:
            assert found(name) is not None, name


def found(name: str) -> object | None:
    """Of the engine, or named from the package on."""
    for start in ("fcacrawler.semrank", "fcacrawler"):
        parts = f"{start}.{name}".split(".")
        for end in range(len(parts) - 1, 1, -1):
            with suppress(ImportError, AttributeError):
                return reduce(getattr, parts[end:], importlib.import_module(".".join(parts[:end])))
    return None


def test_every_test_that_a_row_names_exists() -> None:
    for row in (*ROWS, *([cell[0], "", cell[-1]] for cell in ERRATA)):
        names = re.findall(r"`([^`]+)`", row[2])
        assert names, row
        for name in names:
            path, test = name.split("::")
            assert re.search(rf"^def {test}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE), name


def test_every_decision_that_a_row_names_exists() -> None:
    for row in ROWS:
        for number in re.findall(r"\d{3}", row[3].strip("|")) if len(row) > 3 else ():
            assert list((ROOT / "docs/decisions").glob(f"{number}-*.md")), number


def test_no_public_function_of_the_engine_is_without_a_row() -> None:
    named = {name for row in ROWS for name in re.findall(r"`([^`]+)`", row[1])}
    prefix = f"{semrank.__name__}."
    modules = [m.name.removeprefix(prefix) for m in pkgutil.walk_packages(semrank.__path__, prefix)]
    assert set(modules) > NO_EQUATIONS
    for module in set(modules) - NO_EQUATIONS:
        assert [name for name in public(module) if name not in named | DATA] == []


def public(module: str) -> list[str]:
    """Its own functions, compiled ones too, and classes."""
    found = importlib.import_module(f"fcacrawler.semrank.{module}")
    own = [n for n, thing in vars(found).items() if callable(thing) and thing.__module__ == found.__name__]
    return [f"{module}.{name}" for name in own if not name.startswith("_")]
