"""What Dagster and the tables cost: an ingest beside the same functions called directly, on the same files.

    python -m benchmarks.overhead [--documents FOLDER] [--rounds N]

Each round runs both, one after the other, each in a process of its own with as many workers, and prints wall
and CPU seconds (children included) and their ratios. The direct way normalizes, plans, cuts and extracts
every document and keeps the answers in memory: no table, no ledger, no check, no graph. Needs the folder of
documents, by default ``../shared/corpora/kep``.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from pipeline.chunk_plans import plan_document
from pipeline.chunks import cut
from pipeline.chunks.stage import to_row
from pipeline.config import Config
from pipeline.documents.sources import Source, scan
from pipeline.extractions.factory import build_extractor
from pipeline.extractions.memo import memo_key
from pipeline.extractions.model import ExtractionRequest, Extractor
from pipeline.extractions.stage import ReadingTask, groups, read, to_request
from pipeline.normalized_text import normalize
from pipeline.normalized_text.rows import to_rows
from pipeline.storage.rows import BlockRow
from pipeline.tokens import count_tokens
from pipeline.workers import Failed, Workers

DIRECT: Final = "--direct"


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of one process and its children."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Task:
    """One file for a worker."""

    file: Path
    config: Config
    extractor: Extractor


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=Path, default=Path("../shared/corpora/kep"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(DIRECT, action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.direct:
        chunks, failed = _direct(arguments.documents)
        sys.stdout.write(f"{chunks} chunks read, {failed} failed\n")
        return
    sys.stdout.write(
        "| round | direct wall (s) | CPU | ingest wall (s) | CPU | wall ratio | CPU ratio |\n"
        "|---|---|---|---|---|---|---|\n"
    )
    pairs = list(_rounds(arguments.documents.resolve(), arguments.rounds))
    wall = median(ingest.wall / direct.wall for direct, ingest in pairs)
    cpu = median(ingest.cpu / direct.cpu for direct, ingest in pairs)
    sys.stdout.write(f"| median | | | | | {wall:.3f} | {cpu:.3f} |\n")


def _rounds(documents: Path, rounds: int) -> Iterator[tuple[Cost, Cost]]:
    for number in range(rounds):
        direct = _run("benchmarks.overhead", DIRECT, "--documents", str(documents))
        with tempfile.TemporaryDirectory(prefix="overhead-") as home:
            ingest = _run("pipeline.cli.main", "ingest", str(documents), "--home", home, "--json")
        values = [direct.wall, direct.cpu, ingest.wall, ingest.cpu]
        ratios = [ingest.wall / direct.wall, ingest.cpu / direct.cpu]
        cells = [f"{value:.1f}" for value in values] + [f"{ratio:.3f}" for ratio in ratios]
        sys.stdout.write(f"| {number + 1} | {' | '.join(cells)} |\n")
        sys.stdout.flush()
        yield direct, ingest


def _run(module: str, *arguments: str) -> Cost:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([sys.executable, "-m", module, *arguments], check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def _direct(documents: Path) -> tuple[int, int]:
    """How many chunks were read, and how many files and chunks failed."""
    config, workers = Config(), Workers()
    extractor = build_extractor(config.extraction)
    files = [documents / item.path for item in scan(Source("kep", documents, watched=True)).files]
    requests: dict[str, ExtractionRequest] = {}
    failed = 0
    for done in workers.map(_requests, [Task(file, config, extractor) for file in files]):
        if isinstance(done.result, Failed):
            failed += 1
        else:
            requests.update(done.result)
    tasks = [ReadingTask(extractor, members, keys) for keys, members in groups(requests)]
    for read_task in workers.map(read, tasks):
        if isinstance(read_task.result, Failed):
            failed += len(read_task.item.keys)
        else:
            failed += sum(isinstance(answer, Failed) for answer in read_task.result)
    workers.close()
    return len(requests), failed


def _requests(task: Task) -> dict[str, ExtractionRequest]:
    """What the extractor has to read of one file, by memo key."""
    config = task.config
    text = normalize(
        task.file.read_bytes(),
        document_id=task.file.name,
        file_name=task.file.name,
        settings=config.normalization,
    )
    rows = to_rows(text, "", count_tokens(text.text, config.chunking.tokenizer), config.normalization)
    blocks = [row for row in rows if isinstance(row, BlockRow)]
    plan = plan_document(text, config.chunking)
    found: dict[str, ExtractionRequest] = {}
    for chunk in cut(text, plan, config.chunking).chunks:
        if chunk.level == 0:
            whole = plan.tier == "whole"
            request = to_request(to_row(text.document_id, chunk), text.text, blocks, by_sentence=whole)
            found[memo_key(request, task.extractor.identity)] = request
    return found


if __name__ == "__main__":
    main()
