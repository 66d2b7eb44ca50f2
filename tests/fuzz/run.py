"""Fuzzes one target with atheris (``pip install atheris``), from the corpus and back into it.

python tests/fuzz/run.py page 300       # seconds; what breaks a promise is left in out/fuzz
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SLOW = ["fcacrawler.page.background", "fcacrawler.page.charsets", "fcacrawler.page.segment"]  # read lists of words


def main(name: str, seconds: str, *more: str) -> None:
    import atheris  # no part of what tests need: they collect this file too

    sys.path.insert(0, str(ROOT))
    with atheris.instrument_imports(include=["fcacrawler"], exclude=SLOW):
        from tests.fuzz.targets import TARGETS
    found = ROOT / "out" / "fuzz" / name
    found.mkdir(parents=True, exist_ok=True)
    limits = (
        f"-max_total_time={seconds}",
        "-max_len=4096",
        "-timeout=60",
        "-rss_limit_mb=4096",
        "-print_final_stats=1",
    )
    folders = (str(found), str(HERE / "corpus" / name))
    atheris.Setup([sys.argv[0], *folders, *limits, f"-artifact_prefix={found}-", *more], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
