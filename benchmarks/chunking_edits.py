"""How many chunks keep their id and content key when one sentence of a document changes.

``python -m benchmarks.chunking_edits [--documents 100]``: in each of the gold documents with 20 chunks and
more, one gold sentence is deleted, repeated elsewhere or changed, at a random place, and the plans compared.
"""

from __future__ import annotations

import argparse
import random
from statistics import mean, median

from benchmarks.chunking_data import GoldDocument, Range, load
from benchmarks.chunking_own import NORMALIZATION, planned
from pipeline.chunks import ChunkedDocument
from pipeline.normalized_text import normalize_text

KINDS = ("insert", "delete", "change")
SMALLEST = 20


def chunked(text: str) -> ChunkedDocument:
    """The plan of a text."""
    return planned(normalize_text(text, document_id="document", settings=NORMALIZATION))


def edited(gold: GoldDocument, kind: str, rng: random.Random) -> str:
    """The text with one sentence inserted, deleted or changed."""
    text = gold.text
    start, end = rng.choice([each for each in gold.sentences if _is_statement(text, each)])
    other_start, other_end = rng.choice(gold.sentences)
    other = text[other_start:other_end]
    if kind == "insert":
        return f"{text[:start]}{other}. {text[start:]}"
    if kind == "delete":
        return text[:start] + text[end:]
    return text[:start] + "Nothing of the kind was ever said by Arden Holt" + text[end:]


def _is_statement(text: str, sentence: Range) -> bool:
    """A sentence of running text: an edited title is an edit of every header under it."""
    line = text[text.rfind("\n", 0, sentence.start) + 1 : sentence.start + 1]
    return sentence.end - sentence.start > 20 and not line.startswith("#")


def lost(before: ChunkedDocument, after: ChunkedDocument) -> tuple[int, int]:
    """Level-0 chunks that are gone or changed, and all of them."""
    kept = {(chunk.chunk_id, chunk.content_key) for chunk in after.chunks if chunk.level == 0}
    old = [(chunk.chunk_id, chunk.content_key) for chunk in before.chunks if chunk.level == 0]
    return sum(each not in kept for each in old), len(old)


def main() -> None:
    """Command line: see the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100)
    options = parser.parse_args()
    rng = random.Random(0)
    sample = [gold for gold in load() if gold.tokens.total > SMALLEST * 300]
    rng.shuffle(sample)
    found: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    for gold in sample:
        before = chunked(gold.text)
        if sum(chunk.level == 0 for chunk in before.chunks) < SMALLEST:
            continue
        for kind in KINDS:
            found[kind].append(lost(before, chunked(edited(gold, kind, rng))))
        if len(found[KINDS[0]]) == options.documents:
            break
    for kind, pairs in found.items():
        shares = [100 * (total - gone) / total for gone, total in pairs]
        changed = [gone for gone, _ in pairs]
        print(
            f"- {kind}: {len(pairs)} documents, chunks kept {mean(shares):.2f} % on average, "
            f"{sum(share >= 95 for share in shares)} documents keep 95 % and more; chunks changed: "
            f"median {median(changed):g}, largest {max(changed)}"
        )


if __name__ == "__main__":
    main()
