"""The corpus in four pictures: sizes of documents, seams, orphans, and what runs cost."""

from typing import Final

CORPUS_PROFILE: Final = "corpus_profile"
"""The asset's name."""
