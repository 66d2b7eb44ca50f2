"""What must hold of any log: order of lines, lines that come twice and how it is cut into files change nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path

import pytest

from fcacrawler.values.omega import Omega
from tests.weblogs.conftest import SAMPLES, words_and_pairs

HEADER = "user\tgroup\ttime\tquery\tstep\turl"
WORDS = "auto racing motor sport pit stop rose".split()
Row = tuple[str, str, str, str, str, str]


def rows(seed: int, n: int = 150) -> list[Row]:
    """Clicks of 12 users in 3 groups on 8 pages, after queries of one or two words."""
    rng = random.Random(seed)
    return [
        (
            f"u{(user := rng.randrange(12))}",
            f"g{user % 3}",
            str(1000 + i),
            " ".join(rng.sample(WORDS, rng.choice((1, 1, 2)))),
            "1",
            f"http://p/{rng.randrange(8)}",
        )
        for i in range(n)
    ]


def write(path: Path, lines: list[Row]) -> Path:
    path.write_text("\n".join([HEADER, *("\t".join(line) for line in lines)]) + "\n")
    return path


@pytest.fixture
def links(tmp_path: Path) -> Path:
    path = tmp_path / "links.txt"
    path.write_text("".join(f"http://p/{a} http://p/{b}\n" for a, b in product(range(8), range(8)) if a % 3 == b % 4))
    return path


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("groups", ["given", "learned"])
def test_order_duplicates_and_files_change_nothing(
    seed: int, groups: str, learned: Callable[..., Omega], tmp_path: Path, links: Path
) -> None:
    log = rows(seed)
    limits = {"keyword_users": 2, "users": 2, "isa_lift": 1.0, "part_lift": 1.0, "groups": groups, "links": [links]}
    whole = learned(write(tmp_path / "whole.tsv", log), **limits)
    assert whole.isa
    assert whole.part_of
    mixed = [*log, *log[::3]]
    random.Random(seed).shuffle(mixed)
    assert learned(write(tmp_path / "mixed.tsv", mixed), **limits) == whole
    merged = tmp_path / "merged.parquet"
    for i in range(3):
        part = learned(write(tmp_path / f"part{i}.tsv", mixed[i::3]), out=merged, **limits)
    assert part == whole


@pytest.mark.parametrize("groups", ["given", "one"])
def test_the_relations_are_those_of_the_definition(
    groups: str, learned: Callable[..., Omega], tmp_path: Path, links: Path
) -> None:
    log = rows(3, 60)
    omega = learned(write(tmp_path / "log.tsv", log), links=[links], groups=groups, keywords_per_link=100)
    edges = {tuple(line.split()) for line in links.read_text().splitlines()}
    together = {(p, a, b) for *_, q, _, p in log for a, b in permutations(words_and_pairs(q), 2)}
    clicked = {(g if groups == "given" else "", n, p, q) for _, g, _, q, _, p in log for n in words_and_pairs(q)}
    apart = {
        (g, a, p, b)
        for g, a, p, q in clicked
        for b in omega.clicks
        if a in omega.clicks and a != b and b not in words_and_pairs(q)
    }
    isa = {(a, b) for g, a, p, b in apart if a < b and (g, b, p, a) in apart}
    part = {
        (a, b)
        for (g, a, p, b), (h, c, q, d) in product(apart, apart)
        if g == h and c == b and d == a and (p, q) in edges and p != q and tuple(sorted((a, b))) not in isa
    }
    assert together
    assert set(omega.isa) == isa
    assert set(omega.part_of) == part


def test_clicks_are_events_and_a_word_of_one_phrase_alone_is_no_keyword(
    learned: Callable[..., Omega], tmp_path: Path
) -> None:
    log: list[Row] = [("u1", "", str(i), "web page", "1", "http://p/1") for i in range(4)]
    assert learned(write(tmp_path / "a.tsv", log)).clicks == {"web page": 4}
    log.append(("u2", "", "9", "page", "1", "http://p/1"))
    assert learned(write(tmp_path / "b.tsv", log)).clicks == {"page": 5, "web page": 4}


def test_what_was_too_rare_to_be_kept_is_there_once_a_merged_log_makes_it_frequent(
    learned: Callable[..., Omega], tmp_path: Path
) -> None:
    out = tmp_path / "omega.parquet"
    log: list[Row] = [(f"u{i}", "", "1", f"{n} secret", "1", "http://p/1") for i in (1, 2) for n in ("a", "b")]
    common: list[Row] = [(f"u{i}", "", "2", "racing", "1", "http://p/1") for i in range(9)]
    first = learned(write(tmp_path / "1.tsv", [*log[:2], *common]), out=out, keyword_users=2)
    assert set(first.clicks) == {"racing"}
    both = learned(write(tmp_path / "2.tsv", log[2:]), out=out, keyword_users=2)
    assert set(both.clicks) == {"racing", "a secret", "b secret", "secret"}
    assert both == learned(write(tmp_path / "all.tsv", [*log, *common]), keyword_users=2)


def test_sessions_of_an_access_log_that_is_cut_in_two_are_found_after_the_merge(
    learned: Callable[..., Omega], tmp_path: Path
) -> None:
    lines = (SAMPLES / "access.log").read_text().splitlines(keepends=True)
    whole = learned(SAMPLES / "access.log")
    out = tmp_path / "omega.parquet"
    for i in (0, 1):
        part = tmp_path / f"{i}.log"
        part.write_text("".join(reversed(lines[i::2])))
        merged = learned(part, out=out)
    assert merged == whole


def test_a_pair_that_is_isa_is_not_part_of_as_well(learned: Callable[..., Omega], tmp_path: Path, links: Path) -> None:
    omega = learned(write(tmp_path / "log.tsv", rows(5)), links=[links])
    assert omega.isa
    assert not {tuple(sorted(pair)) for pair in omega.part_of} & set(omega.isa)


def test_popular_pages_are_bounded_and_what_they_are_characteristic_of_stays(
    learned: Callable[..., Omega], tmp_path: Path
) -> None:
    log: list[Row] = [(f"u{i}", "", "1", f"word{i}", "1", "http://everyone/") for i in range(50)]
    log += [(f"u{i}", "", "2", f"word{i}", "1", f"http://own/{i}") for i in range(2, 50)]
    omega = learned(write(tmp_path / "log.tsv", log), keywords_per_page=2)
    assert set(omega.isa) == {("word0", "word1")}


def test_keywords_of_one_query_are_isa_if_example_14_is_read_so(learned: Callable[..., Omega], tmp_path: Path) -> None:
    """The query is "internet spider": by decision 040 one keyword, and no evidence for its words."""
    log = tmp_path / "log.tsv"
    log.write_text("user\tquery\turl\nu\tinternet spider\thttp://p/1\n")
    assert list(learned(log).clicks) == ["internet spider"]
    omega = learned(log, out=tmp_path / "read.parquet", example_14=1)
    assert ("internet", "spider") in omega.isa
