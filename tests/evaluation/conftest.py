"""What the tests of comparisons share."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from fcacrawler.lowlevel.compiled import kept_in


@pytest.fixture(scope="package")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder of their own, where no page is kept; but loops are compiled there already."""
    folder, loops = tmp_path_factory.mktemp("cache"), kept_in()
    if loops is not None:
        copytree(loops, folder / "fcacrawler" / "compiled")
    return folder
