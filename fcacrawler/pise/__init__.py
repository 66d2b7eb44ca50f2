"""PISE: one local page over all crawls in a folder: ask, crawl, search, click, mark.

Doors: ``application(Site) -> ASGI application``; ``Site``: the folder, and who may look at it.

A process of its own that reads the crawls' stores and asks them over their sockets, so no crawl ever waits for it.
"""
