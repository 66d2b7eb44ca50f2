"""How much disk learning takes is said before it begins; a full disk is named, and what was learned stays as it was."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from fcacrawler.weblogs import LearnOptions, Room, Thresholds, learn, room_for
from fcacrawler.weblogs.room import lines_about
from tests.weblogs.conftest import SAMPLES, words_and_pairs

LINE = b"u1\t1759309201\tmotor racing\thttp://a.example/\n"


def test_lines_are_told_from_the_head_of_a_file(tmp_path: Path) -> None:
    plain, zipped = tmp_path / "log", tmp_path / "log.gz"
    plain.write_bytes(LINE * 10_000)
    zipped.write_bytes(gzip.compress(LINE * 10_000))
    assert lines_about(plain) == pytest.approx(10_000, rel=0.001)
    assert lines_about(zipped) == 10_000  # all of it is read
    assert [lines_about(path) for path in (tmp_path / "none", tmp_path)] == [0, 0]


def test_a_large_zipped_file_is_not_read_whole(tmp_path: Path) -> None:
    """Lines that differ pack as well everywhere; 65,536 bytes of 1.5 million say so."""
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(b"".join(b"u%d\t%d\tq%d\thttp://a/\n" % (i, i * 7, i * i) for i in range(100_000))))
    assert path.stat().st_size > 10 * 65_536
    assert lines_about(path) == pytest.approx(100_000, rel=0.25)


def test_room_counts_what_was_learned_before(tmp_path: Path) -> None:
    out = tmp_path / "new" / "omega.parquet"
    log = SAMPLES / "own.tsv"
    assert room_for([log], out, 1).folder == tmp_path
    learn([log], [], out, words_and_pairs, str, LearnOptions(parts=3), Thresholds())
    room = room_for([log], out, 3)
    assert room == Room(tmp_path / "new", 17 + 16, (140 + 30) * 33, room.free)


FULL = """
mount -t tmpfs -o size=8m none "$1" || exit 77
"$2" -m scrapy learn data/weblogs/own.tsv --out "$1/omega.parquet" >/dev/null || exit 78
cat "$1/omega.parquet" "$1"/omega.evidence/* | cksum
"$2" -m scrapy learn "$3" --out "$1/omega.parquet" --parts 2
echo "ended with $?"
cat "$1/omega.parquet" "$1"/omega.evidence/* | cksum
ls -A "$1"
"""


@pytest.mark.skipif(not which("unshare"), reason="no unshare, so no disk of one's own")
def test_a_full_disk_is_named_and_what_was_learned_stays(tmp_path: Path) -> None:
    log, disk = tmp_path / "log.tsv", tmp_path / "disk"
    disk.mkdir()
    rows = (f"u{i}\tword{i % 5000} more{i % 777}\thttp://a.example/{i % 9000}/{i}\n" for i in range(200_000))
    log.write_text("user\tquery\turl\n" + "".join(rows))
    done = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", FULL, "sh", disk, sys.executable, log], capture_output=True, text=True
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("no tmpfs may be mounted here")
    before, *middle, after = [line for line in done.stdout.splitlines() if not line.startswith(("omega", "."))]
    assert (middle[-1], after) == ("ended with 1", before), done.stderr
    names = done.stdout.splitlines()[-3:]
    assert names == ["omega.clicks.parquet", "omega.evidence", "omega.parquet"]
    assert "Traceback" not in done.stderr
    assert f"{disk}: its disk is full" in done.stderr
    assert "an --out on a larger disk" in done.stderr
