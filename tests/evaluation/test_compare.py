"""``scrapy compare`` on a small recorded web: what it writes, that it goes on and is repeatable, what it refuses."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest
from scrapy.utils.project import get_project_settings

from fcacrawler.commands.compare import Command
from tests.processes import scrapy
from tests.worlds.warcs import write_warc

ROOT = Path(__file__).parents[2]
CARS = ["rally", "engine", "circuit", "driver", "tyre", "gearbox", "pit", "lap"]
DOGS = ["terrier", "puppy", "kennel", "leash", "bark", "poodle", "hound", "collar"]


def text(words: list[str], n: int) -> str:
    return " ".join(random.Random(n).choices(words, k=80))


def html(title: str, words: list[str], n: int, links: list[str]) -> str:
    anchors = "".join(f'<p>See <a href="{link}">{link.rpartition("/")[2]}</a>.</p>' for link in links)
    return f'<html lang="en"><title>{title}</title><body><main><p>{text(words, n)}</p>{anchors}</main></body></html>'


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web of 12 pages on cars and 24 on dogs; car pages link to the next two, and to dogs first. Dogs link out of the
    recording too."""
    home = tmp_path_factory.mktemp("world") / "kennels"
    home.mkdir()
    pages, labels = {}, ["url\ttopic"]
    for n in range(12):
        links = [f"http://web.test/dog-{(2 * n + k) % 24}" for k in range(2)]
        links += [f"http://web.test/car-{(n + k) % 12}" for k in (1, 2)]
        pages[f"http://web.test/car-{n}"] = html(f"Car {CARS[n % 8]}", CARS, n, links)
        labels.append(f"http://web.test/car-{n}\tcars")
    for n in range(24):
        pages[f"http://web.test/dog-{n}"] = html(
            f"Dog {DOGS[n % 8]}",
            DOGS,
            n,
            [*(f"http://web.test/dog-{(n + k) % 24}" for k in (1, 5)), f"http://out.test/{n}"],
        )
    write_warc(home / "pages.warc.gz", pages, crawl_order="shark")
    (home / "labels.tsv").write_text("\n".join(labels) + "\n")
    (home / "topics.toml").write_text(
        '[topics.cars]\nwords = "racing car"\nlabels = ["cars"]\nseeds = ["http://web.test/car-0"]\n'
    )
    return home


def compare(world: Path | str, cache: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return scrapy("compare", world, "--jobs", 1, *options, XDG_CACHE_HOME=str(cache), FCA_VECTORS="none")


def command(world: Path | str, *options: str) -> list[str]:
    return [sys.executable, "-m", "scrapy", "compare", str(world), "--jobs", "1", *options]


def environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(cache), "FCA_VECTORS": "none"}


def test_it_writes_results_fetches_curves_and_a_report_and_a_second_run_the_same_again(
    world: Path, cache: Path, tmp_path: Path
) -> None:
    options = ["--orders", "oracle,semrank,shark,bfs", "--seeds-sets", "2", "--baseline", "bfs", "--host-pages", "5"]
    first = compare(world, cache, *options, "--out", str(tmp_path / "a"))
    assert first.returncode == 0, first.stderr
    records = json.loads((tmp_path / "a" / "results.json").read_text())
    assert [(r["topic"], r["seed_set"], r["order"]) for r in records] == [
        ("cars", k, order) for k in (0, 1) for order in ("oracle", "semrank", "shark", "bfs")
    ]
    oracle = records[0]
    assert oracle["world"] == "kennels"
    assert (oracle["R"], oracle["fetched"], oracle["relevant"], oracle["auc"]) == (11, 35, 11, 1.0)
    assert oracle["harvest_at_r"] == oracle["recall_at_r"] == oracle["best_f"] == 1.0
    assert oracle["harvest_at_4r"] == pytest.approx(11 / 35)  # the web has no more than 35 pages
    assert (oracle["links"], oracle["unknown"], oracle["recorded_by"]) == (35 + 24, 24, "shark")
    hosts = [oracle[name] for name in ("relevant_hosts", "hosts_at_r", "hosts_at_4r", "host_pages", "host_harvest")]
    assert hosts == [1, 1.0, 1.0, 5, 1.0]
    fetches = (tmp_path / "a" / "fetches" / "cars.0.oracle.0.45.tsv").read_text().splitlines()
    assert fetches[:2] == ["n\trelevant\turl", "1\t1\thttp://web.test/car-2"]
    assert len(fetches) == 36
    assert (tmp_path / "a" / "curves.csv").read_text().startswith("topic,seed_set,order,gamma,n,relevant,harvest")
    report = (tmp_path / "a" / "report.html").read_text()
    assert "On kennels (1 topic) semrank finds most" in report or "On kennels (1 topic) shark finds most" in report
    for text in (report, first.stdout):
        assert "URLs that a crawl found are not in the recording: no order was offered them" in text
        assert "recorded by crawls of the order shark: what only others would have fetched is missing" in text
    assert "of each host 5 pages of R count at most" in report
    assert report.count("<svg") == 8
    assert "http-equiv" not in report
    assert not any(f'{tag}="http' in report for tag in ("src", "href"))  # nothing is loaded from anywhere
    assert sorted(f.name for f in (tmp_path / "a" / "figures").iterdir()) == [
        f"{name}.{kind}" for name in ("f", "harvest", "precision", "time") for kind in ("png", "svg")
    ]
    again = compare(world, cache, *options, "--out", str(tmp_path / "b"), "--jobs", "2")
    assert again.returncode == 0
    for name in ("results.json", "curves.csv", "fetches/cars.1.semrank.0.45.tsv"):
        assert _without_cpu(tmp_path / "a" / name) == _without_cpu(tmp_path / "b" / name)


