"""What a user may say about pages that JavaScript builds."""

from __future__ import annotations

from dataclasses import dataclass

from fcacrawler.values.options import at_least, one_of, option


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """Which pages go through a browser, and what that may cost."""

    js: str = option(
        "auto",
        "pages go through a browser: auto (those that JavaScript builds, where there is a browser), never or always",
        one_of("auto", "never", "always"),
        "js",
    )
    browser: str = option("", "the browser's program (a Chromium); by default Playwright's own or the system's")
    browser_pages: int = option(2, "pages in the browser at a time", at_least(1))
    browser_seconds: float = option(20.0, "seconds that a page may take in the browser", at_least(1))
    browser_memory: int = option(
        1500, "megabytes of memory beyond which the browser is started anew (seen on Linux only)", at_least(300)
    )
