"""Chunks: bodies that tile the text, carried context, headers, seams and the floor."""

from pipeline.chunks.cutting import cut
from pipeline.chunks.model import Chunk, ChunkedDocument, Floor, Seam

__all__ = ["Chunk", "ChunkedDocument", "Floor", "Seam", "cut"]
