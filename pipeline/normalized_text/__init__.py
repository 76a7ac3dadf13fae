"""Any supported file becomes one exact text with typed blocks and a section tree."""

from pipeline.normalized_text.detection import Detected, detect
from pipeline.normalized_text.normalization import normalize, normalize_text
from pipeline.normalized_text.settings import LimitSettings, NormalizationSettings

__all__ = ["Detected", "LimitSettings", "NormalizationSettings", "detect", "normalize", "normalize_text"]
