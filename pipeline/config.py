"""The configuration of a home: one YAML file, every field optional, unknown fields refused."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.chunk_plans.settings import CHONKIE, ChunkingSettings
from pipeline.documents.settings import DocumentSettings
from pipeline.extractions.settings import ExtractionSettings
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.orchestration.settings import OrchestrationSettings
from pipeline.yaml_files import YamlError, read_yaml

PLAIN_WORDS: Final = {
    "extra_forbidden": "there is no such setting",
    "tuple_type": "expected a list: [a, b]",
    "union_tag_invalid": f"there is no strategy of this name; known: tier, {', '.join(CHONKIE)}",
}
"""What pydantic says in words of its own trade."""
KINDS: Final = ("tier", "chonkie")
"""Parts of pydantic's paths that are in no file: which kind of strategy some settings were taken for."""


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names the file, the field and what is wrong."""


class Config(BaseModel):
    """All settings: one group for each stage that has any, and one for how they are run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    documents: DocumentSettings = DocumentSettings()
    normalization: NormalizationSettings = NormalizationSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    extraction: ExtractionSettings = ExtractionSettings()
    orchestration: OrchestrationSettings = OrchestrationSettings()


def load_config(path: Path) -> Config:
    """Read a YAML file. Raises ConfigError, with one line for each field that is wrong."""
    return parse_config(read_config(path), path)


def read_config(path: Path) -> str:
    """The text of a configuration file. Raises ConfigError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error


def require_regular(path: Path) -> None:
    """Raise ConfigError for what is there and no file: reading a pipe would wait for ever.

    For the files inside of a home; one that a user names may be a pipe.
    """
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path}: cannot be read: not a regular file")


def parse_config(text: str, path: Path) -> Config:
    """The configuration that the text of the file ``path`` holds. Raises ConfigError, as load_config does."""
    try:
        data = read_yaml(text)
    except YamlError as error:
        raise ConfigError(f"{path}: {error}") from error
    data = {} if data is None else data
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: expected a mapping of settings, found {type(data).__name__}")
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        lines = [
            f"  {'.'.join(str(part) for part in item['loc'] if part not in KINDS)}: "
            f"{PLAIN_WORDS.get(item['type'], item['msg']).removeprefix('Value error, ')}"
            for item in error.errors()
        ]
        raise ConfigError(f"{path}: not a valid configuration\n" + "\n".join(lines)) from error
