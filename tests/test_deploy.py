"""What stands in ``deploy/`` is there: files, extras, commands, their options, arguments and settings."""

from __future__ import annotations

import argparse
import re
import shlex
import tomllib
from fnmatch import fnmatch
from importlib import import_module
from typing import Any

import pytest
import yaml
from scrapy.settings import Settings

from fcacrawler.app.config import declared
from tests.tracked import ROOT, tracked

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
UNIT = (DEPLOY / "fcacrawler@.service").read_text("utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


def test_what_is_copied_into_the_image_is_there_and_is_all_that_a_build_takes() -> None:
    copied = [line.split()[1:-1] for line in DOCKERFILE.splitlines() if re.match("COPY (?!--from)", line)]
    sources = {source for line in copied for source in line}
    assert all((ROOT / source).exists() for source in sources)
    ignored, *kept = (ROOT / ".dockerignore").read_text().split()
    assert ignored == "*"
    assert {name.removeprefix("!") for name in kept if name.startswith("!")} == sources
    assert {"setup.py", "pyproject.toml", "README.md", "LICENSE", "constraints.txt", "fcacrawler"} == sources
    assert not [name for name in tracked("fcacrawler") if any(fnmatch(name, f"*{k[2:]}*") for k in kept if k[0] == "*")]


def test_the_image_has_the_python_and_the_versions_of_the_project() -> None:
    (version,) = set(re.findall(r"FROM python:(3\.\d+)-slim", DOCKERFILE))
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    assert tuple(map(int, version.split("."))) >= tuple(map(int, asked.removeprefix(">=").split(".")))
    assert "-c constraints.txt" in DOCKERFILE


def commands() -> list[list[str]]:
    """All that is started, without the program."""
    services = COMPOSE["services"].values()
    found = [s["command"] for s in services if "build" in s and "command" in s]
    found += [shlex.split(line.partition("fcacrawler ")[2]) for line in re.findall("^ExecStart=(.*)", UNIT, re.M)]
    usage = (DEPLOY / "compose.yaml").read_text("utf-8")
    return [*found, *(shlex.split(c)[: c.count(" ") + 1] for c in re.findall(r"--rm crawl (.*)", usage))]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_is_one_that_we_have(words: list[str]) -> None:
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command = import_module(f"fcacrawler.commands.{words[0]}").Command()
    command.settings = Settings()
    command.add_options(parser)
    given, rest = parser.parse_known_args(words[1:])
    assert not [word for word in rest if word.startswith("-")]
    arguments = {setting.argument for setting in declared()}
    assert {pair.partition("=")[0] for pair in getattr(given, "spargs", None) or []} <= arguments
    names = {pair.partition("=")[0] for pair in given.set}
    assert {name for name in names if name.startswith("FCA_")} <= {setting.name for setting in declared()}


def test_every_extra_and_every_volume_is_declared() -> None:
    services = COMPOSE["services"]
    extras = {s["build"]["args"]["EXTRAS"] for s in services.values() if "args" in s.get("build", {})}
    assert extras == {"redis", "pise"} <= EXTRAS.keys()
    assert {v.partition(":")[0] for s in services.values() for v in s["volumes"]} == COMPOSE["volumes"].keys()
    builds = [s["build"] for s in services.values() if "build" in s]
    assert all((DEPLOY / b["context"] / b["dockerfile"]).is_file() for b in builds)
    ports = [port for s in services.values() for port in s.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)
