"""What is learned of walks: pairs of pages, whatever the order of lines, and none that too few users show."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from fcacrawler.values.clicks import clicks_of
from fcacrawler.weblogs import load_clicks
from tests.values.test_clicks import told

HEADER = "user\ttime\tquery\tstep\turl"
Row = tuple[str, int, str, int, str]


def write(path: Path, rows: list[Row]) -> Path:
    path.write_text("\n".join([HEADER, *("\t".join(map(str, row)) for row in rows)]) + "\n")
    return path


def pairs(
    learned: Callable[..., object], path: Path, *rows: Row, **thresholds: int
) -> dict[tuple[str, str], tuple[int, ...]]:
    out = path / "omega.parquet"
    learned(write(path / "log.tsv", list(rows)), out=out, **{"click_users": 1} | thresholds)
    return told(load_clicks(out))


def test_the_pairs_are_those_of_the_walks_in_any_order_of_lines_and_merged(
    learned: Callable[..., object], tmp_path: Path
) -> None:
    """A walk is what one user clicked for one query, by time and step. Users of several walks count once a pair."""
    dice = random.Random(4)
    rows = [
        (
            f"u{dice.randrange(9)}",
            1000 + 60 * (n // 40),
            dice.choice(["tea", "rose"]),
            n,
            f"http://{dice.choice('abcdef')}/",
        )
        for n in range(240)
    ]
    walks = defaultdict(list)
    for user, _, query, _, url in rows:
        walks[user, query].append(url)
    whole = clicks_of(walks.values())
    shown = defaultdict(set)
    for (user, _), walk in walks.items():
        for pair in told(clicks_of([walk])):
            shown[pair].add(user)
    expected = {pair: (len(shown[pair]), *steps) for pair, (_, *steps) in told(whole).items()}
    dice.shuffle(rows)
    assert pairs(learned, tmp_path, *rows) == expected
    merged = tmp_path / "merged"
    merged.mkdir()
    pairs(learned, merged, *rows[::2])
    assert pairs(learned, merged, *rows[1::2], *rows[:40]) == expected


def test_half_an_hour_without_a_click_ends_a_walk(learned: Callable[..., object], tmp_path: Path) -> None:
    times = (1000, 2800, 4601)
    found = pairs(learned, tmp_path, *(("u", t, "q", 0, f"http://{x}/") for t, x in zip(times, "abc", strict=True)))
    assert found == {("http://a/", "http://b/"): (1, 1, 0)}


def test_without_a_time_nothing_is_said_of_the_order_and_a_crowd_of_pages_says_nothing(
    learned: Callable[..., object], tmp_path: Path
) -> None:
    few = [("u", 0, "q", 0, f"http://{x}/") for x in "ab"]
    robot = [("r", 0, "q", 0, f"http://r{n}/") for n in range(33)]
    assert pairs(learned, tmp_path, *few, *robot) == {("http://a/", "http://b/"): (1, 0, 0)}


def test_pairs_that_too_few_users_show_are_nowhere_and_of_the_rest_the_strongest_are_kept(
    learned: Callable[..., object], tmp_path: Path
) -> None:
    often = [(f"u{n}", 1, "q", k, f"http://{x}/") for n in range(4) for k, x in enumerate("ab")]
    thrice = [(f"u{n}", 1, "q", 2, "http://c/") for n in range(3)]
    alone = [("u1", 1, "q", 3, "http://secret/"), ("u2", 1, "q", 4, "http://secret/")]
    found = pairs(learned, tmp_path, *often, *thrice, *alone, click_users=3)
    assert {pair: users for pair, (users, *_) in found.items()} == {
        ("http://a/", "http://b/"): 4,
        ("http://a/", "http://c/"): 3,
        ("http://b/", "http://c/"): 3,
    }
    assert "secret" not in str(found)
    bounded = tmp_path / "bounded"
    bounded.mkdir()
    assert list(pairs(learned, bounded, *often, *thrice, click_users=3, click_pairs=1)) == [("http://a/", "http://b/")]


def test_a_lower_support_than_was_kept_is_refused(learned: Callable[..., object], tmp_path: Path) -> None:
    rows = [(f"u{n}", 1, "q", k, f"http://{x}/") for n in range(4) for k, x in enumerate("ab")]
    pairs(learned, tmp_path, *rows, click_users=3)
    with pytest.raises(Exception, match="only pages of 3 users"):
        pairs(learned, tmp_path, *rows, click_users=2)
