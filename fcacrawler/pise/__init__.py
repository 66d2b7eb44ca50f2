"""PISE: one local page over all crawls in a folder: ask, crawl, search, click, mark.

Doors: ``application(folder, Doors) -> ASGI application``; ``Doors``: under which names it is asked, and by whom.

A process of its own that reads the crawls' stores and asks them over their sockets, so no crawl ever waits for it.
"""
