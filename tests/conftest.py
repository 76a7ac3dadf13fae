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
