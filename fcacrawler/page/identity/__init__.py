"""Which URLs and which pages are the same."""
