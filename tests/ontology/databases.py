"""Databases to learn from: SQLite files, and a PostgreSQL server of our own on a socket."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

SHOP = files("fcacrawler.ontology").joinpath("shop.sql").read_text(encoding="utf-8")


def sqlite(folder: Path, sql: str = SHOP, name: str = "shop.db") -> str:
    """A database file with these tables; its URL."""
    connection = sqlite3.connect(folder / name)
    connection.executescript(sql)
    connection.close()
    return f"sqlite:///{folder / name}"


def find_postgres() -> Path | None:
    """The folder of the server's programs: on the PATH, or where Debian keeps them."""
    on_path = shutil.which("initdb")
    places = [Path(on_path).parent] if on_path else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return places[-1] if places else None


def start_postgres(folder: Path) -> Iterator[str]:
    """A server without a port, its data in the folder; the URL of its database. It may not run as root."""
    programs = find_postgres()
    if programs is None:
        reason = "no PostgreSQL here: apt-get install postgresql"
        pytest.fail(reason) if "CI" in os.environ else pytest.skip(reason)
    run_as = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
    if run_as:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"

    def run(*command: str) -> None:
        subprocess.run([*run_as, *command], check=True, cwd=folder, capture_output=True, timeout=120)

    run(f"{programs}/initdb", "-D", str(data), "-A", "trust", "-U", "tester", "-E", "UTF8", "--locale=C", "-N")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    run(f"{programs}/pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://tester@/postgres?host={folder}"
    finally:
        run(f"{programs}/pg_ctl", "-D", str(data), "-m", "immediate", "stop")
