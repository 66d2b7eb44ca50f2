"""What is committed of the project, copied to where building leaves nothing behind."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
NEEDED = ("fcacrawler", "setup.py", "pyproject.toml", "scrapy.cfg", "README.md", "LICENSE")


def tracked(under: str = ".") -> list[str]:
    """Paths of files, those too that are about to be committed."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", under]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


def copy_project(folder: Path) -> None:
    for name in tracked():
        if name.split("/")[0] in NEEDED or name.startswith("requirements"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
