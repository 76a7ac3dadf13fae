"""One DuckDB file, replaced per document in one transaction."""
