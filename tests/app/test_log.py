"""What a crawl is told of a log, and what of a log would change nothing and is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fcacrawler.app.assembly import check, given_of
from fcacrawler.app.config import Config, read_config
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.topics import Topic
from fcacrawler.weblogs import LearnOptions, Thresholds, learn, pairs_of
from tests.tracked import ROOT

USERS = [f"u{user}\t{step}\ttea\t{step}\thttp://a/{step}" for user in range(4) for step in (1, 2)]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("log")
    (home / "log.tsv").write_text("\n".join(["user\ttime\tquery\tstep\turl", *USERS]) + "\n")
    out = home / "omega.parquet"
    learn([home / "log.tsv"], (), out, str.split, str, LearnOptions(), Thresholds())
    return out


def config(order: str, log: Path | str = "", **settings: object) -> Config:
    return read_config({"FCA_ORDER": order, "FCA_LOG": str(log), "FCA_VECTORS": "none", **settings})


@pytest.mark.parametrize("order", ["semrank", "semrank-2013", "hmm"])
def test_every_order_that_learns_from_a_log_is_told_its_clicks(order: str, learned: Path) -> None:
    check(config(order, learned))
    given = given_of(config(order, learned), Topic("tea"))
    assert list(given.clicks.straight()) == [("http://a/1", "http://a/2", 4)]
    assert given.omega is not None
    assert not len(given_of(config(order), Topic("tea")).clicks)


@pytest.mark.parametrize(
    ("order", "settings", "told"),
    [
        ("bfs", {}, "the order bfs looks at no log; those that do: semrank, semrank-2013"),
        ("semrank-2013", {"FCA_LOG_USERS": 3}, "FCA_LOG_USERS: no effect on the order semrank-2013 with an FCA_LOG"),
    ],
)
def test_what_would_change_nothing_is_refused(order: str, settings: dict[str, int], told: str, learned: Path) -> None:
    with pytest.raises(BadOptions, match=told):
        check(config(order, learned, **settings))


@pytest.mark.parametrize(("log", "pages"), [(True, 6), (False, 80)])
def test_a_default_crawl_runs_the_engine(log: bool, pages: int, learned: Path) -> None:
    """What the name promises is what runs: concepts, compiled, and the hierarchy as a graph: of a log from the start,
    of the crawl's own links once there are enough of them."""
    crawl = ["scrapy", "crawl", "semrank", "-a", "topic=auto racing", "-a", f"pages={pages}", "-s", "FEEDS={}"]
    given = ["FCA_WORLD=demo", "FCA_VECTORS=none", "FCA_PROGRESS=off", "LOG_ENABLED=0"]
    given += [f"FCA_LOG={learned}"] if log else []
    crawl += [part for setting in given for part in ("-s", setting)]
    told = (
        "import atexit, sys; from scrapy.cmdline import execute;"
        "atexit.register(lambda: print(*sys.modules));"
        f"execute({crawl!r})"
    )
    done = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True)
    engine = {"base_concepts", "kernels.concepts", "kernels.nearest", "hierarchy", "ics"}
    assert {"networkx", *(f"fcacrawler.semrank.{name}" for name in engine)} <= set(done.stdout.split())


def test_settings_of_the_crawls_own_links_are_for_orders_that_learn_from_them() -> None:
    with pytest.raises(BadOptions, match="FCA_LOG_LINKS, FCA_LOG_PAGES: no effect on the order hmm"):
        check(config("hmm", FCA_LOG_LINKS=5, FCA_LOG_PAGES=2))
    for order in ("semrank", "formica"):
        check(config(order, FCA_LOG_LINKS=5))


def test_an_omega_without_its_clicks_says_nothing_to_an_order_that_reads_clicks_alone(
    learned: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "alone.parquet"
    alone.write_bytes(learned.read_bytes())
    with pytest.raises(BadOptions, match=r"alone\.clicks\.parquet is not beside it"):
        check(config("hmm", alone))
    for order in ("semrank", "formica"):
        check(config(order, alone))
    other = tmp_path / "other.parquet"
    other.write_bytes(learned.read_bytes())
    pairs_of(other).write_text("no parquet")
    with pytest.raises(BadOptions, match="holds no clicks that `scrapy learn` wrote"):
        check(config("semrank", other))
