"""Orders that semrank is compared with, one a file."""
