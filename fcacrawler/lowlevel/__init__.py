"""Compiled loops, hashed words, numbers of names, columns."""
