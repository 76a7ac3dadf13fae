"""Throughput of chunking beside chonkie's SentenceChunker, and whether its cost per token stays flat.

``python -m benchmarks.chunking_speed [--largest MB]``. Machines differ, so read the ratios: in every round
each chunker runs once over the same texts, and the median of the rounds counts. Ours is the whole of plan and
cut: tokenizer, sentences, links, plan, headers, floor. chonkie gets the same tokenizer and a target of 400.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

from benchmarks.chunking_data import data_folder, load
from benchmarks.chunking_own import NORMALIZATION, SETTINGS, planned, surveyed
from benchmarks.chunking_peers import chonkie_sentence
from pipeline.chunks.drafting import draft
from pipeline.chunks.weights import weights_of
from pipeline.normalized_text import normalize_text
from pipeline.normalized_text.model import NormalizedText
from pipeline.tokens import token_counter

ROUNDS = 5
MIXED = ("gum", "scirex", "kep", "tatqa")


def mixed_texts(each: int = 40) -> list[str]:
    """About two megabytes of Markdown of four kinds."""
    return [gold.text for name in MIXED for gold in list(load((name,)))[:each]]


def seconds(run: Callable[[], object]) -> float:
    """CPU seconds of one run."""
    started = time.process_time()
    run()
    return time.process_time() - started


def throughput(texts: Sequence[str]) -> None:
    """Prints megabytes per CPU second of each chunker and the ratio to chonkie."""
    size = sum(len(text.encode()) for text in texts) / 1e6
    documents = [normalize_text(text, document_id="document", settings=NORMALIZATION) for text in texts]
    chonkie = chonkie_sentence(400)
    counter = token_counter(SETTINGS.tokenizer)
    runs: dict[str, Callable[[], object]] = {
        "edgekeeper, plan and cut": lambda: [planned(document) for document in documents],
        "tokenizer, sentences and planner": lambda: [_cuts(document) for document in documents],
        "chonkie sentence": lambda: [chonkie(text) for text in texts],
        "tokenizer alone": lambda: [counter.count(text) for text in texts],
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(ROUNDS):
        for name, run in runs.items():
            times[name].append(seconds(run))
    peer = median(times["chonkie sentence"])
    print(f"{size:.2f} MB in {len(texts)} documents, median of {ROUNDS} rounds")
    for name, taken in times.items():
        print(f"- {name}: {size / median(taken):.2f} MB/s, {peer / median(taken):.2f} x chonkie sentence")


def _cuts(document: NormalizedText) -> object:
    """The boundaries alone, without headers, floor and ids."""
    ground = surveyed(document)
    return draft(ground, weights_of(ground.tier))


def growth(texts: Sequence[str], largest: float) -> None:
    """Prints the cost per token of one document of 10 KB, 100 KB … up to ``largest`` megabytes."""
    base = "\n\n".join(texts)
    limits = NORMALIZATION.limits.model_copy(update={"file_bytes": 1 << 30, "tokens": 1 << 30})
    settings = NORMALIZATION.model_copy(update={"limits": limits})
    size = 10_000
    while size <= largest * 1e6:
        text = (base * (size // len(base) + 1))[:size]
        document = normalize_text(text, document_id="document", settings=settings)
        repeats = max(1, 300_000 // size)
        taken = seconds(lambda document=document, repeats=repeats: _repeat(document, repeats)) / repeats
        chunked = planned(document)
        print(
            f"- {size / 1e6:g} MB: {1e6 * taken / chunked.token_count:.2f} microseconds a token, "
            f"{len(chunked.chunks)} chunks, {size / 1e6 / taken:.2f} MB/s"
        )
        size *= (
            10 if size * 10 <= largest * 1e6 or size >= largest * 1e6 else max(2, int(largest * 1e6 // size))
        )


def _repeat(document: NormalizedText, times: int) -> None:
    for number in range(times):
        # A new text each time, for the map of the last text's tokens is kept.
        planned(replace(document, text=document.text[:-1] + str(number % 10)))


def main() -> None:
    """Command line: see the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=float, default=50, help="megabytes of the largest single document")
    options = parser.parse_args()
    if not data_folder().is_dir():
        raise SystemExit(f"{data_folder()} is absent")
    texts = mixed_texts()
    throughput(texts)
    print("\nCost of one document by its size:")
    growth(texts, options.largest)


if __name__ == "__main__":
    main()
