"""Draws the pictures of docs/use/tutorial.md, from what its commands print on the demo web.

python docs/use/pictures.py
"""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

ROOT = Path(__file__).parents[2]
WIDTH = 100


def run(line: str, folder: Path) -> str:
    """What a user sees who types it in this folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": str(WIDTH), "FCA_WORLD": "demo", "FCA_JS": "never"}
    words = [sys.executable, "-m", *shlex.split(line)]
    done = subprocess.run(words, cwd=folder, env=environment, stdout=-1, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def picture(name: str, folder: Path, *lines: str, most: int = 100) -> None:
    console = Console(record=True, width=WIDTH, force_terminal=True, file=io.StringIO())
    for line in lines:
        console.print(f"[bold]$ {line.replace('[', chr(92) + '[')}[/]", highlight=False)
        told = [shown for shown in run(line, folder).splitlines() if "compil" not in shown]
        console.print("\n".join(told[:most]), highlight=False, markup=False)
    console.save_svg(str(ROOT / "docs" / "use" / f"{name}.svg"), title="fcacrawler")


def main() -> None:
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        run("fcacrawler new golf", folder)
        golf = folder / "golf"
        picture("tutorial-crawl", golf, "fcacrawler crawl topic.toml --job job --pages 300 -s FCA_WORLD=demo")
        items = map(json.loads, run("fcacrawler export job --relevant", golf).splitlines())
        found = next(item for item in items if len(item["path"]) > 1)
        picture("tutorial-search", golf, 'fcacrawler search job "who won the championship" -n 3')
        picture("tutorial-explain", golf, f"fcacrawler explain {found['url']} --job job")
        drawn = ROOT / "docs" / "use" / "tutorial-map.svg"
        run(f"fcacrawler draw topic job -o {drawn}", golf)


if __name__ == "__main__":
    main()
