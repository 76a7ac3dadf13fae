"""Does every edge find a chunk that holds all of it? The project's plan beside its peers, in one run.

``python -m benchmarks.chunking [--json OUT] [--split dev]`` needs the gold data (see ``chunking_data``);
peers run where they are installed (``benchmarks/requirements.txt``). One configuration for all rows: the
defaults, with the data's own tokenizer. What the columns mean is written in ``chunking_scores``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import chunking_own as own
from benchmarks.chunking_data import (
    COMPOSITE,
    COREFERENCE,
    NATURAL,
    SETS,
    STRUCTURED,
    TARGETS,
    GoldDocument,
    Tier,
    load,
)
from benchmarks.chunking_peers import installed
from benchmarks.chunking_scores import Tally, score

OURS = "edgekeeper"
Results = Mapping[tuple[str, Tier, str], Tally]
"""By chunker, tier and data set."""


@dataclass(frozen=True, slots=True)
class Row:
    """One chunker in one tier: percent, but ratios for duplication and ``largest``, tokens for ``mean``."""

    chunker: str
    tier: Tier
    duplication: float
    with_header: float
    natural: float | None
    natural_cross: float | None
    natural_cross_named: float | None
    composite_cross: float | None
    fit_lost: float | None
    sentence_cuts: float | None
    in_band: float | None
    pronouns: float | None
    pronouns_named: float | None
    dangling_words: float | None
    dangling_sentences: float | None
    cells: float | None
    subjects_named: float | None
    table_splits: int
    code_splits: int
    largest: float
    mean: float


def row(results: Results, chunker: str, tier: Tier) -> Row:
    """The figures of a chunker in a tier, pooled over the data sets each column is about."""

    def pool(sets: Sequence[str]) -> Tally:
        total = Tally()
        for name in sets:
            total.add(results.get((chunker, tier, name), Tally()))
        return total

    natural, composite, both = pool(NATURAL), pool(COMPOSITE), pool(NATURAL + COMPOSITE)
    structured, coreference, every = pool(STRUCTURED), pool(COREFERENCE), pool(SETS)
    document = max(1, both.counts["document_tokens"])
    return Row(
        chunker=chunker,
        tier=tier,
        duplication=both.counts["chunk_tokens"] / document,
        with_header=(both.counts["chunk_tokens"] + both.counts["header_tokens"]) / document,
        natural=natural.rate("edges_kept", "edges"),
        natural_cross=natural.rate("cross_kept", "cross"),
        natural_cross_named=natural.rate("cross_named", "cross"),
        composite_cross=composite.rate("cross_kept", "cross"),
        fit_lost=both.rate("fit_lost", "fit"),
        sentence_cuts=every.rate("sentence_cuts", "bounds"),
        in_band=both.rate("seams_in_band", "seams"),
        pronouns=coreference.rate("pronouns_kept", "pronouns"),
        pronouns_named=coreference.rate("pronouns_named", "pronouns"),
        dangling_words=coreference.rate("dangling_words", "openings"),
        dangling_sentences=coreference.rate("dangling_sentences", "openings"),
        cells=structured.rate("cell_kept", "cell"),
        subjects_named=structured.rate("subject_named", "subject"),
        table_splits=every.counts["table_splits"],
        code_splits=every.counts["code_splits"],
        largest=every.largest,
        mean=both.counts["chunk_tokens"] / max(1, both.counts["chunks"]),
    )


@dataclass(frozen=True, slots=True)
class SeamCount:
    """The plan's own seams in a tier. ``inside`` are those neither at a section's start nor next to an atomic
    block; ``unjustified`` those out of the band whose exemption the benchmark could not derive again."""

    tier: str
    inside: int
    in_band: int
    exemptions: Mapping[str, int]
    unjustified: Sequence[str]


def run(documents: Sequence[GoldDocument]) -> tuple[dict[tuple[str, Tier, str], Tally], list[SeamCount]]:
    """Scores of all chunkers on all documents, and the plan's seams."""
    results: dict[tuple[str, Tier, str], Tally] = defaultdict(Tally)
    peers = {
        (name, str(tier)): make(target) for name, make in installed() for tier, target in TARGETS.items()
    }
    exemptions: dict[str, Counter[str]] = defaultdict(Counter)
    unjustified: dict[str, list[str]] = defaultdict(list)
    for gold in documents:
        normalized = own.normalize(gold)
        chunked = own.planned(normalized)
        children = [chunk for chunk in chunked.chunks if chunk.level == 0]
        headers = sum(chunk.header_tokens for chunk in children)
        results[OURS, gold.tier, gold.set_name].add(score(gold, own.pieces(chunked), headers))
        exemptions[gold.tier].update(chunk.seam.exemption or chunk.seam.kind for chunk in children)
        unjustified[gold.tier] += [f"{gold.document_id} {each}" for each in own.unjustified(chunked)]
        ground = own.surveyed(normalized)
        for name, largest, overlap in (("greedy rule", 1.0, 0.175), ("greedy to 1.3 T", 1.3, 0.20)):
            results[name, gold.tier, gold.set_name].add(score(gold, own.greedy(ground, largest, overlap), 0))
        for (name, tier), chunk in peers.items():
            if tier == gold.tier:
                results[name, gold.tier, gold.set_name].add(score(gold, chunk(gold.text), 0))
    return results, [_seam_count(tier, exemptions[tier], unjustified[tier]) for tier in TARGETS]


