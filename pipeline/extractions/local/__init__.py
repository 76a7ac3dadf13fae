"""The extractor that needs no key and no network: a small parser and patterns over its trees."""

from pipeline.extractions.local.extractor import LocalExtractor, code_version

__all__ = ["LocalExtractor", "code_version"]
