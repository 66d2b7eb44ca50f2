"""A focused crawler: pages about a topic first, ranked by meaning."""

__version__ = "0.1.0"
