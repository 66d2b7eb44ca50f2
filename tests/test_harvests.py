"""Crawls from scripts and notebooks; the documents' examples run."""

from __future__ import annotations

import asyncio
import doctest
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import fcacrawler
from fcacrawler import Harvest, Topic, crawl, crawl_async
from fcacrawler.harvests import CrawlFailed, _write
from fcacrawler.values.errors import BadOptions, BadStore
from tests.tracked import ROOT

DEMO = {"FCA_WORLD": "demo", "LOG_LEVEL": "ERROR", "FCA_JS": "never"}
OUTSIDE = {"TWISTED_REACTOR_ENABLED": False}  # a test of before may have installed one that does not run


def harvested(folder: Path, pages: int, **settings: object) -> Harvest:
    return asyncio.run(crawl_async("golf", folder, pages=pages, settings={**DEMO, **OUTSIDE, **settings}))


def test_a_crawl_in_this_process_is_read_marked_searched_and_a_table(tmp_path: Path) -> None:
    harvest = harvested(tmp_path / "job", 12)
    pages = list(harvest)
    assert len(pages) == len(harvest) == 12
    assert [page.url for page in pages] == [item["url"] for item in harvest.now()]
    table = harvest.to_pandas()
    assert table.url.tolist() == [page.url for page in pages]
    assert json.loads(table.path[0]) == pages[0].path
    assert harvest.to_pandas(relevant=True).relevant.all()
    assert harvest.search("golf", 3, relevant=True)
    harvest.mark(pages[3].url, good=False)
    assert next(item for item in harvest.now() if item["url"] == pages[3].url)["mark"] == "bad"
    assert harvest.forget(pages[3].url).pages == 1
    assert len(Harvest(tmp_path / "job")) == 11
    assert len(harvested(tmp_path / "job", 14)) == 13


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    none = Harvest(tmp_path / "none")
    assert (len(none), none.running) == (0, False)
    with pytest.raises(BadStore, match="holds no crawl"):
        list(none)
    with pytest.raises(BadStore, match="holds no crawl"):
        none.mark("http://a.test/")
    with pytest.raises(BadOptions, match="no URL"):
        none.mark("a.test")
    with pytest.raises(CrawlFailed, match="begun here"):
        none.ask("status")


def test_a_topic_is_written_as_a_crawl_reads_it(tmp_path: Path) -> None:
    topic = Topic('green "tea"', ("http://a.test/",), ("http://b.test/",), ("coffee",), ("leaves\nof tea",))
    _write(topic, tmp_path)
    told = tomllib.loads((tmp_path / "topic.toml").read_text("utf-8"))
    assert told == {
        "words": topic.words,
        "seeds": ["http://a.test/"],
        "examples": ["http://b.test/", "./example-1.txt"],
        "avoid": ["coffee"],
    }
    assert (tmp_path / "example-1.txt").read_text("utf-8") == topic.texts[0]


def test_crawl_is_the_function_also_when_the_room_has_been_imported() -> None:
    code = (
        "import fcacrawler.crawl.crawl; from fcacrawler import crawl, Topic; import fcacrawler as f;"
        "print(crawl.__module__, f.crawl is crawl, Topic.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["fcacrawler.harvests", "True", "Topic"]
    with pytest.raises(AttributeError, match="nonsense"):
        _ = fcacrawler.nonsense


@pytest.mark.slow
def test_a_crawl_in_a_process_of_its_own_can_be_asked_and_stopped(tmp_path: Path) -> None:
    with crawl("golf", tmp_path / "job", settings={**DEMO, "DOWNLOAD_DELAY": 0.2}) as harvest:
        pages = iter(harvest)
        assert next(pages).url
        assert harvest.ask("gamma", 0.4)["gamma"] == 0.4
        with pytest.raises(TimeoutError):
            harvest.wait(0)
        harvest.stop()
        found = 1 + sum(1 for _ in pages)
    assert not harvest.running
    assert found == len(harvest) < 1000


@pytest.mark.slow
def test_the_documents_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = doctest.testfile(str(ROOT / "docs/use/python.md"), module_relative=False)
    assert (done.failed, done.attempted > 5) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize("notebook", sorted((ROOT / "docs").rglob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(notebook: Path, tmp_path: Path) -> None:
    """As a script: that needs no Jupyter, and nothing in it is Jupyter's."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    script = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert not any(cell.get("outputs") for cell in cells)
    (tmp_path / "notebook.py").write_text(script, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "notebook.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
