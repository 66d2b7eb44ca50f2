"""The bytes of a response → a page."""
