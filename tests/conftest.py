"""Fixtures that every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A property that fails must fail again: no clock and no chance decides.
settings.register_profile(
    "reproducible", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("reproducible")

ROOT = Path(__file__).resolve().parents[1]
LONG = (
    "test_daemon_changes",
    "test_daemon",
    "test_daemon_parallel",
    "test_concurrency",
    "test_kill",
    "test_ui",
    "test_ingest",
    "test_sensor",
    "test_cli",
    "test_staleness",
    "test_lineage",
    "test_quarantine",
    "test_invariants",
)
"""Modules that take long, in the order in which they start."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long modules first, so that no worker is left alone with one at the end."""
    places = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(LONG)))


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of shared gold data and cases; the test is skipped where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is absent")
    return folder


@pytest.fixture(scope="session")
def cases_dir(shared_dir: Path) -> Path:
    """The folder of real failures kept as inputs."""
    return shared_dir / "cases"


@pytest.fixture(scope="session")
def handbook_dir() -> Path:
    """The bundled example corpus."""
    return ROOT / "examples" / "handbook"
