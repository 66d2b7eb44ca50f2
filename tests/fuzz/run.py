"""Fuzzes one target with atheris (``pip install atheris``), from the corpus and back into it.

python tests/fuzz/run.py page 300       # seconds; what breaks a promise is left in out/fuzz
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SLOW = [  # read lists of words
    "fcacrawler.page.text.background",
    "fcacrawler.page.html.charsets",
    "fcacrawler.page.text.segment",
]
