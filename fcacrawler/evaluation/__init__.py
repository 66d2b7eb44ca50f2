"""Crawl traces → measures, comparison, figures, report."""
