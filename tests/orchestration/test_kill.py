"""An ingest that is killed leaves nothing half done: run again, it ends in the same tables."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from pipeline.home import Home
from tests.orchestration.conftest import digest

ROOT = Path(__file__).resolve().parents[2]
KILLS = 5


def _start(files: list[Path], home: Home) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pipeline.cli.main", "ingest", *map(str, files)]
    return subprocess.Popen(
        [*command, "--home", str(home.folder), "--json"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def test_five_kills_and_a_last_run_give_the_tables_of_one_clean_run(
    tmp_path: Path, handbook_dir: Path
) -> None:
    files = sorted(handbook_dir.rglob("*.md"))[:12]
    clean, killed = Home(tmp_path / "clean"), Home(tmp_path / "killed")
    begun = time.monotonic()
    assert _start(files, clean).wait(300) == 0
    duration = time.monotonic() - begun

    for number in range(KILLS):
        # Moments spread over a whole run: before the first table, between assets, within extraction.
        process = _start(files, killed)
        time.sleep(duration * (number + 1) / (KILLS + 1))
        os.killpg(process.pid, signal.SIGKILL) if number % 2 else process.kill()
        process.wait()
    assert _start(files, killed).wait(300) == 0
    assert digest(killed.store()) == digest(clean.store())
