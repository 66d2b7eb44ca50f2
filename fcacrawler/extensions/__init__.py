"""Scrapy's extensions of this project, one a file."""
