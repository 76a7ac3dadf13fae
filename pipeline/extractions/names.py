"""The normalized form under which two surfaces count as the same written name."""

from __future__ import annotations

import re
import unicodedata

_ARTICLE = re.compile(r"(?:the|an?) (?=\S)")
_MARKUP = re.compile(r"\*+|`+|~~")
_QUOTES = "\"'“”‘’«»„‚"
_EDGES = _QUOTES + " .,;:!?()[]{}"
_POSSESSIVE = ("'s", "’s")


def normalize_name(surface: str) -> str:
    """NFKC and case folded; blanks, emphasis marks, outer quotes and a leading article removed.

    A surface of nothing but marks keeps them, so that no name is ever empty unless the surface is blank.
    Idempotent: a normalized name is its own normalized form.
    """
    name = _fold(surface)
    while True:
        slimmer = _fold(_slim(name))
        if slimmer == name:
            return name
        name = slimmer


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())


def _slim(name: str) -> str:
    slim = _MARKUP.sub("", name).strip(_EDGES)
    for ending in _POSSESSIVE:
        slim = slim.removesuffix(ending)
    match = _ARTICLE.match(slim)
    slim = slim[match.end() :] if match else slim
    return slim if slim.strip() else name
