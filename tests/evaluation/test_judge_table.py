"""``scrapy compare --seeds hub --judge``: seeds off the topic, and how good the judge was."""

from __future__ import annotations

import json
from pathlib import Path

from tests.evaluation.test_compare import CARS, DOGS, compare, html
from tests.worlds.warcs import write_warc


def web(home: Path, host: str, lists: dict[str, list[int]]) -> Path:
    """8 pages on cars that link to the next one, 8 on dogs, and lists off the topic of some cars and all dogs."""
    home.mkdir()
    pages = {f"{host}/car-{n}": html(f"Car {CARS[n]}", CARS, n, [f"{host}/car-{(n + 1) % 8}"]) for n in range(8)}
    pages |= {f"{host}/dog-{n}": html(f"Dog {DOGS[n]}", DOGS, n, [f"{host}/car-0"]) for n in range(8)}
    for name, cars in lists.items():
        links = [f"{host}/car-{n}" for n in cars] + [f"{host}/dog-{n}" for n in range(8)]
        pages[f"{host}/{name}"] = html(f"List {name}", DOGS, len(name), links)
    write_warc(home / "pages.warc.gz", pages)
    (home / "labels.tsv").write_text("url\ttopic\n" + "".join(f"{host}/car-{n}\tcars\n" for n in range(8)))
    (home / "topics.toml").write_text(
        f'[topics.cars]\nwords = "rally engine"\nlabels = ["cars"]\nseeds = ["{host}/car-0"]\n'
    )
    return home


def test_hub_seeds_are_the_pages_off_the_topic_that_link_to_most_of_it(tmp_path: Path, cache: Path) -> None:
    lists = {"most": [0, 1, 2, 3], "nearly": [0, 1, 2], "rest": [4, 5]}
    world = web(tmp_path / "web", "http://web.test", lists)
    options = ["--seeds", "hub", "--judge", "--orders", "semrank,bfs", "--seeds-sets", "1", "--budget", "14"]
    ran = compare(world, cache, *options, "--marks", "0,3", "--out", str(tmp_path / "out"))
    assert ran.returncode == 0, ran.stderr

    fetched = (tmp_path / "out" / "fetches" / "cars.hub0.bfs.0.45.tsv").read_text().splitlines()[1:]
    first = {row.split("\t")[2].rpartition("/")[2] for row in fetched}
    assert first == {f"car-{n}" for n in range(6)} | {f"dog-{n}" for n in range(8)}
    rows = json.loads((tmp_path / "out" / "judge.json").read_text())
    assert [(r["label"], r["judged"], r["seeds"], r["pages"]) for r in rows] == [
        (label, moment, "hub", pages)
        for label, pages in (
            ("semrank", 14),
            ("bfs", 14),
            ("semrank, 3 uncertain marks", 11),  # marked pages are not measured
            ("bfs, 3 uncertain marks", 11),
        )
        for moment in ("end", "came")
    ]
    assert all(0 <= r[name] <= 1 for r in rows for name in ("precision", "recall", "f1", "roc", "ece"))
    assert "The judge, pages of bfs" in ran.stdout
    assert "The judge, at the end, all topics" in ran.stdout
    assert "The judge, pages of semrank" in (tmp_path / "out" / "report.html").read_text()


def test_on_a_web_of_one_site_the_home_page_is_the_hub(tmp_path: Path, cache: Path) -> None:
    world = web(tmp_path / "web", "http://web.test", {"": [0, 1], "most": [0, 1, 2, 3]})
    options = ["--seeds", "hub", "--orders", "bfs", "--seeds-sets", "1", "--budget", "10"]
    ran = compare(world, cache, *options, "--out", str(tmp_path / "out"))
    assert ran.returncode == 0, ran.stderr
    fetched = (tmp_path / "out" / "fetches" / "cars.hub0.bfs.0.45.tsv").read_text().splitlines()[1:]
    assert {row.split("\t")[2].rpartition("/")[2] for row in fetched} == {f"dog-{n}" for n in range(8)} | {
        "car-0",
        "car-1",
    }
