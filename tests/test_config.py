"""What a configuration may not say, and how it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.config import ConfigError, load_config


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
