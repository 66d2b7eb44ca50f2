"""docs/design/equations.md: no row and no function is orphaned."""

import importlib
import inspect
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("| \n").split(" | ")]
    for line in (ROOT / "docs/design/equations.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and "`" in line
]
MATHEMATICS = [
    "acyclic",
    "masks",
    "context",
    "extension",
    "hierarchy",
    "ics",
    "incremental",
    "intension",
    "keyword_similarity",
    "lexical",
    "rank",
    "similarity",
]
DATA = {  # plain values and the door itself: nothing is computed in them
    "masks.bits",
    "masks.extents",
    "hierarchy.Dropped",
    "hierarchy.Hierarchy",
    "incremental.Numbers",
    "keyword_similarity.KeywordSimilarity",
    "keyword_similarity.set_equal",
}


def test_every_function_that_a_row_names_exists() -> None:
    assert len(ROWS) > 15
    for row in ROWS:
        names = re.findall(r"`([^`]+)`", row[1])
        assert names, row
        for name in names:
            module, _, attribute = name.rpartition(".")
            assert hasattr(importlib.import_module(f"fcacrawler.semrank.{module}"), attribute), name


def test_every_test_that_a_row_names_exists() -> None:
    for row in ROWS:
        names = re.findall(r"`([^`]+)`", row[2])
        assert names, row
        for name in names:
            path, test = name.split("::")
            assert re.search(rf"^def {test}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE), name


def test_every_decision_that_a_row_names_exists() -> None:
    for row in ROWS:
        for number in re.findall(r"\d{3}", row[3].strip("|")) if len(row) > 3 else ():
            assert list((ROOT / "docs/decisions").glob(f"{number}-*.md")), number


def test_no_public_function_of_the_mathematics_is_without_a_row() -> None:
    named = {name for row in ROWS for name in re.findall(r"`([^`]+)`", row[1])}
    for module in MATHEMATICS:
        found = importlib.import_module(f"fcacrawler.semrank.{module}")
        for name, thing in inspect.getmembers(found, lambda x: inspect.isfunction(x) or inspect.isclass(x)):
            if thing.__module__ == found.__name__ and not name.startswith("_"):
                assert {f"{module}.{name}"} & (named | DATA), f"{module}.{name} is in no row"