def _without_cpu(path: Path) -> object:
    if path.suffix != ".json":
        return path.read_bytes()
    return [{k: v for k, v in r.items() if k != "cpu_ms_per_page"} for r in json.loads(path.read_text())]


@pytest.mark.slow
def test_what_was_crawled_is_not_crawled_again(world: Path, cache: Path, tmp_path: Path) -> None:
    options = ["--seeds-sets", "1", "--out", str(tmp_path)]
    assert compare(world, cache, "--orders", "bfs", *options).returncode == 0
    kept = tmp_path / "runs" / "cars.0.bfs.0.45.json"
    before = kept.stat().st_mtime_ns
    assert compare(world, cache, "--orders", "bfs,random", *options).returncode == 0
    assert kept.stat().st_mtime_ns == before
    assert compare(world, cache, "--orders", "bfs", "--budget", "9", *options).returncode == 0
    assert kept.stat().st_mtime_ns > before
    assert [r["fetched"] for r in json.loads((tmp_path / "results.json").read_text())] == [9]


@pytest.mark.slow
def test_after_ctrl_c_the_same_command_goes_on(world: Path, cache: Path, tmp_path: Path) -> None:
    options = ["--seeds-sets", "3", "--out", str(tmp_path)]
    process = subprocess.Popen(
        command(world, *options), cwd=ROOT, env=environment(cache), stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 120
    while len(list(tmp_path.glob("runs/*.json"))) < 3 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.05)  # another process has to get somewhere
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert "the same command goes on" in said
    assert "Traceback" not in said
    kept = {f: f.stat().st_mtime_ns for f in tmp_path.glob("runs/*.json")}
    assert len(kept) >= 3
    assert compare(world, cache, *options).returncode == 0
    assert all(f.stat().st_mtime_ns == t for f, t in kept.items())


@pytest.mark.slow
def test_a_gamma_sweep_shows_a_measure_over_gamma(world: Path, cache: Path, tmp_path: Path) -> None:
    done = compare(
        world, cache, "--sweep", "gamma", "--orders", "semrank-2013", "--seeds-sets", "1", "--out", str(tmp_path)
    )
    assert done.returncode == 0, done.stderr
    records = json.loads((tmp_path / "results.json").read_text())
    assert [r["gamma"] for r in records] == [k / 10 for k in range(1, 11)]
    assert (tmp_path / "figures" / "sweep-auc.svg").exists()
    assert "γ sweep" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        (["--orders", "shrak"], "--orders: order 'shrak' is unknown; did you mean shark?"),
        (["--topics", "carz"], "did you mean cars?"),
        (["--budget", "many"], "--budget 'many': must be a number of pages such as 500, or a multiple of R such as 4R"),
        (["--baseline", "hits", "--orders", "bfs"], "--baseline: order 'hits' is unknown; known: bfs"),
        (["--seeds-sets", "0"], "--seeds-sets, --jobs and --host-pages must be at least 1"),
        (["--host-pages", "0"], "--seeds-sets, --jobs and --host-pages must be at least 1"),
        (["--orders", ","], "--orders: no order is given"),
    ],
)
def test_a_mistake_is_answered_and_nothing_is_crawled(
    options: list[str], answer: str, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert answer in refused(world, *options, "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def refused(world: Path, *options: str) -> str:
    """What the command answers, run in this process."""
    command = Command()
    command.settings = get_project_settings()
    parser = ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    with redirect_stderr(StringIO()) as told:
        command.run([str(world)], parser.parse_args(options))
    assert command.exitcode
    return told.getvalue()


def test_a_world_that_is_none_has_no_labels_or_no_page_is_refused(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "nowhere" in refused(tmp_path / "nowhere")
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "pages.warc.gz").write_bytes((world / "pages.warc.gz").read_bytes())
    assert "has no topics: give it labels.tsv" in refused(bare)
    (bare / "pages.warc.gz").write_bytes(b"")
    assert "no HTTP responses" in refused(bare)


@pytest.mark.slow
def test_a_topic_whose_pages_cannot_be_reached_says_so(world: Path, cache: Path, tmp_path: Path) -> None:
    lonely = tmp_path / "lonely"
    lonely.mkdir()
    (lonely / "pages.warc.gz").write_bytes((world / "pages.warc.gz").read_bytes())
    (lonely / "labels.tsv").write_text("url\ttopic\nhttp://web.test/car-0\tcars\n")
    (lonely / "topics.toml").write_text('[topics.cars]\nwords = "car"\nseeds = ["http://web.test/dog-0"]\n')
    done = compare(lonely, cache, "--orders", "bfs", "--seeds-sets", "1", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert "no relevant page can be reached" in done.stdout
    (record,) = json.loads((tmp_path / "out" / "results.json").read_text())
    assert (record["R"], record["auc"], record["harvest_at_r"]) == (0, None, None)
