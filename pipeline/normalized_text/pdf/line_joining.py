"""Lines of a paragraph become one text; words broken at a line's end are joined again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_BROKEN = re.compile(r"(\w*[^\W\d_])[-\u00ad\u2010]$")
_REST = re.compile(r"[^\W\d_]\w*")


class WordForms:
    """The words of a document as they stand inside of lines: they tell whether a hyphen is a word's own."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: set[str] = set()
        for line in lines:
            self._words.update(word.lower() for word in re.findall(r"\w+(?:-\w+)*", line))

    def keeps_hyphen(self, start: str, rest: str) -> bool:
        """Whether ``start-rest`` is a compound of this document rather than a broken word."""
        compound, whole = f"{start}-{rest}".lower(), f"{start}{rest}".lower()
        return compound in self._words and whole not in self._words


def join_lines(lines: Sequence[str], forms: WordForms) -> str:
    """The lines with single spaces between them.

    A hyphen at a line's end is dropped with the break when a lower-case letter follows, unless the
    document writes the compound with its hyphen elsewhere. A soft hyphen is always dropped.
    """
    text = lines[0] if lines else ""
    for line in lines[1:]:
        broken, rest = _BROKEN.search(text), _REST.match(line)
        if broken is None or rest is None or not rest[0][0].islower():
            text = f"{text} {line}"
        elif text[-1] != "\u00ad" and forms.keeps_hyphen(broken[1], rest[0]):
            text += line
        else:
            text = text[:-1] + line
    return text.replace("\u00ad", "")
