"""What normalization may change, and how much of a file it accepts."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool

from pipeline.setting_types import Language, Number, Whole


class LimitSettings(BaseModel):
    """Upper bounds of one file; what exceeds them is rejected with a reason, never cut short.

    ``file_bytes`` bytes, ``tokens`` of the whole text, ``nesting`` levels of lists, quotes or elements,
    ``table_cells`` cells of one table, ``pages`` of a paged format, ``seconds_per_file`` of conversion.
    Tokens are counted only for a text with more bytes than the limit allows tokens: with the defaults, for
    no file of a text format.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    file_bytes: Whole = Field(default=64 * 1024 * 1024, gt=0)
    tokens: Whole = Field(default=64 * 1024 * 1024, gt=0)
    nesting: Whole = Field(default=200, gt=0)
    table_cells: Whole = Field(default=500_000, gt=0)
    pages: Whole = Field(default=2_000, gt=0)
    seconds_per_file: Number = Field(default=300.0, gt=0, le=86_400)


class RecordSettings(BaseModel):
    """How a row of a CSV, TSV or JSON Lines file becomes a record.

    ``key_column`` names the column that identifies a record, else the row number does. Without ``split``
    the file is one document with a block for each record.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    split: StrictBool = True
    key_column: str | None = Field(default=None, min_length=1)


class NormalizationSettings(BaseModel):
    """How bytes become the one text of a document.

    With ``bom="keep"``, ``newline="keep"`` and ``unicode_form="none"`` the text of a text format is the
    file's own, code point for code point (control characters excepted, which are always removed).
    ``language`` is that of documents that do not name theirs; either is in the metadata.
    ``encoding_confidence`` is the least confidence, 0 to 1, with which an undeclared encoding is accepted.
    ``pdf_layout`` says what finds the blocks of a PDF page: ``rules``, the layout engine of this package, or
    ``models``, docling's own, which must be installed with their weights.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    bom: Literal["drop", "keep"] = "drop"
    newline: Literal["lf", "keep"] = "lf"
    unicode_form: Literal["nfc", "nfkc", "none"] = "nfc"
    language: Language = "en"
    encoding_confidence: Number = Field(default=0.6, ge=0.0, le=1.0)
    pdf_layout: Literal["rules", "models"] = "rules"
    records: RecordSettings = RecordSettings()
    limits: LimitSettings = LimitSettings()
