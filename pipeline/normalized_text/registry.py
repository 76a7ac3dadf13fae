"""Loaders by name, and the import that each of them costs only when it is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from pipeline.normalized_text.drafts import Parsed, Source
from pipeline.normalized_text.settings import NormalizationSettings

_PACKAGE = "pipeline.normalized_text.loaders"


@dataclass(frozen=True, slots=True)
class Loader:
    """A loader by name.

    ``formats`` maps each source format it reads to the extensions of that format. The loader's module in
    ``loaders`` offers ``load(source, settings)`` and is imported on first use. Files of ``is_text`` loaders
    are decoded and cleaned beforehand; ``has_markup_encoding`` ones may declare their encoding themselves.
    ``is_isolated`` loaders run in a process of their own, because a converter may hang or die.
    """

    name: str
    formats: dict[str, tuple[str, ...]]
    is_text: bool = True
    has_markup_encoding: bool = False
    is_isolated: bool = False

    def load(self, source: Source, settings: NormalizationSettings) -> Parsed:
        """Parse ``source``; raises ``Rejected`` where it cannot become a document."""
        function: Callable[[Source, NormalizationSettings], Parsed]
        function = import_module(f"{_PACKAGE}.{self.name}").load
        return function(source, settings)


LOADERS: dict[str, Loader] = {
    loader.name: loader
    for loader in (
        Loader("markdown", {"markdown": ("md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd")}),
        Loader("text", {"text": ("txt", "text", "log", "rst")}),
        Loader("html", {"html": ("html", "htm", "xhtml")}, has_markup_encoding=True),
        Loader("asciidoc", {"asciidoc": ("adoc", "asciidoc", "asc")}),
        Loader("records", {"csv": ("csv",), "tsv": ("tsv", "tab"), "jsonl": ("jsonl", "ndjson")}),
        Loader("chat", {"chat": (), "transcript": ()}),
        Loader(
            "office", {name: (name,) for name in ("docx", "pptx", "xlsx")}, is_text=False, is_isolated=True
        ),
        Loader("pdf", {"pdf": ("pdf",)}, is_text=False, is_isolated=True),
    )
}

FORMATS: dict[str, Loader] = {
    source_format: loader for loader in LOADERS.values() for source_format in loader.formats
}

EXTENSIONS: dict[str, str] = {
    extension: source_format
    for loader in LOADERS.values()
    for source_format, extensions in loader.formats.items()
    for extension in extensions
}
