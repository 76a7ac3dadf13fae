"""The floor's probes against the gold entities and predicates of GUM.

``python -m benchmarks.chunking_floor``. A stretch of one, two or four gold sentences passes by gold where it
holds mentions of two distinct entities and a whole gold edge. A *miss* is what would hurt: a stretch with an
edge that the probe puts below the floor. Speeds are megabytes per CPU second; read their ratio.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.chunking_data import data_folder
from pipeline.chunk_plans.settings import FloorSettings
from pipeline.chunks.floor import FastProbe, Probe, SpacyProbe, measure_floor

SIZES = (1, 2, 4)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some sentences, and whether gold says that they hold an edge."""

    text: str
    passes: bool


def stretches(size: int, split: str = "dev") -> Iterator[Stretch]:
    """All runs of ``size`` gold sentences, end to end."""
    with (data_folder() / "gum" / f"{split}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            sentences = record["sentences"]
            for first in range(0, len(sentences) - size + 1, size):
                start, end = sentences[first][0], sentences[first + size - 1][1]
                yield Stretch(record["text"][start:end], _holds_edge(record, start, end))


def _holds_edge(record: dict, start: int, end: int) -> bool:
    def inside(span: list[int]) -> bool:
        return start <= span[0] and span[1] <= end

    entities = sum(any(inside(mention) for mention in cluster) for cluster in record["coref_clusters"])
    return entities >= 2 and any(
        edge["evidence"]
        and all(inside(span) for span in edge["evidence"])
        and any(inside(span) for span in edge["head_mentions"])
        and any(inside(span) for span in edge["tail_mentions"])
        for edge in record["edges"]
    )


def report(name: str, probe: Probe, size: int) -> str:
    """One line of results."""
    found = list(stretches(size))
    probe.count("The model is loaded here.")
    started = time.process_time()
    passed = [measure_floor(each.text, FloorSettings(), probe).passed for each in found]
    taken = time.process_time() - started
    pairs = list(zip(found, passed, strict=True))
    agree = sum(each.passes == said for each, said in pairs)
    gold = sum(each.passes for each in found)
    missed = sum(each.passes and not said for each, said in pairs)
    megabytes = sum(len(each.text.encode()) for each in found) / 1e6
    return (
        f"- {name}, {size} sentences: {len(found)} stretches, {gold} with an edge, agreement "
        f"{100 * agree / len(found):.1f} %, missed {missed} ({100 * missed / max(1, gold):.2f} %), passed "
        f"without an edge {sum(said and not each.passes for each, said in pairs)}, "
        f"{megabytes / taken:.2f} MB/s"
    )


def main() -> None:
    """Command line: see the module."""
    for name, probe in (("fast", FastProbe()), ("spacy", SpacyProbe())):
        for size in SIZES:
            print(report(name, probe, size), flush=True)


if __name__ == "__main__":
    main()
