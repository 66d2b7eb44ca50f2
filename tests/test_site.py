"""The documents as a site: built without a warning, its links lead somewhere, the reference has all that there is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from lxml import html

from fcacrawler.app.config import declared
from tests.tracked import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    pages = {path.resolve(): html.parse(str(path)).getroot() for path in site.rglob("*.html")}
    ids = {path: {element.get("id") for element in root.iter() if element.get("id")} for path, root in pages.items()}
    wrong, looked = [], 0
    for path, root in pages.items():
        for element, _, link, _ in root.iterlinks():
            target, _, mark = link.partition("#")
            if ":" in link or path.name == "404.html" or element.tag in ("script",):
                continue
            to = (path.parent / target).resolve() if target else path
            looked += 1
            if not to.exists() or (mark and to in ids and mark not in ids[to]):
                wrong.append((path.name, link))
    assert wrong == []
    assert looked > 1000


def test_the_reference_has_all_settings_and_commands(site: Path) -> None:
    settings = (site / "reference" / "settings.html").read_text("utf-8")
    assert [s.name for s in declared() if f"<code>{s.name}</code>" not in settings] == []
    commands = (site / "reference" / "commands.html").read_text("utf-8")
    names = {path.stem for path in (ROOT / "fcacrawler/commands").glob("*.py")} - {"__init__"}
    assert [name for name in names if f'id="{name}"' not in commands] == []
