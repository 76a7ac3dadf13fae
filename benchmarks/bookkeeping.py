"""What a document costs besides its reading: ingest tiny documents with an extractor that costs nothing.

    python -m benchmarks.bookkeeping [COUNT ...]

Prints one Markdown table: CPU and wall milliseconds a document for the first ingest, those of the extractions
step, seconds of an ingest that adds one document and of one that changes nothing, and the peak memory.
Everything runs in this process.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from pipeline.home import Home
from pipeline.orchestration.ingest import IngestReport, ingest
from pipeline.orchestration.instance import open_instance
from pipeline.orchestration.resources import Extractors
from pipeline.workers import Workers
from tests.orchestration.own_sentences import OwnSentences

COUNTS: Final = (250, 1000, 5000)


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", type=int, nargs="*", default=list(COUNTS))
    sys.stdout.write(
        "| documents | CPU ms a document | wall ms | of it extractions | one more (s) | nothing (s) | MiB |\n"
        "|---|---|---|---|---|---|---|\n"
    )
    for count in parser.parse_args().counts:
        with tempfile.TemporaryDirectory(prefix="bookkeeping-") as folder:
            sys.stdout.write(f"{_measure(Path(folder), count)}\n")
            sys.stdout.flush()


def _measure(folder: Path, count: int) -> str:
    documents, home = folder / "documents", Home(folder / "home")
    documents.mkdir()
    for number in range(count):
        says = f"Vantor Rail owns Gate {number}. Gate {number} leads to Hall {number % 17}."
        text = f"# Note {number}\n\n{says}\n"
        (documents / f"note-{number:05}.md").write_text(text, encoding="utf-8")
    cpu, started = time.process_time(), time.monotonic()
    report = _ingest(home, documents)
    seconds, cpu = time.monotonic() - started, time.process_time() - cpu
    extractions = _step_seconds(home, report.run_ids[0], "extractions")
    (documents / "one-more.md").write_text("# New\n\nVantor Rail owns Tower One.\n", encoding="utf-8")
    started = time.monotonic()
    _ingest(home, documents)
    one_more = time.monotonic() - started
    started = time.monotonic()
    _ingest(home, documents)
    nothing = time.monotonic() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    per_document = [f"{1000 * value / count:.1f}" for value in (cpu, seconds, extractions)]
    rest = [f"{one_more:.1f}", f"{nothing:.1f}", f"{peak:.0f}"]
    return f"| {count:,} | {' | '.join(per_document + rest)} |"


def _ingest(home: Home, documents: Path) -> IngestReport:
    report = ingest(
        home, [documents], extractors=Extractors(lambda _config: OwnSentences()), workers=Workers(0)
    )
    if not report.succeeded:
        raise RuntimeError(f"the ingest failed: {report.errors}")
    return report


def _step_seconds(home: Home, run_id: str, step: str) -> float:
    with open_instance(home) as instance:
        [stats] = instance.get_run_step_stats(run_id, [step])
    return (stats.end_time or 0.0) - (stats.start_time or 0.0)


if __name__ == "__main__":
    main()
