"""Bytes to a DoclingDocument, without files and without the network."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from pipeline.normalized_text.drafts import Source
from pipeline.rejections import Rejected

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument


def convert_with_docling(source: Source) -> DoclingDocument:
    """What docling reads in ``source``, by the converter of its format.

    Raises:
        Rejected: ``damaged`` with docling's reasons when it cannot read the file.
    """
    from docling.datamodel.base_models import ConversionStatus, DocumentStream, InputFormat
    from docling.document_converter import DocumentConverter

    allowed = InputFormat(source.source_format)
    converter = DocumentConverter(allowed_formats=[allowed])
    stream = DocumentStream(name=f"document.{source.source_format}", stream=io.BytesIO(source.data))
    result = converter.convert(stream, raises_on_error=False)
    if result.status not in (ConversionStatus.SUCCESS, ConversionStatus.PARTIAL_SUCCESS):
        reasons = "; ".join(error.error_message for error in result.errors)
        raise Rejected("damaged", reasons[:500] or str(result.status.value))
    return result.document
