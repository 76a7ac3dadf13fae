"""A layout engine for PDF pages: words and rules in, blocks in reading order out; no model is needed."""
