"""The header in front of a chunk: where it stands, and the names it refers to but does not contain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.chunk_plans.settings import HeaderSettings
from pipeline.tokens import TokenCounter

_BLANK = re.compile(r"\s+")
_LONGEST_TITLE, _LONGEST_DOCUMENT = 80, 160
"""Code points of a title; a longer one is cut, for a header must stay small."""
_FRAME = 7
"""Tokens of `` | antecedents=`` with the shortest name."""


@dataclass(frozen=True, slots=True)
class Header:
    """The text, its tokens, and the names that found room in it."""

    text: str
    tokens: int
    antecedents: tuple[str, ...]


class HeaderWriter:
    """Writes the headers of one document: ``[doc=… | path=A > B | section=B | parent=A | antecedents=…]``.

    Args:
        document_id: names the document.
        title: its title, None where it has none.
        settings: bounds of a header in tokens and of its names.
        counter: the tokenizer.
    """

    def __init__(
        self, document_id: str, title: str | None, settings: HeaderSettings, counter: TokenCounter
    ) -> None:
        self.document_id = _line(document_id, _LONGEST_DOCUMENT)
        self.title = title or document_id
        self.settings = settings
        self.counter = counter
        self._place = lru_cache(maxsize=256)(self._write_place)
        self._tokens = lru_cache(maxsize=256)(counter.count)

    def write(
        self, path: Sequence[str], parent: str | None, antecedents: Sequence[str], chunk_tokens: int
    ) -> Header:
        """The header of a chunk.

        It has at most ``max_tokens`` and no more than ``chunk_tokens``, the tokens of what it introduces
        (the document's name aside): outer titles go first, then names.

        Args:
            path: titles from the outermost section to the chunk's own.
            parent: title of the parent chunk's section, if there is a parent chunk.
            antecedents: names, the most useful first; one that stands in the titles is not said again.
        """
        limit = min(self.settings.max_tokens, max(chunk_tokens, 1))
        place = self._place(tuple(path), parent, limit)
        named = [_line(name, _LONGEST_TITLE) for name in antecedents if name not in place]
        names = named[: self.settings.max_antecedents]
        room = limit - self._tokens(place)
        if room < _FRAME:
            names = []
        while names:
            text = f"{place[:-1]} | antecedents={', '.join(names)}]"
            tokens = self.counter.count(text)
            if tokens <= limit:
                return Header(text, tokens, tuple(names))
            # Few names are longer than six tokens: drop what that many could take, one at least.
            names = names[: max(0, len(names) - max(1, (tokens - limit) // 6))]
        return Header(place, self._tokens(place), ())

    def _write_place(self, path: tuple[str, ...], parent: str | None, limit: int) -> str:
        """Everything but the names. A path that starts with the document's title says it once."""
        titles = [_line(title, _LONGEST_TITLE) for title in path if title.strip()]
        title = _line(self.title, _LONGEST_DOCUMENT)
        above = f" | parent={_line(parent, _LONGEST_TITLE)}" if parent else ""
        if titles and path[0] == self.title:
            place = f"[doc={self.document_id} | path={' > '.join(titles)} | section={titles[-1]}{above}]"
            if titles[0] == title and self.counter.count(place) <= limit:
                return place
            titles, shown = titles[1:], " > ".join(titles[1:])
        else:
            shown = " > ".join(titles)
        while titles:
            place = f"[doc={title} | path={shown} | section={titles[-1]}{above}]"
            if self.counter.count(place) <= limit:
                return place
            titles = titles[1:]
            shown = f"… > {' > '.join(titles)}"
        return f"[doc={title}]"


def _line(title: str, longest: int) -> str:
    """One line, without the marks that structure a header, cut where it is too long."""
    line = _BLANK.sub(" ", title).strip().replace("[", "(").replace("]", ")").replace("|", "/")
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
