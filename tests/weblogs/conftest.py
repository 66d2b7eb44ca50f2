"""One way to learn in these tests: the real room, with a keyword normaliser that needs no language data."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from fcacrawler.values.omega import Omega
from fcacrawler.weblogs import LearnOptions, Thresholds, learn, links_in, load_omega

SAMPLES = Path("data/weblogs")
DEFINITION = {"keyword_users": 1, "users": 1, "pages": 1, "part_links": 1, "isa_lift": 0.0, "part_lift": 0.0}


def words_and_pairs(text: str) -> list[str]:
    """The words of a text, and each two that follow one another."""
    words = re.findall(r"\w+", text.lower())
    return list(dict.fromkeys([*words, *(f"{a} {b}" for a, b in pairwise(words))]))


@pytest.fixture
def learned(tmp_path: Path) -> Callable[..., Omega]:
    """Learn from files (into a new Ω, or into ``out``) as the definition says; thresholds by name make it stricter."""

    def run(
        *files: Path,
        links: Sequence[Path] = (),
        out: Path | None = None,
        format: str = "",
        groups: str = "given",
        **thresholds: float,
    ) -> Omega:
        out = out or tmp_path / f"omega{len(list(tmp_path.iterdir()))}.parquet"
        edges = [edge for path in links for edge in links_in(path, lambda url, body, kind: ())]
        options = LearnOptions(groups=groups, memory="500MB")
        learn(files, edges, out, words_and_pairs, str, options, Thresholds(**{**DEFINITION, **thresholds}), format)
        return load_omega(out)

    return run
