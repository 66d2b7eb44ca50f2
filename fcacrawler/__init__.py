"""A focused crawler: pages about a topic first, ranked by meaning."""

__version__ = "1.0.0"
