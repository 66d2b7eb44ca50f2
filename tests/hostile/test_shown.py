"""What strangers wrote, where it is shown; and the table of all of it."""

from __future__ import annotations

import re
from pathlib import Path

from fcacrawler.evaluation.comparison import Done
from fcacrawler.evaluation.plan import Run, Start
from fcacrawler.evaluation.report import Story, write_report
from fcacrawler.evaluation.standings import record, standings
from fcacrawler.evaluation.trace import Trace
from tests.hostile.answers import MARKUP

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "docs" / "results" / "hostile.md"


def test_markup_in_a_report(tmp_path: Path) -> None:
    run = Run(Start(MARKUP, MARKUP, 0, (MARKUP,), frozenset({MARKUP}), 4), MARKUP, 0.45)
    done = Done(run, Trace((MARKUP,) * 4, (True, False, False, False), 1, 4, (0.1, 0.2, 0.3, 0.4)))
    write_report(tmp_path, Story(MARKUP, MARKUP, MARKUP, MARKUP, standings([record(MARKUP, done)], MARKUP), [done], []))
    report = (tmp_path / "report.html").read_text("utf-8")
    assert "&lt;script&gt;alert(1)" in report
    assert "<script>alert" not in report
    assert "<img" not in report


def test_every_row_has_its_test_and_every_test_its_row() -> None:
    rows = re.findall(r"\| `(test_\w+)` \|$", TABLE.read_text("utf-8"), re.M)
    files = [HERE / f"test_{name}.py" for name in ("sent", "read", "traps", "shown")]
    files.append(HERE.parent / "pise" / "test_hostile.py")
    tests = [name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.M)]
    tests.remove("test_every_row_has_its_test_and_every_test_its_row")
    assert sorted(rows) == sorted(tests)
