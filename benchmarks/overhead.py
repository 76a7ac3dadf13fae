"""What Dagster and the tables cost: an ingest beside the same functions called directly, on the same files.

    python -m benchmarks.overhead [--documents FOLDER] [--rounds N]

Each round runs three ways one after the other, each in a process of its own with as many workers, and prints
wall and CPU seconds (children included):

* functions: normalize, plan, cut and extract every document, and keep the answers in memory. No table, no
  ledger, no check, no graph.
* stages: what the assets call, without Dagster: the same with tables, ledger, checks and graph.
* ingest: the command, through Dagster.

Needs the folder of documents, by default ``../shared/corpora/kep``.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from pipeline.checks import load_checks, run_checks
from pipeline.chunk_plans import plan_document
from pipeline.chunks import cut
from pipeline.chunks.stage import to_row
from pipeline.config import Config
from pipeline.corpus import GRAPH, rebuild
from pipeline.discovery import discover
from pipeline.documents.sources import Source, scan
from pipeline.extractions.factory import build_extractor
from pipeline.extractions.memo import memo_key
from pipeline.extractions.model import ExtractionRequest, Extractor
from pipeline.extractions.stage import ReadingTask, groups, read, to_request
from pipeline.home import Home
from pipeline.incremental import run_stage
from pipeline.normalized_text import normalize
from pipeline.normalized_text.rows import to_rows
from pipeline.orchestration.stages import document_stages
from pipeline.quarantine import gate_of
from pipeline.storage.rows import BlockRow
from pipeline.tokens import count_tokens
from pipeline.workers import Failed, Workers

WAY: Final = "--way"


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of one process and its children."""

    wall: float
    cpu: float

    def ratios(self, other: Cost) -> tuple[float, float]:
        """This one as a multiple of another: wall, CPU."""
        return self.wall / other.wall, self.cpu / other.cpu


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
    parser.add_argument(WAY, choices=("functions", "stages"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    documents = arguments.documents.resolve()
    if arguments.way == "functions":
        _functions(documents)
    elif arguments.way == "stages":
        _stages(documents)
    else:
        _compare(documents, arguments.rounds)


def _compare(documents: Path, rounds: int) -> None:
    sys.stdout.write(
        "| round | functions wall (s) | CPU (s) | stages wall | CPU | ingest wall | CPU "
        "| ingest : functions, wall | CPU | ingest : stages, wall | CPU |\n" + "|---" * 11 + "|\n"
    )
    ratios: list[list[float]] = []
    for number in range(rounds):
        functions, stages = (
            _run("benchmarks.overhead", WAY, way, "--documents", str(documents))
            for way in ("functions", "stages")
        )
        with tempfile.TemporaryDirectory(prefix="overhead-") as home:
            ingest = _run("pipeline.cli.main", "ingest", str(documents), "--home", home, "--json")
        seconds = [value for cost in (functions, stages, ingest) for value in (cost.wall, cost.cpu)]
        ratios.append([r for cost in (functions, stages) for r in ingest.ratios(cost)])
        cells = [f"{value:.1f}" for value in seconds] + [f"{ratio:.3f}" for ratio in ratios[-1]]
        sys.stdout.write(f"| {number + 1} | {' | '.join(cells)} |\n")
        sys.stdout.flush()
    medians = [f"{median(column):.3f}" for column in zip(*ratios, strict=True)]
    sys.stdout.write(f"| median | | | | | | | {' | '.join(medians)} |\n")


def _run(module: str, *arguments: str) -> Cost:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([sys.executable, "-m", module, *arguments], check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def _functions(documents: Path) -> None:
    config, workers = Config(), Workers()
    extractor = build_extractor(config.extraction)
    files = [documents / item.path for item in scan(Source("kep", documents, watched=True)).files]
    requests: dict[str, ExtractionRequest] = {}
    for done in workers.map(_requests, [Task(file, config, extractor) for file in files]):
        if not isinstance(done.result, Failed):
            requests.update(done.result)
    tasks = [ReadingTask(extractor, members, keys) for keys, members in groups(requests)]
    answers = [
        answer
        for done in workers.map(read, tasks)
        if not isinstance(done.result, Failed)
        for answer in done.result
    ]
    workers.close()
    sys.stdout.write(f"{len(answers)} chunks read\n")


def _stages(documents: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="overhead-") as folder:
        home, workers = Home(Path(folder)), Workers()
        config, store, checks = home.config(), home.store(), load_checks()
        store.create()
        discovery = discover(home, [documents], config)
        for stage in document_stages(store, home, config, workers, build_extractor(config.extraction)):
            run_stage(store, stage, discovery.found, "run", gate_of(checks))
        workers.close()
        for asset in GRAPH:
            rebuild(store, asset, "run")
        results = run_checks(store, checks, discovery.found)
    sys.stdout.write(f"{sum(result.outcome == 'pass' for result in results)} checks passed\n")


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
