"""The one place that knows every extractor by name."""

from __future__ import annotations

from pipeline.extractions.local import LocalExtractor
from pipeline.extractions.model import Extractor
from pipeline.extractions.settings import ExtractionSettings


def build_extractor(settings: ExtractionSettings) -> Extractor:
    """The extractor that ``settings.extractor`` names. A new one is added here and to the settings."""
    match settings.extractor:
        case "local":
            return LocalExtractor(settings)
