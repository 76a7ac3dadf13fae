"""Gold documents of the chunking benchmark: text, edges with evidence, coreference, sentences, blocks.

The data lies beside the repository (``../shared/bench/data``) or where ``EDGEKEEPER_BENCH_DATA`` says; its
README names the sources. Every offset is a code point of the document's text.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from pipeline.chunks.words import DEMONSTRATIVES, THIRD_PERSON
from pipeline.tokens import TokenCounter, TokenMap, token_counter

Tier = Literal["sentence", "section", "hierarchical"]
ENCODING = "cl100k_base"
"""The tiers of the data were assigned with this encoding."""
TARGETS: Mapping[Tier, int] = {"sentence": 300, "section": 550, "hierarchical": 400}
NATURAL = ("redocred", "biored", "gum", "scirex")
COMPOSITE = ("redocred_multi",)
STRUCTURED = ("tatqa", "kep")
COREFERENCE = ("gum", "litbank")
SETS = ("redocred", "redocred_multi", "biored", "gum", "scirex", "litbank", "tatqa", "kep")
_TIERS: Mapping[str, Tier] = {"sentence": "sentence", "section": "section", "hier": "hierarchical"}
_POINTING = THIRD_PERSON | DEMONSTRATIVES - {"such"}
_CONTROLS = re.compile(r"[^\S \n\t]|[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u2028\u2029\ufeff]")


class Range(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A gold edge. ``evidence`` is empty where none is given; ``window`` is the shortest stretch that holds
    the evidence and one mention of either end."""

    kind: str
    head: str
    tail: str
    head_name: str
    head_mentions: tuple[Range, ...]
    tail_mentions: tuple[Range, ...]
    evidence: tuple[Range, ...]
    window: Range | None
    window_tokens: int


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A third-person pronoun and the earlier nominal mentions of what it refers to."""

    span: Range
    antecedents: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """One document of a set, with what a chunker is scored against."""

    set_name: str
    document_id: str
    tier: Tier
    text: str
    tokens: TokenMap
    edges: tuple[Edge, ...]
    pronouns: tuple[Pronoun, ...]
    sentences: tuple[Range, ...]
    sentence_starts: np.ndarray
    blocks: tuple[tuple[str, Range], ...]

    @property
    def target(self) -> int:
        """Target size of the document's tier in tokens."""
        return TARGETS[self.tier]


def data_folder() -> Path:
    """Where the gold data lies."""
    default = Path(__file__).resolve().parents[2] / "shared" / "bench" / "data"
    return Path(os.environ.get("EDGEKEEPER_BENCH_DATA", default))


def load(sets: Sequence[str] = SETS, split: str = "dev") -> Iterator[GoldDocument]:
    """All documents above 300 tokens of some sets."""
    counter = token_counter(ENCODING)
    for name in sets:
        with (data_folder() / name / f"{split}.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                if record["tier"] in _TIERS:
                    yield _document(name, record, counter)


def _document(name: str, record: Mapping, counter: TokenCounter) -> GoldDocument:
    # Normalization removes control characters; a blank in their place keeps the gold offsets.
    text = _CONTROLS.sub(" ", record["text"])
    tokens = counter.map(text)
    sentences = tuple(_trimmed(text, Range(*each)) for each in record["sentences"])
    return GoldDocument(
        set_name=name,
        document_id=record["doc_id"],
        tier=_TIERS[record["tier"]],
        text=text,
        tokens=tokens,
        edges=tuple(_edge(text, tokens, each) for each in record["edges"]),
        pronouns=tuple(_pronouns(text, record)),
        sentences=sentences,
        sentence_starts=np.array([start for start, _ in record["sentences"]], dtype=np.int64),
        blocks=tuple((each["kind"], Range(each["start"], each["end"])) for each in record["blocks"]),
    )


def _trimmed(text: str, span: Range) -> Range:
    """A boundary among leading or trailing punctuation cuts nothing."""
    start, end = span
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return Range(start, end)


def _edge(text: str, tokens: TokenMap, record: Mapping) -> Edge:
    heads = tuple(Range(*each) for each in record["head_mentions"])
    tails = tuple(Range(*each) for each in record["tail_mentions"])
    evidence = tuple(Range(*each) for each in record["evidence"])
    window = _window(evidence, heads, tails) if evidence else None
    return Edge(
        kind=record["kind"],
        head=text[slice(*heads[0])],
        tail=text[slice(*tails[0])],
        head_name=record["head"] or "",
        head_mentions=heads,
        tail_mentions=tails,
        evidence=evidence,
        window=window,
        window_tokens=tokens.count(*window) if window else 0,
    )


def _window(evidence: Sequence[Range], heads: Sequence[Range], tails: Sequence[Range]) -> Range:
    low, high = min(each.start for each in evidence), max(each.end for each in evidence)
    for mentions in (heads, tails):
        near = min(mentions, key=lambda m: max(0, low - m.start) + max(0, m.end - high))
        low, high = min(low, near.start), max(high, near.end)
    return Range(low, high)


def _pronouns(text: str, record: Mapping) -> Iterator[Pronoun]:
    clusters: list[list[list[int]]] = record.get("coref_clusters") or []
    kinds: list[list[str]] = record.get("coref_types") or []
    for cluster, types in zip(clusters, kinds, strict=True):
        mentions = [Range(*each) for each in cluster]
        nominal = [mention for mention, kind in zip(mentions, types, strict=True) if kind == "nom"]
        for mention, kind in zip(mentions, types, strict=True):
            if kind == "pron" and text[slice(*mention)].lower() in _POINTING:
                earlier = tuple(each for each in nominal if each.start < mention.start)
                if earlier:
                    yield Pronoun(mention, earlier)
