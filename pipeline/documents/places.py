"""Where a document's file is, and what may be opened there.

A scan takes regular files alone. Later something else may stand where a file was: a link, a pipe, a device.
It is never opened, and counts as no file.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from stat import S_ISLNK, S_ISREG


@dataclass(frozen=True, slots=True)
class Place:
    """``path`` (``os.fsdecode`` form, ``/`` between its parts) below the folder ``root``. Links below
    ``root`` are followed only where the user named the file itself (``follow``)."""

    root: Path
    path: str
    follow: bool = False

    @property
    def file(self) -> str:
        """The whole path."""
        return os.path.join(self.root, self.path)  # noqa: PTH118  # called for every file

    def stat(self) -> os.stat_result:
        """What is known of the file without opening it.

        Raises FileNotFoundError where no regular file is there, and OSError where that cannot be told.
        """
        try:
            found = os.stat(self.file, follow_symlinks=self.follow)  # noqa: PTH116  # twice as fast
        except NotADirectoryError as error:
            raise self._not_there(error.strerror) from error
        if not S_ISREG(found.st_mode):
            raise self._not_there("not a regular file")
        return found

    def exists(self) -> bool:
        """Whether a regular file is there that may be opened, as far as that can be told."""
        try:
            self.stat()
            self._require_no_link()
        except OSError:
            return False
        return True

    def open(self) -> BufferedReader:
        """The file, open for reading. Raises as ``stat`` does, also where a folder on the way is a link."""
        self.stat()
        self._require_no_link()
        # What was a file a moment ago may be a pipe by now; opened like this it makes nobody wait.
        flags = os.O_RDONLY | os.O_NONBLOCK | (0 if self.follow else os.O_NOFOLLOW)
        handle = os.open(self.file, flags)
        if not S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise self._not_there("not a regular file")
        return os.fdopen(handle, "rb")

    def _require_no_link(self) -> None:
        folder = self.root
        for part in () if self.follow else self.path.split("/")[:-1]:
            folder = folder / part
            if S_ISLNK(folder.lstat().st_mode):
                raise self._not_there("in a folder that is a symbolic link")

    def _not_there(self, reason: str | None) -> FileNotFoundError:
        return FileNotFoundError(errno.ENOENT, reason, self.file)
