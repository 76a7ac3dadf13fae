"""The extractions asset: mentions and claims of each document's chunks, through the memo."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import ClassVar, Final

from pipeline.extractions.memo import from_json, memo_key, to_json
from pipeline.extractions.model import Extraction, ExtractionRequest, Extractor
from pipeline.extractions.rows import to_rows
from pipeline.extractions.validation import validate
from pipeline.incremental import Processed
from pipeline.sentences import sentence_spans
from pipeline.spans import Span
from pipeline.storage.rows import BlockRow, ChunkPlanRow, ChunkRow, NormalizedTextRow, Row
from pipeline.storage.store import Store
from pipeline.workers import Failed, Workers

GROUP_CHARACTERS: Final = 20_000
"""How much text one call of a worker reads: large enough to pay for the hop, small enough to balance."""
KEEP_SECONDS: Final = 2.0
"""How long answers may wait to be kept: a crash costs these, and keeping them one by one costs more time than
a fast extractor takes to give them."""


@dataclass
class CallCounts:
    """How many chunks were read by the extractor, and how many answers came from the memo.

    ``tokens`` counts headers and texts of the chunks that were read.
    """

    made: int = 0
    reused: int = 0
    tokens: int = 0

    def since(self, earlier: CallCounts) -> CallCounts:
        """What was counted after ``earlier``."""
        return CallCounts(
            self.made - earlier.made, self.reused - earlier.reused, self.tokens - earlier.tokens
        )


@dataclass(frozen=True, slots=True)
class Unit:
    """A chunk, the request that reads it, and its memo key."""

    chunk: ChunkRow
    request: ExtractionRequest
    key: str


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """Requests that one worker reads in a row."""

    extractor: Extractor
    requests: tuple[ExtractionRequest, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExtractionsStage:
    """Extracts the chunks whose answer the memo does not hold, then derives rows from the memo alone."""

    store: Store
    extractor: Extractor
    workers: Workers
    calls: CallCounts = field(default_factory=CallCounts)

    asset: ClassVar[str] = "extractions"
    upstream: ClassVar[str | None] = "chunks"
    code_version: ClassVar[str] = "1"

    def own_inputs(self, document_ids: Sequence[str]) -> Mapping[str, object]:
        """The extractor's identity, and the version of the text that the chunks are spans of."""
        texts = self.store.ledger("normalized_text")
        identity = astuple(self.extractor.identity)
        return {key: (texts[key].output, identity) for key in document_ids if key in texts}

    def process(self, document_ids: Sequence[str]) -> Iterator[Processed]:
        """The rows of each document, in order, as soon as all its answers are kept: a crash costs the answers
        of the last seconds only, and no row is without its answer."""
        units = load_units(self.store, document_ids, self.extractor)
        wanted = {unit.key: unit.request for members in units.values() for unit in members}
        known: dict[str, str | Failed] = dict(self.store.memo(list(wanted)))
        missing = {key: request for key, request in wanted.items() if key not in known}
        self._count(units, missing)
        waiting = deque(units.items())
        for answers in self._read_and_keep(missing):
            known |= answers
            while waiting and all(unit.key in known for unit in waiting[0][1]):
                document_id, members = waiting.popleft()
                yield Processed(document_id, self._rows(members, known))

    def _count(self, units: Mapping[str, Sequence[Unit]], missing: Mapping[str, ExtractionRequest]) -> None:
        chunks = [unit for members in units.values() for unit in members]
        sizes = {unit.key: unit.chunk.header_tokens + unit.chunk.tokens for unit in chunks}
        self.calls.made += len(missing)
        self.calls.reused += len(chunks) - len(missing)
        self.calls.tokens += sum(sizes[key] for key in missing)

    def _read_and_keep(self, missing: Mapping[str, ExtractionRequest]) -> Iterator[dict[str, str | Failed]]:
        """The answers once they are kept, every few seconds; those of the rest at the end, if any."""
        answers: dict[str, str | Failed] = {}
        last_kept = time.monotonic()
        for read_together in self._read(missing):
            answers |= read_together
            if time.monotonic() - last_kept > KEEP_SECONDS:
                self._keep(answers)
                yield answers
                answers, last_kept = {}, time.monotonic()
        self._keep(answers)
        yield answers

    def _keep(self, answers: Mapping[str, str | Failed]) -> None:
        self.store.memorize({key: answer for key, answer in answers.items() if isinstance(answer, str)})

    def _read(self, missing: Mapping[str, ExtractionRequest]) -> Iterator[dict[str, str | Failed]]:
        tasks = [ReadingTask(self.extractor, requests, keys) for keys, requests in groups(missing)]
        for done in self.workers.map(read, tasks):
            if isinstance(done.result, Failed):
                yield dict.fromkeys(done.item.keys, done.result)
            else:
                yield dict(zip(done.item.keys, done.result, strict=True))

    def _rows(self, members: Sequence[Unit], known: Mapping[str, str | Failed]) -> tuple[Row, ...] | Failed:
        answers = [(unit, known[unit.key]) for unit in members]
        errors = [
            f"chunk {unit.chunk.chunk_id}: {answer.error}"
            for unit, answer in answers
            if isinstance(answer, Failed)
        ]
        if errors:
            return Failed("; ".join(errors))
        return tuple(
            row
            for unit, answer in answers
            if isinstance(answer, str)
            for row in to_rows(unit.chunk, unit.key, self.extractor.identity, from_json(answer))
        )


