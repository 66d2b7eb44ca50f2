"""Interest groups: whose clicks are put together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fcacrawler.values.omega import Omega


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Racers and gardeners, each with pages of their own; both come to one shop."""
    rows = ["user\tgroup\tquery\turl"]
    for i in range(6):
        for page in ("track", "pit", "flags"):
            rows.append(f"racer{i}\tmotor\trace {page}\thttp://race/{page}")
        for page in ("lawn", "roses", "hedge"):
            rows.append(f"gardener{i}\tgarden\tgarden {page}\thttp://garden/{page}")
        rows += [f"racer{i}\tmotor\tgloves\thttp://shop/", f"gardener{i}\tgarden\tshears\thttp://shop/"]
    path = tmp_path / "log.tsv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(("groups", "together"), [("one", True), ("given", False), ("learned", False)])
def test_users_of_different_interests_make_no_relation(
    groups: str, together: bool, log: Path, learned: Callable[..., Omega]
) -> None:
    omega = learned(log, groups=groups, keyword_users=3)
    assert (("gloves", "shears") in omega.isa) is together
    assert omega == learned(log, groups=groups, keyword_users=3)


def test_users_whom_nothing_joins_are_groups_of_their_own(tmp_path: Path, learned: Callable[..., Omega]) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("user\tquery\turl\na\tone\thttp://p/\nb\ttwo\thttp://p/\n")
    assert learned(log, groups="one").isa.keys() == {("one", "two")}
    assert not learned(log, groups="learned").isa
