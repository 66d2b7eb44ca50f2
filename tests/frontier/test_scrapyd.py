"""The project as an egg in a real scrapyd: deployed, scheduled, two jobs on one crawl in Redis."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.redis_server import serving
from tests.tracked import copy_project

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is committed of the project, where building leaves nothing behind."""
    if importlib.util.find_spec("scrapyd") is None or not (BIN / "scrapyd-deploy").exists():
        told = "no scrapyd: pip install -r requirements-deploy.txt"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    folder = tmp_path_factory.mktemp("project")
    copy_project(folder)
    return folder


@pytest.fixture(scope="module")
def scrapyd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("scrapyd")) as (url, _):
        yield url


@contextmanager
def running(folder: Path, *changes: tuple[str, str]) -> Iterator[tuple[str, Path]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    conf = (ROOT / "docs/use/scrapyd.conf").read_text().replace("= 6800", f"= {port}")
    for was, is_now in (("poll_interval     = 1.0", "poll_interval     = 0.2"), *changes):
        assert was in conf
        conf = conf.replace(was, is_now)
    (folder / "scrapyd.conf").write_text(conf)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("FCA_")}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([BIN / "scrapyd"], cwd=folder, stdout=log, stderr=log, env=environment)
        url = f"http://127.0.0.1:{port}/"
        end = monotonic() + 30
        while True:
            try:
                assert ask(url, "daemonstatus.json")["status"] == "ok"
                break
            except OSError:
                assert monotonic() < end, (folder / "log").read_text()
                sleep(0.1)
        try:
            yield url, folder
        finally:
            process.terminate()
            process.wait(20)


def until_done(scrapyd: str, jobs: int) -> list[dict[str, str]]:
    end = monotonic() + 300
    while len(finished := ask(scrapyd, "listjobs.json", project="fcacrawler")["finished"]) < jobs:
        assert monotonic() < end
        sleep(0.3)
    return list(finished)


def ask(url: str, what: str, **fields: str) -> Any:
    data = urllib.parse.urlencode(fields).encode() if fields and what in ("schedule.json",) else None
    query = "" if data or not fields else f"?{urllib.parse.urlencode(fields)}"
    with urllib.request.urlopen(f"{url}{what}{query}", data=data) as answer:
        return json.load(answer)


def test_two_jobs_of_a_deployed_egg_share_one_crawl(project: Path, scrapyd: str) -> None:
    config = (project / "scrapy.cfg").read_text().replace("[deploy]", f"[deploy]\nurl = {scrapyd}")
    (project / "scrapy.cfg").write_text(config)
    deploy = subprocess.run([BIN / "scrapyd-deploy"], cwd=project, capture_output=True, text=True, check=True)
    assert '"status": "ok"' in deploy.stdout, deploy.stdout + deploy.stderr
    assert "semrank" in ask(scrapyd, "listspiders.json", project="fcacrawler")["spiders"]
    with serving() as redis:
        common = {"project": "fcacrawler", "spider": "semrank", "topic": "auto racing", "pages": "60"}
        settings = [f"FCA_FRONTIER={redis.url}", "FCA_WORLD=demo"]
        query = urllib.parse.urlencode([*common.items(), *(("setting", s) for s in settings)]).encode()
        jobs = []
        for _ in range(2):
            with urllib.request.urlopen(f"{scrapyd}schedule.json", data=query) as answer:
                jobs.append(json.load(answer)["jobid"])
        finished = until_done(scrapyd, 2)
        items, logs = [], ""
        for job in finished:
            with urllib.request.urlopen(scrapyd.rstrip("/") + job["log_url"]) as answer:
                logs += answer.read().decode()
            with urllib.request.urlopen(scrapyd.rstrip("/") + job["items_url"]) as answer:
                items += [json.loads(line) for line in answer.read().decode().splitlines()]
    assert {job["id"] for job in finished} == set(jobs)
    assert "Traceback" not in logs, logs
    assert logs.count("the crawl has ended\n") == logs.count("budget used up") == 2
    urls = [item["url"] for item in items]
    assert len(urls) == len(set(urls))
    assert 50 <= len(urls) <= 60


def test_a_job_that_is_refused_says_so_in_its_log(project: Path, scrapyd: str) -> None:
    """After the one above, which deploys."""
    query = urllib.parse.urlencode({"project": "fcacrawler", "spider": "semrank", "topic": "tea"}).encode()
    with urllib.request.urlopen(f"{scrapyd}schedule.json", data=query) as answer:
        job = json.load(answer)["jobid"]
    end = monotonic() + 120
    while not (found := [j for j in ask(scrapyd, "listjobs.json", project="fcacrawler")["finished"] if j["id"] == job]):
        assert monotonic() < end
        sleep(0.3)
    with urllib.request.urlopen(scrapyd.rstrip("/") + found[0]["log_url"]) as answer:
        assert "The crawl was not started.\nno seeds: say where to start" in answer.read().decode()


def test_jobs_of_a_scrapyd_that_keeps_no_items_do_not_share_a_file(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running(tmp_path_factory.mktemp("bare"), ("items_dir         = items\n", "")) as (scrapyd, folder):
        config = (ROOT / "scrapy.cfg").read_text().replace("[deploy]", f"[deploy]\nurl = {scrapyd}")
        (project / "scrapy.cfg").write_text(config)
        subprocess.run([BIN / "scrapyd-deploy"], cwd=project, capture_output=True, check=True)
        settings = [("setting", s) for s in ("FCA_WORLD=demo", "FCA_PROGRESS=off")]
        common = {"project": "fcacrawler", "spider": "semrank", "topic": "auto racing", "pages": "5"}
        query = urllib.parse.urlencode([*common.items(), *settings]).encode()
        for _ in range(2):
            with urllib.request.urlopen(f"{scrapyd}schedule.json", data=query) as answer:
                assert json.load(answer)["status"] == "ok"
        until_done(scrapyd, 2)
        found = (folder / "out").glob("*.jsonl")
        harvests = [path for path in found if not path.is_symlink() and ".judged" not in path.suffixes]
        assert [len(path.read_text("utf-8").splitlines()) for path in harvests] == [5, 5]


def test_an_egg_holds_the_packages_data(project: Path, tmp_path: Path) -> None:
    egg = tmp_path / "fcacrawler.egg"
    subprocess.run([BIN / "scrapyd-deploy", "--build-egg", egg], cwd=project, capture_output=True, check=True)
    inside = set(zipfile.ZipFile(egg).namelist())
    listed = subprocess.run(["git", "ls-files", "fcacrawler"], cwd=ROOT, capture_output=True, text=True, check=True)
    data = {name for name in listed.stdout.splitlines() if not name.endswith(".py")}
    assert data
    assert data <= inside, sorted(data - inside)