def _seam_count(tier: str, found: Counter[str], unjustified: Sequence[str]) -> SeamCount:
    reasons = {name: found[name] for name in sorted(found) if "_" in name}
    in_band = sum(count for name, count in found.items() if "_" not in name and name != "start")
    missed = found["unsplittable_sentence"] + found["short_previous"]
    return SeamCount(tier, in_band + missed, in_band, reasons, unjustified)


COLUMNS = (
    ("chunker", "chunker"),
    ("dup", "duplication"),
    ("+header", "with_header"),
    ("nat", "natural"),
    ("natX", "natural_cross"),
    ("natX named", "natural_cross_named"),
    ("compX", "composite_cross"),
    ("fit-lost", "fit_lost"),
    ("cuts", "sentence_cuts"),
    ("band", "in_band"),
    ("pron", "pronouns"),
    ("pron named", "pronouns_named"),
    ("dangling", "dangling_words"),
    ("dangling sent", "dangling_sentences"),
    ("cells", "cells"),
    ("subjects named", "subjects_named"),
    ("tables", "table_splits"),
    ("code", "code_splits"),
    ("largest", "largest"),
    ("mean", "mean"),
)


def table(rows: Sequence[Row]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head for head, _ in COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for each in rows:
        cells = []
        for _, name in COLUMNS:
            value = getattr(each, name)
            shown = "–" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
            cells.append(shown if name != "mean" else f"{value:.0f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Command line: see the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--json", type=Path, help="keep all figures here")
    options = parser.parse_args()
    started = time.perf_counter()
    results, seams = run(list(load(split=options.split)))
    names = list(dict.fromkeys(name for name, _, _ in results))
    rows = [row(results, name, tier) for tier in TARGETS for name in names]
    for tier, target in TARGETS.items():
        print(f"\n### {tier}: target {target}\n")
        print(table([each for each in rows if each.tier == tier]))
    print("\n### Seams of the plan\n")
    for each in seams:
        print(
            f"- {each.tier}: {each.in_band} of {each.inside} inside a section in the band "
            f"({100 * each.in_band / max(1, each.inside):.1f} %), exempt {dict(each.exemptions)}, "
            f"{len(each.unjustified)} unjustified"
        )
        for line in each.unjustified[:5]:
            print(f"  - {line}")
    inside, in_band = sum(each.inside for each in seams), sum(each.in_band for each in seams)
    print(f"- all tiers: {in_band} of {inside} ({100 * in_band / max(1, inside):.1f} %)")
    print(f"\n{time.perf_counter() - started:.0f} seconds")
    if options.json:
        kept = {"rows": [asdict(each) for each in rows], "seams": [asdict(each) for each in seams]}
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
