"""The header in front of a chunk: where it stands, and the names it refers to but does not contain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.chunk_plans.settings import HeaderSettings
from pipeline.tokens import TokenCounter

_BLANK = re.compile(r"\s+")
_LONGEST_TITLE = 80
"""Code points of one title; a longer one is cut, for a header must stay small."""


@dataclass(frozen=True, slots=True)
class Header:
    """The text, its tokens, and the names that found room in it."""

    text: str
    tokens: int
    antecedents: tuple[str, ...]


def build_header(
    document: str,
    path: Sequence[str],
    parent: str | None,
    antecedents: Sequence[str],
    body_tokens: int,
    settings: HeaderSettings,
    counter: TokenCounter,
) -> Header:
    """``[doc=… | path=A > B | section=B | parent=A | names=…]`` within its bounds.

    Args:
        document: title of the document, else its id.
        path: titles from the outermost section to the chunk's own.
        parent: title of the parent chunk's section, if there is a parent chunk.
        antecedents: names, the most useful first.
        body_tokens: tokens of the chunk; a header is never larger than what it introduces, the document's
            name aside.
        settings: ``max_tokens`` and ``max_antecedents``.
        counter: the tokenizer.
    """
    limit = min(settings.max_tokens, max(body_tokens, 1))
    titles = [_title(title) for title in path if title.strip()]
    head = f"doc={_title(document)}"
    fields = [head]
    if titles:
        fields.append(f"path={' > '.join(titles)}")
        fields.append(f"section={titles[-1]}")
    if parent:
        fields.append(f"parent={_title(parent)}")
    while counter.count(_bracketed(fields)) > limit and len(fields) > 1:
        if len(titles) > 1:  # outer titles are the first to go
            titles = titles[1:]
            fields = [head, f"path=… > {' > '.join(titles)}", *fields[2:]]
        else:
            titles = []
            fields = fields[:-1]
    names: tuple[str, ...] = ()
    for name in antecedents[: settings.max_antecedents]:
        longer = (*names, _title(name))
        if counter.count(_bracketed([*fields, _names_field(longer)])) > limit:
            break
        names = longer
    if names:
        fields.append(_names_field(names))
    text = _bracketed(fields)
    return Header(text=text, tokens=counter.count(text), antecedents=names)


def _names_field(names: Sequence[str]) -> str:
    return f"antecedents={', '.join(names)}"


def _bracketed(fields: Sequence[str]) -> str:
    return f"[{' | '.join(fields)}]"


def _title(title: str) -> str:
    """One line, without the marks that structure a header, cut where it is too long."""
    line = _BLANK.sub(" ", title).strip().replace("[", "(").replace("]", ")").replace("|", "/")
    return line if len(line) <= _LONGEST_TITLE else line[: _LONGEST_TITLE - 1].rstrip() + "…"
