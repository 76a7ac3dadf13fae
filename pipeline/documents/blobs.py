"""Original bytes, kept by their SHA-256, so that a citation of an old version still leads to its file."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from pipeline.documents.keys import storable


class BlobFolder:
    """A content-addressed folder: ``<first two hex digits>/<sha256>``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, version: str) -> Path:
        """Where the bytes of a version are kept."""
        return self.folder / version[:2] / version

    def has(self, version: str) -> bool:
        """Whether the bytes of a version are kept, as far as that can be told."""
        return os.path.exists(self.path(version))  # noqa: PTH110  # Path.exists raises where it may not look

    def refusal(self, error: OSError) -> str:
        """What to say where ``put`` could not keep some bytes."""
        return f"the home cannot keep its bytes: {storable(str(self.folder))}: {error.strerror or error}"

    def put(self, data: bytes) -> str:
        """Keep some bytes and return their version. Atomic: a blob that exists is whole.

        Raises OSError where the folder cannot take them.
        """
        version = hashlib.sha256(data).hexdigest()
        target = self.path(version)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=target.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(temporary).replace(target)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        return version

    def get(self, version: str) -> bytes:
        """The bytes of a version. Raises FileNotFoundError where it was never kept."""
        return self.path(version).read_bytes()
