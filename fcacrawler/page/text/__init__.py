"""A text → words, keywords, vectors."""
