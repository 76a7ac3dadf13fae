"""How many edges any planner has to lose on the gold documents, whatever it knows.

``python -m benchmarks.chunking_bound`` prints, for each tier, the most cross-sentence edges of natural text
of which chunks can hold all evidence. Chunks have at most 1.3 targets and are cut between gold sentences, at
the places that an exhaustive dynamic programme chooses, which sees the gold edges:

* *any overlap*: at most a fifth of the target is carried.
* *in band*: 15 to 20 % are carried at every seam, so only seams are chosen where whole sentences have that
  size. A document without such a plan counts as it does under *any overlap*.

Both are bounds from above: the ends of an edge need not be in the chunk, as if a header could name them, and
sections, tables, openings and the size of chunks cost nothing.
"""

from __future__ import annotations

import argparse
import bisect
import sys
from collections.abc import Sequence
from typing import Final

from benchmarks.chunking_data import NATURAL, GoldDocument, Tier, load
from benchmarks.chunking_scores import BAND

LARGEST: Final = 1.3
TIERS: Final[tuple[Tier, ...]] = ("sentence", "section", "hierarchical")
Window = tuple[int, int]
"""The first sentence that an edge needs, and the sentence after its last one."""


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    sys.stdout.write("| tier | overlap | edges | lost at least | kept at most (%) |\n|---|---|---|---|---|\n")
    documents = list(load(NATURAL))
    for tier in TIERS:
        of_tier = [document for document in documents if document.tier == tier]
        for name, in_band in (("any overlap", False), ("in band", True)):
            counts = [most_kept(document, in_band=in_band) for document in of_tier]
            kept, edges = (sum(column) for column in zip(*counts, strict=True))
            sys.stdout.write(f"| {tier} | {name} | {edges} | {edges - kept} | {100 * kept / edges:.1f} |\n")


def most_kept(document: GoldDocument, *, in_band: bool) -> tuple[int, int]:
    """The most edges of a document that chunks can hold, and how many there are. Work grows with the
    sentences times the square of the sentences in a chunk."""
    cuts = sorted({0, *(sentence.start for sentence in document.sentences), len(document.text)})
    windows = _windows(document, cuts)
    if not windows:
        return 0, 0
    offsets = [document.tokens.count(0, cut) / document.target for cut in cuts]
    found = _plan(offsets, windows, in_band=in_band)
    if found is None:
        found = _plan(offsets, windows, in_band=False)
    return found or 0, len(windows)


def _windows(document: GoldDocument, cuts: Sequence[int]) -> list[Window]:
    evidence = [edge.evidence for edge in document.edges if edge.kind == "cross" and edge.evidence]
    return [
        (
            bisect.bisect_right(cuts, min(each.start for each in spans)) - 1,
            bisect.bisect_left(cuts, max(each.end for each in spans)),
        )
        for spans in evidence
    ]


def _plan(offsets: Sequence[float], windows: Sequence[Window], *, in_band: bool) -> int | None:
    """The most windows that chunks hold; None where no plan keeps all overlaps in the band."""
    last = len(offsets) - 1
    # By where a body starts: the best count so far, for each sentence at which its carried text starts. The
    # count is of windows that end in earlier bodies, so what the carried text repeats is counted once.
    best: list[dict[int, int]] = [{} for _ in offsets]
    best[0][0] = 0
    for body in range(last):
        for carried, count in best[body].items():
            gains = sorted(end for start, end in windows if start >= carried and end > body)
            for end in range(body + 1, last + 1):
                if end > body + 1 and offsets[end] - offsets[carried] > LARGEST:
                    break
                kept = count + bisect.bisect_right(gains, end)
                for start in _carried_starts(offsets, body, end, in_band=in_band) if end < last else [last]:
                    best[end][start] = max(kept, best[end].get(start, 0))
    return best[last].get(last)


def _carried_starts(offsets: Sequence[float], body: int, end: int, *, in_band: bool) -> list[int]:
    """Where the text carried out of a body may start; ``end`` itself carries nothing."""
    least = BAND[0] if in_band else 0.0
    starts = range(end, body, -1)
    return [start for start in starts if least <= offsets[end] - offsets[start] <= BAND[1]]


if __name__ == "__main__":
    main()
