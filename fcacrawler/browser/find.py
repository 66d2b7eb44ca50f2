"""Where the browser is: Playwright's own or the system's, without configuration."""

from __future__ import annotations

import os
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from fcacrawler.browser.options import BrowserOptions
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.extras import missing

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
REMEDY = "install one (apt install chromium, or playwright install chromium), or name it: FCA_BROWSER=PATH"
_OWN = (  # in a folder of Playwright's
    "chrome-linux*/chrome",
    "chrome-linux*/headless_shell",
    "chrome-headless-shell-*/chrome-headless-shell*",
    "chrome-mac*/*.app/Contents/MacOS/*",
    "chrome-win*/chrome.exe",
)
_APPLICATIONS = ("Google Chrome", "Chromium")  # on a Mac


def find_browser(options: BrowserOptions) -> str | None:
    """The path of a browser's program; None if there is none or none is wanted. Raises BadOptions if one is asked for
    that is not there."""
    if options.js == "never":
        return None
    found = _named(options.browser) if options.browser else _known()
    if options.js == "always" and found is None:
        raise BadOptions([f"-a js=always: there is no browser; {remedy()}"])
    return found


def _named(program: str) -> str:
    if not _has_playwright():
        raise BadOptions([f"-s FCA_BROWSER={program}: {remedy()}"])
    path = shutil.which(program)
    if path is None:
        raise BadOptions([f"-s FCA_BROWSER={program}: there is no such program"])
    return path


def _known() -> str | None:
    if not _has_playwright():
        return None
    return _own() or next(filter(None, map(shutil.which, NAMES)), None) or _application()


def _has_playwright() -> bool:
    return find_spec("scrapy_playwright") is not None


def remedy() -> str:
    """What to do where there is no browser."""
    return REMEDY if _has_playwright() else str(missing(ModuleNotFoundError(name="scrapy_playwright")))


def _own() -> str | None:
    """The newest Chromium that ``playwright install`` has put where Playwright keeps them."""
    folders = list(_home().glob("chromium*"))
    folders.sort(key=lambda folder: int(re.sub(r"\D", "", folder.name) or 0), reverse=True)
    found = (path for folder in folders for pattern in _OWN for path in folder.glob(pattern))
    return next((str(path) for path in found if os.access(path, os.X_OK)), None)


def _home() -> Path:
    if given := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        return Path.home() / "AppData" / "Local" / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"


def _application() -> str | None:
    paths = (Path(f"/Applications/{name}.app/Contents/MacOS/{name}") for name in _APPLICATIONS)
    return next((str(path) for path in paths if path.is_file()), None)
