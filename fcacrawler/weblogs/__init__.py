"""Log files → click events → Ω, the lexical database. SQL in DuckDB."""
