"""A folder for a topic, and what shells complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tracked import ROOT

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def fcacrawler(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fcacrawler", *words]
    return subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True)


def test_a_new_topic_is_a_folder_whose_settings_count(tmp_path: Path) -> None:
    made = fcacrawler("new", "green-tea", "--words", 'tea "green"', cwd=tmp_path)
    assert made.returncode == 0
    folder = tmp_path / "green-tea"
    topic = tomllib.loads((folder / "topic.toml").read_text("utf-8"))
    assert topic == {"words": 'tea "green"', "seeds": [], "examples": [], "avoid": []}
    with (folder / "settings.py").open("a") as file:
        file.write("FCA_GAMMA = 'much'\n")
    refused = fcacrawler("crawl", "topic.toml", cwd=folder)
    assert (refused.returncode, "FCA_GAMMA" in refused.stderr, "no seeds" in refused.stderr) == (2, True, True)
    again = fcacrawler("new", "green-tea", cwd=tmp_path)
    assert (again.returncode, "there already" in again.stderr, "Traceback" in again.stderr) == (1, True, False)


def test_a_topic_may_stand_where_a_spider_does(tmp_path: Path) -> None:
    refused = fcacrawler("crawl", "solar power", "--seeds", "nowhere.txt", "--pages", "many", cwd=tmp_path)
    assert refused.returncode == 2
    assert "seeds file nowhere.txt: no such file" in refused.stderr
    assert "pages='many'" in refused.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_a_shell_completes_is_read_by_it(shell: str, tmp_path: Path) -> None:
    script = fcacrawler("completion", shell, cwd=tmp_path).stdout
    assert "FCA_WORLD=" in script
    assert "semrank-2013" in script
    if shutil.which(shell):
        (tmp_path / "script").write_text(script)
        subprocess.run([shell, "-n", "script"], cwd=tmp_path, check=True)


def test_bash_completes_commands_options_and_arguments(tmp_path: Path) -> None:
    ask = (
        't() { COMP_WORDS=("$@"); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); _fcacrawler 2>/dev/null; '
        'echo "${COMPREPLY[*]}"; }; '
        "t fcacrawler expl; t fcacrawler crawl --see; t fcacrawler crawl -a top; t fcacrawler control paus"
    )
    script = fcacrawler("completion", "bash", cwd=tmp_path).stdout
    done = subprocess.run(["bash", "-c", script + ask], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:4] == ["explain", "--seeds", "topic=", "pause"]
