"""What ``pip install .`` brings: a command of our own, and our commands in other people's projects."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib import import_module
from itertools import chain
from pathlib import Path
from zipfile import ZipFile

import pytest
from scrapy.commands import ScrapyCommand

from fcacrawler import __version__, commands, entry_points
from fcacrawler.values.extras import EXTRAS
from tests.tracked import ROOT, copy_project, tracked

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OURS = {f.stem for f in Path(commands.__file__).parent.glob("*.py")} - {"__init__"}


def test_all_commands_are_entry_points_but_crawl_which_is_scrapys_elsewhere() -> None:
    registered = PROJECT["entry-points"]["scrapy.commands"]
    assert set(registered) == OURS - {"crawl"}
    scrapys = {f.stem for f in Path(import_module("scrapy.commands").__path__[0]).glob("*.py")}
    assert not scrapys & set(registered)
    for name, value in registered.items():
        module, _, attribute = value.partition(":")
        command = getattr(import_module(module), attribute)()
        assert command.short_desc() == import_module(f"fcacrawler.commands.{name}").Command().short_desc()


def test_a_command_is_loaded_when_it_is_looked_at() -> None:
    told = (
        "import sys; from fcacrawler.entry_points import explain; command = explain();"
        "before = 'fcacrawler.commands.explain' in sys.modules; command.settings = 7;"
        "print(before, command.settings, command.requires_crawler_process, type(command._loaded).__mro__[2].__name__)"
    )
    done = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "7", str(ScrapyCommand.requires_crawler_process), "ScrapyCommand"]
    assert isinstance(entry_points.explain, type)


def bounds(lines: Iterable[str]) -> dict[str, str]:
    """Requirement → its bound."""
    return dict(re.findall(r"^([\w-]+(?:\[\w+\])?)([><]=?.+)$", "\n".join(lines), re.M))


def test_the_core_and_its_extras_are_what_a_checkout_installs() -> None:
    def said(name: str) -> dict[str, str]:
        return bounds((ROOT / name).read_text("utf-8").splitlines())

    extras = PROJECT["optional-dependencies"]
    used = [extras[name] for name in re.findall(r"\w+", extras["all"][0].partition("[")[2])]
    assert bounds([*PROJECT["dependencies"], *chain(*used)]) == said("requirements.txt")
    assert bounds(extras["deploy"]) == said("requirements-deploy.txt")
    assert said("requirements-minilm.txt").items() <= bounds(extras["minilm"]).items()
    assert EXTRAS.keys() <= extras.keys()


BARE = (  # no module of an extra can be imported
    "import sys\n"
    "sys.modules |= dict.fromkeys({modules})\n"
    "from fcacrawler.__main__ import main\n"
    "sys.argv = ['fcacrawler', *{words}]\n"
    "main()"
)


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("compare demo", "compare"),
        ("ontology info ecommerce", "ontology"),
        ("learn --show x.parquet golf", "logs"),
        ("crawl link-classifier -a topic=golf -s FCA_WORLD=demo", "compare"),
        ("crawl golf -s FCA_WORLD=demo -s FCA_FRONTIER=redis://localhost/0", "redis"),
    ],
)
def test_a_missing_extra_is_one_line_that_says_what_to_install(words: str, extra: str, tmp_path: Path) -> None:
    code = BARE.format(modules=[m for modules in EXTRAS.values() for m in modules], words=words.split())
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count(f"pip install 'fcacrawler[{extra}]'")) == (2, 1), done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents and its console command."""
    project, made, folder = (tmp_path_factory.mktemp(name) for name in ("project", "wheel", "installed"))
    copy_project(project)
    pip = [sys.executable, "-m", "pip"]
    built = subprocess.run([*pip, "wheel", "--no-deps", "-w", made, project], capture_output=True, text=True)
    if built.returncode:
        told = f"no wheel can be built (it takes pip, and setuptools from an index): {built.stderr[-500:]}"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(told)
    (wheel,) = made.glob("*.whl")
    data = {name for name in tracked("fcacrawler") if not name.endswith(".py")}
    assert data <= set(ZipFile(wheel).namelist())
    install = [*pip, "install", "--no-deps", "--no-index", "--target", folder, wheel]
    subprocess.run(install, capture_output=True, check=True)
    return folder


def run(installed: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_an_installed_crawler_works_from_any_folder(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "bin" / "fcacrawler")
    assert run(installed, program, "--version", cwd=tmp_path).stdout.startswith(f"fcacrawler {__version__} (")
    told = run(installed, program, "--help", cwd=tmp_path).stdout
    assert all(f"  {name} " in told for name in OURS)
    crawl = ["crawl", "semrank", "-a", "topic=golf", "-s", "FCA_WORLD=demo", "-a", "pages=12", "-O", "golf.jsonl"]
    done = run(installed, program, *crawl, cwd=tmp_path)
    assert (done.returncode, "budget used up" in done.stderr) == (0, True), done.stderr
    assert len((tmp_path / "golf.jsonl").read_text("utf-8").splitlines()) > 8


@pytest.mark.slow
def test_our_commands_are_there_in_a_foreign_project(installed: Path, tmp_path: Path) -> None:
    run(installed, "-m", "scrapy", "startproject", "foreign", ".", cwd=tmp_path)
    told = run(installed, "-m", "scrapy", cwd=tmp_path)
    assert all(f"  {name} " in told.stdout for name in OURS)
    refused = run(installed, "-m", "scrapy", "explain", "http://a.test/", "--job", "nowhere", cwd=tmp_path)
    assert (refused.returncode, "nowhere holds no crawl" in refused.stderr) == (1, True)
    assert "-a topic=" not in run(installed, "-m", "scrapy", "crawl", "-h", cwd=tmp_path).stdout  # Scrapy's own