def load_units(store: Store, document_ids: Sequence[str], extractor: Extractor) -> dict[str, list[Unit]]:
    """The extraction units of each document, in order. Parents (level 1) are never extracted."""
    with store.connect(read_only=True):
        texts = store.load(NormalizedTextRow, document_ids)
        blocks = store.load(BlockRow, document_ids)
        plans = store.load(ChunkPlanRow, document_ids)
        chunks = store.load(ChunkRow, document_ids)
    identity = extractor.identity
    units: dict[str, list[Unit]] = {}
    for key in document_ids:
        whole = bool(plans[key]) and plans[key][0].tier == "whole"
        units[key] = []
        for chunk in chunks[key]:
            if chunk.level == 0:
                request = to_request(chunk, texts[key][0].text or "", blocks[key], by_sentence=whole)
                units[key].append(Unit(chunk, request, memo_key(request, identity)))
    return units


def to_request(
    chunk: ChunkRow, text: str, blocks: Sequence[BlockRow], *, by_sentence: bool
) -> ExtractionRequest:
    """What the extractor reads of one chunk; all spans are relative to the chunk's text."""
    start = chunk.body_start if chunk.carried_start is None else chunk.carried_start
    inside = [block for block in blocks if start <= block.span_start and block.span_end <= chunk.body_end]
    atomic = [block for block in inside if block.kind in ("table", "code")]
    return ExtractionRequest(
        header=chunk.header,
        text=text[start : chunk.body_end],
        body_start=chunk.body_start - start,
        sentences=tuple(
            span.shift(-start)
            for block in inside
            if by_sentence and block not in atomic
            for span in sentence_spans(text, Span(block.span_start, block.span_end))
        ),
        atomic=tuple(Span(block.span_start - start, block.span_end - start) for block in atomic),
        antecedents=chunk.antecedents,
    )


def groups(
    requests: Mapping[str, ExtractionRequest],
) -> Iterator[tuple[tuple[str, ...], tuple[ExtractionRequest, ...]]]:
    """Requests by key in groups of bounded text, in order."""
    keys: list[str] = []
    size = 0
    for key, request in requests.items():
        keys.append(key)
        size += len(request.text)
        if size >= GROUP_CHARACTERS:
            yield tuple(keys), tuple(requests[k] for k in keys)
            keys, size = [], 0
    if keys:
        yield tuple(keys), tuple(requests[k] for k in keys)


def read(task: ReadingTask) -> tuple[str | Failed, ...]:
    """The validated answers of one worker, as JSON; a request on which the extractor raises fails alone."""
    return tuple(_read_one(task.extractor, request) for request in task.requests)


def _read_one(extractor: Extractor, request: ExtractionRequest) -> str | Failed:
    try:
        answer: Extraction = extractor.extract(request)
    except Exception as error:  # one request that fails must not take its neighbours' answers with it
        return Failed(f"{type(error).__name__}: {error}")
    return to_json(validate(answer, request))
