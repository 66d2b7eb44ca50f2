"""A browser is needed: absent, its tests are skipped at a desk and fail in CI."""

import os

import pytest

from fcacrawler.browser import BrowserOptions, find_browser
from fcacrawler.browser.find import REMEDY


@pytest.fixture(scope="session")
def chromium() -> str:
    found = find_browser(BrowserOptions())
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no browser: {REMEDY}")
    return found
