"""Scrapy's middlewares of this project, one a file."""
