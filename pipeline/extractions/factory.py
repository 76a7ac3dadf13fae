"""The one place that knows every extractor by name."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from pipeline.extractions.local import LocalExtractor
from pipeline.extractions.model import Extractor
from pipeline.extractions.settings import ExtractionSettings


def missing_requirement(settings: ExtractionSettings) -> str | None:
    """What the named extractor needs and this machine lacks, with the remedy; None where nothing is missing.

    Looks without loading anything, so that a wrong name is refused before any work is done.
    """
    if not any((folder / "meta.json").is_file() for folder in _folders(settings.model)):
        default = ExtractionSettings().model
        return (
            f"extraction.model: the spaCy pipeline {settings.model!r} is not installed here; "
            f"install it, or use the default, {default!r}"
        )
    return None


def _folders(model: str) -> list[Path]:
    """Where the files of a model are: its package's folder, or the folder that it names."""
    if Path(model).is_absolute():
        return [Path(model)]
    spec = importlib.util.find_spec(model)
    return [Path(place) for place in (spec.submodule_search_locations if spec else None) or ()]


def build_extractor(settings: ExtractionSettings) -> Extractor:
    """The extractor that ``settings.extractor`` names. A new one is added here and to the settings."""
    match settings.extractor:
        case "local":
            return LocalExtractor(settings)


def prepare_extractor(settings: ExtractionSettings) -> None:
    """Load into this process what the named extractor needs, so that its first answer does not wait for it.
    Costs nothing but time; no request is made."""
    match settings.extractor:
        case "local":
            from pipeline.extractions.local.language import load_vocabulary

            load_vocabulary(settings.model)
