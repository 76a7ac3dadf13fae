"""What a configuration may not say, and how it is told."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from pipeline.config import Config, ConfigError, load_config
from pipeline.home import Home

HUGE = "0x" + "f" * 5000
"""A whole number that Python reads, but does not write in digits."""


@pytest.mark.parametrize(
    ("text", "field", "says"),
    [
        ("extraction: {model: '../../x'}", "extraction.model", "name of a Python package"),
        ("extraction: {model: 'a.b'}", "extraction.model", "name of a Python package"),
        ("extraction: {model: ''}", "extraction.model", "name of a Python package"),
        (
            "extraction: {dollars_per_million_tokens: .inf}",
            "extraction.dollars_per_million_tokens",
            "less than",
        ),
        ("normalization: {limits: {seconds_per_file: .inf}}", "limits.seconds_per_file", "less than"),
        ("normalization: {limits: {seconds_per_file: 1.0e+300}}", "limits.seconds_per_file", "less than"),
        ("normalization: {encoding_confidence: .nan}", "encoding_confidence", "less than"),
        ("normalization: {records: {split: 1}}", "records.split", "valid boolean"),
        ("orchestration: {nightly: {dollars: .inf}}", "nightly.dollars", "less than"),
        ("orchestration: {nightly: {enabled: 1}}", "nightly.enabled", "valid boolean"),
        ("orchestration: {nightly: {cron: '0 0 31 2 *'}}", "nightly.cron", "never comes"),
        ("orchestration: {sensor: {settle_seconds: .nan}}", "sensor.settle_seconds", "less than"),
        ("orchestration: {sensor: {interval_seconds: 1000000000000}}", "interval_seconds", "less than"),
        ("orchestration: {sensor: {interval_seconds: true}}", "interval_seconds", "a number, found true"),
        ("orchestration: {nightly: {tokens: true}}", "nightly.tokens", "a number, found true"),
        (f"orchestration: {{nightly: {{tokens: {HUGE}}}}}", "nightly.tokens", "less than"),
        ("extraction: {dollars_per_million_tokens: true}", "tokens", "a number, found true"),
        ("chunking: {fallback: {whole_max: true}}", "whole_max", "a number, found true"),
        (f"chunking: {{fallback: {{section_max: {HUGE}}}}}", "section_max", "less than"),
        (f"chunking: {{fallback: {{name: {HUGE}}}}}", "chunking.fallback", "no strategy of this name"),
        ("chunking: {fallback: {language: ../../etc}}", "fallback.language", "code of a language"),
        ("normalization: {language: ''}", "normalization.language", "code of a language"),
        ('normalization: {language: "xx-\\n"}', "normalization.language", "code of a language"),
        ("normalization: {records: {key_column: ''}}", "records.key_column", "at least 1 character"),
    ],
)
def test_a_value_that_would_fail_later_is_refused_by_its_field(
    tmp_path: Path, text: str, field: str, says: str
) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    assert str(file) in str(caught.value) and f"{field}: " in str(caught.value) and says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('x: !!int ""', "cannot be read as int"),
        ('x: !!float ""', "cannot be read as float"),
        ("x: !!timestamp foo", "cannot be read as timestamp"),
        ("x: !!bool foo", "cannot be read as bool"),
        ("x: 9999-99-99", "cannot be read as timestamp"),
        ("x: " + "9" * 5000, "cannot be read as int"),
        ("x: 1:30", "1:30 would be read in base 60"),
        ("extraction: {}\ndocuments: {}\nextraction: {}", "the key 'extraction' stands twice"),
        ("documents:\n  exclude: [a]\n  exclude: [b]", "the key 'exclude' stands twice"),
        ("[" * 100_000, "not valid YAML"),
        ("a: &a {b: *a}", "there is no such setting"),
    ],
)
def test_a_text_that_is_no_plain_yaml_is_refused_by_its_line(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    assert str(file) in str(caught.value) and says in str(caught.value)
    assert "no such setting" in says or f"line {text.count(chr(10)) + 1}," in str(caught.value)


def test_keys_that_are_merged_are_not_twice(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    tier = "{<<: *b, whole_max: 200}"
    file.write_text(
        "chunking:\n"
        "  rules:\n"
        "  - {name: a, match: {uri: a}, strategy: &a {whole_max: 1, section_max: 5000}}\n"
        "  - {name: b, match: {uri: b}, strategy: &b {<<: *a, whole_max: 2}}\n"
        f"  fallback: {tier}\n"
    )
    fallback = load_config(file).chunking.fallback.model_dump()
    assert (fallback["whole_max"], fallback["section_max"]) == (200, 5000)


def test_every_number_among_the_settings_has_bounds_and_is_no_boolean() -> None:
    for model in _models(Config):
        for name, field in model.model_fields.items():
            kind = str(field.rebuild_annotation())
            if re.search(r"\b(int|float)\b", kind):
                assert "_no_boolean" in kind and re.search(r"\b(Le|Lt)\(", kind), (model, name)


def _models(model: type[BaseModel]) -> set[type[BaseModel]]:
    found = {model}
    waiting = [field.annotation for field in model.model_fields.values()]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found |= _models(kind)
        else:
            waiting.extend(getattr(kind, "__args__", ()))
    return found


@pytest.mark.parametrize(
    ("kind", "says"),
    [("dangling link", "No such file"), ("pipe", "not a regular file"), ("folder", "not a regular file")],
)
def test_what_is_no_file_in_the_place_of_a_homes_configuration_is_named(
    tmp_path: Path, kind: str, says: str
) -> None:
    home = Home(tmp_path)
    assert home.config() == Config()
    if kind == "pipe":
        os.mkfifo(home.config_file)
    elif kind == "folder":
        home.config_file.mkdir()
    else:
        home.config_file.symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match=f"{home.config_file}: cannot be read: {says}"):
        home.config()
