"""Text of documents inside Markdown."""

from __future__ import annotations

import re
from typing import Final

_MEANINGFUL: Final = re.compile(r"([!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])")


def plain_markdown(text: str) -> str:
    """Text as Markdown that shows it as it is, on one line: no markup, no link, no HTML.

    Every ASCII punctuation mark is escaped, which Markdown allows for all of them; what cannot be printed
    is left out.
    """
    line = " ".join(text.split())
    return _MEANINGFUL.sub(r"\\\1", "".join(c for c in line if c.isprintable()))
