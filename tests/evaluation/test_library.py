"""The pages of a world that are kept for comparisons are those that the code of today would read."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fcacrawler
from fcacrawler.evaluation.library import RANKING, READING, code_of, state_of
from tests.worlds.warcs import write_warc

HOME = Path(fcacrawler.__file__).parent
SCRAPYS = {"commands", "downloads", "extensions", "middlewares", "spiders"}  # no comparison passes through them
OTHERS = {"browser", "engines", "formats", "search", "pise"}  # nor through these


def test_every_room_is_one_that_a_comparison_depends_on_or_scrapys() -> None:
    rooms = {f.name for f in HOME.iterdir() if f.is_dir() and f.name != "__pycache__"}
    assert rooms == {*RANKING} | SCRAPYS | OTHERS


def test_what_reads_a_page_of_a_world_stands_in_rooms_that_the_library_depends_on() -> None:
    code = "import sys, fcacrawler.evaluation.web; print(*(m for m in sys.modules if m.startswith('fcacrawler.')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME.parent, capture_output=True, text=True, check=True)
    assert {module.split(".")[1] for module in done.stdout.split()} <= {*READING}


@pytest.mark.parametrize("room", RANKING)
def test_a_changed_constant_in_a_room_makes_another_digest(room: str, tmp_path: Path) -> None:
    shutil.copytree(HOME / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__", "data"))
    before = [code_of(rooms, tmp_path) for rooms in (READING, RANKING)]
    file = max((tmp_path / room).rglob("*.py"), key=lambda f: f.stat().st_size)
    file.write_text(file.read_text("utf-8") + "\nCONSTANT = 2\n", "utf-8")
    after = [code_of(rooms, tmp_path) for rooms in (READING, RANKING)]
    assert [a != b for a, b in zip(after, before, strict=True)] == [room in READING, True]


def test_a_jobdir_with_a_recording_stays_the_same_world_while_its_store_changes(tmp_path: Path) -> None:
    write_warc(tmp_path / "pages.warc.gz", {"http://a.test/": "page"})
    before = state_of(str(tmp_path))
    (tmp_path / "crawl.sqlite").write_text("a store")
    assert state_of(str(tmp_path)) == before
    (tmp_path / "labels.tsv").write_text("url\ttopic\nhttp://a.test/\tgolf\n")
    assert state_of(str(tmp_path)) != before
