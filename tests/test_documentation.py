"""What the documents promise is true: the configuration is valid, the example runs, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from pipeline.checks import load_checks
from pipeline.config import Config
from tests.conftest import ROOT

PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_example_configuration_is_valid_and_holds_every_setting() -> None:
    [block] = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/configuration.md").read_text(), re.DOTALL)
    example = yaml.safe_load(block)
    assert Config.model_validate(example).chunking.rules[0].name == "minutes"
    defaults = Config().model_dump(mode="json")
    for group in ("normalization", "extraction", "orchestration"):
        assert example[group] == defaults[group]
    assert example["chunking"]["fallback"] == defaults["chunking"]["fallback"]


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [block] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "[doc=" in printed and "Vantor Rail owns Gate One." in printed


def test_the_table_of_checks_is_that_of_the_folder() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", (ROOT / "docs/checks.md").read_text(), re.MULTILINE)
    documented = {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}
    assert {
        check.name: [
            check.asset,
            check.error_if if check.severity == "error" else "never",
            check.warn_if,
            "blocking" if check.blocking else "whole home" if check.scope == "home" else "",
            check.description,
        ]
        for check in load_checks()
    } == {name: cells for name, cells in documented.items() if len(cells) == 5}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name}: {target}"
