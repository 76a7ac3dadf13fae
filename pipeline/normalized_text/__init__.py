"""Any supported file becomes one exact text with typed blocks and a section tree."""

from pipeline.normalized_text.detection import HEAD_BYTES, Detected, detect
from pipeline.normalized_text.normalization import (
    expand_records,
    normalize,
    normalize_record,
    normalize_text,
)
from pipeline.normalized_text.records import Record
from pipeline.normalized_text.settings import LimitSettings, NormalizationSettings, RecordSettings

__all__ = [
    "HEAD_BYTES",
    "Detected",
    "LimitSettings",
    "NormalizationSettings",
    "Record",
    "RecordSettings",
    "detect",
    "expand_records",
    "normalize",
    "normalize_record",
    "normalize_text",
]
