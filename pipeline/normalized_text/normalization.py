"""The stage's entry: bytes of any supported file, or a text, to one exact text with typed blocks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from pipeline.characters import one_line
from pipeline.normalized_text.assembly import assemble
from pipeline.normalized_text.cleaning import BYTE_ORDER_MARK, clean
from pipeline.normalized_text.conversion import convert_isolated
from pipeline.normalized_text.decoding import Decoded, decode
from pipeline.normalized_text.detection import detect
from pipeline.normalized_text.drafts import Parsed, Source
from pipeline.normalized_text.memory import without_collection
from pipeline.normalized_text.model import NormalizedText, Warning
from pipeline.normalized_text.records import Record, Records, read_records, write_record
from pipeline.normalized_text.registry import FORMATS, LOADERS, Loader
from pipeline.normalized_text.rendering import TextBuilder
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.rejections import Rejected


def normalize(
    data: bytes, *, document_id: str, file_name: str, settings: NormalizationSettings
) -> NormalizedText:
    """The text of a file with its typed blocks and section tree.

    The loader is chosen by content and extension. ``metadata`` holds what the file says of itself (title,
    author, dates, front matter) and how it was read (``encoding``, ``bom``, ``newline``, ``unicode_form``).

    Raises:
        Rejected: with the reason for which the file cannot become a document; see ``pipeline.rejections``.
    """
    _require_size(data, settings)
    loader_name, source_format = detect(file_name, data)
    if not data:
        raise Rejected("empty", "no bytes")
    loader = LOADERS[loader_name]
    file_name = one_line(file_name)
    title = PurePosixPath(file_name).stem
    if not loader.is_text:
        source = Source(data, "", file_name, source_format)
        return _finish(loader, source, document_id, settings, (), title, {})
    decoded = decode(data, minimum_confidence=settings.encoding_confidence, markup=loader.has_markup_encoding)
    text, warnings = clean(decoded.text, settings)
    source = Source(data, text, file_name, source_format)
    reading = _reading(settings) | {"encoding": decoded.encoding}
    return _finish(loader, source, document_id, settings, (*_guessed(decoded), *warnings), title, reading)


def expand_records(data: bytes, *, file_name: str, settings: NormalizationSettings) -> Records:
    """The records of a CSV, TSV or JSON Lines file, in order; empty for any other file.

    Raises:
        Rejected: as ``normalize``.
    """
    _require_size(data, settings)
    loader_name, source_format = detect(file_name, data)
    if loader_name != "records":
        return Records()
    decoded = decode(data, minimum_confidence=settings.encoding_confidence)
    text, _ = clean(decoded.text, settings)
    return read_records(text, source_format, settings.records)


def normalize_record(
    record: Record, *, document_id: str, source_format: str, settings: NormalizationSettings
) -> NormalizedText:
    """One record as a document of family ``record``; its title is its key."""
    builder = TextBuilder(settings)
    write_record(record, builder)
    parsed = Parsed(
        builder.text,
        builder.drafts,
        record.key,
        {"row": str(record.row)} if record.row else {},
        family="record",
        has_lines=False,
    )
    return assemble(
        parsed,
        document_id=document_id,
        loader="records",
        source_format=source_format,
        settings=settings,
        reading=_reading(settings),
    )


def normalize_text(
    text: str,
    *,
    source_format: str = "markdown",
    document_id: str,
    title: str | None = None,
    settings: NormalizationSettings,
) -> NormalizedText:
    """Like ``normalize`` for characters already in hand; ``source_format`` names a text format.

    Raises:
        Rejected: ``unsupported`` for an unknown or binary format, else as ``normalize``.
    """
    loader = FORMATS.get(source_format)
    if loader is None or not loader.is_text:
        raise Rejected("unsupported", f"{source_format} is no text format")
    cleaned, warnings = clean(text, settings)
    source = Source(b"", cleaned, "", source_format)
    return _finish(loader, source, document_id, settings, warnings, title, _reading(settings))


def _require_size(data: bytes, settings: NormalizationSettings) -> None:
    if len(data) > settings.limits.file_bytes:
        raise Rejected("too_large", f"{len(data)} bytes, more than {settings.limits.file_bytes}")


def _finish(
    loader: Loader,
    source: Source,
    document_id: str,
    settings: NormalizationSettings,
    warnings: tuple[Warning, ...],
    title: str | None,
    reading: dict[str, str],
) -> NormalizedText:
    if loader.is_text and not source.text.strip():
        raise Rejected("empty", "no text")
    with without_collection():
        document = assemble(
            _load(loader, source, settings),
            document_id=document_id,
            loader=loader.name,
            source_format=source.source_format,
            settings=settings,
            warnings=warnings,
            fallback_title=title,
            reading=reading,
        )
    _require_tokens(document.text, settings)
    return document


def _require_tokens(text: str, settings: NormalizationSettings) -> None:
    # A token is at least one byte, so most texts need no count.
    limit = settings.limits.tokens
    if len(text) > limit or len(text.encode("utf-8", "surrogatepass")) > limit:
        from pipeline.tokens import count_tokens

        tokens = count_tokens(text)
        if tokens > limit:
            raise Rejected("too_many_tokens", f"{tokens} tokens, more than {limit}")


def _load(loader: Loader, source: Source, settings: NormalizationSettings) -> Parsed:
    if loader.is_isolated:
        return convert_isolated(loader.name, source, settings)
    if not source.text.startswith(BYTE_ORDER_MARK):
        return loader.load(source, settings)
    # A kept byte-order mark would hide a heading or a delimiter: it is put back after parsing.
    parsed = loader.load(replace(source, text=source.text[1:]), settings)
    return parsed.shifted(BYTE_ORDER_MARK)


def _reading(settings: NormalizationSettings) -> dict[str, str]:
    return {"bom": settings.bom, "newline": settings.newline, "unicode_form": settings.unicode_form}


def _guessed(decoded: Decoded) -> tuple[Warning, ...]:
    if decoded.confidence == 1.0 and decoded.encoding.startswith("utf"):
        return ()
    return (Warning("guessed_encoding", f"{decoded.encoding} with confidence {decoded.confidence:.2f}"),)
