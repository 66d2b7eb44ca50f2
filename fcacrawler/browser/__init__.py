"""Pages that JavaScript builds: which ones those are, and the browser that builds them.

Doors: ``BrowserOptions``; ``find_browser(options) -> path``; ``suspicious(body)`` and ``Look``: does a page need its
scripts, were they worth it; ``Learned``: what is known of a site's pages; ``Shown``, ``NotShown`` and
``told(stats) -> line``. Scrapy's side has files of its own: ``renderer.Renderer``, the browser, imported when the first
page needs it, and ``parts.Parts``, which answers what its pages ask for.
"""

from fcacrawler.browser.find import find_browser
from fcacrawler.browser.learned import Learned
from fcacrawler.browser.options import BrowserOptions
from fcacrawler.browser.shown import NotShown, Shown, told
from fcacrawler.browser.thin import Look, suspicious

__all__ = [
    "BrowserOptions",
    "Learned",
    "Look",
    "NotShown",
    "Shown",
    "find_browser",
    "suspicious",
    "told",
]
