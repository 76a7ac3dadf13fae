"""Settings of the documents stage."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class AccessRule(BaseModel):
    """Labels for the documents whose id matches a glob (case-respecting)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    uri: str = Field(description="Glob over document ids, e.g. 'handbook/people/*'.")
    labels: tuple[str, ...]


class DocumentSettings(BaseModel):
    """Which files of a source are taken, and what is noted about them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    exclude: tuple[str, ...] = Field(default=(), description="Globs over relative paths that are left out.")
    access: tuple[AccessRule, ...] = Field(
        default=(), description="Access labels by glob; all that match count."
    )
