"""Chunks: bodies that tile the text, carried context, headers, seams and the floor."""
