"""What extraction yields: mentions and claims, each tied to exact spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from pipeline.spans import Span

MentionKind = Literal["named", "nominal", "pronominal"]
Polarity = Literal["affirmed", "negated", "unknown"]
Modality = Literal["asserted", "possible", "planned", "conditional", "required", "attributed", "unknown"]


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """One extraction unit: the chunk's header and its text (carried and body).

    Spans in the answer are code points of ``text``. ``body_start`` is where the body begins in ``text``;
    what lies before it is carried context. Where the tier is ``whole``, ``sentences`` are the spans to
    read one by one, else the text is read as a whole. ``atomic`` are spans of tables and code in ``text``.
    """

    header: str
    text: str
    body_start: int = 0
    sentences: tuple[Span, ...] = ()
    atomic: tuple[Span, ...] = ()
    antecedents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of text that names or refers to an entity. ``name`` is the normalized surface."""

    span: Span
    surface: str
    type: str
    name: str
    kind: MentionKind


@dataclass(frozen=True, slots=True)
class Claim:
    """A relation a text states. ``subject`` and ``object`` index ``Extraction.mentions``.

    ``object`` is None where the object is a literal (number, date, quoted value): then ``literal`` is its
    span. ``relation`` is the governed relation name (lower snake case), ``predicate`` the raw label,
    ``predicate_span`` the relation language, ``evidence`` the sentence or cell range that states it.
    ``attribution`` is the surface of who says so, None where nobody is named.
    """

    subject: int
    object: int | None
    literal: Span | None
    predicate: str
    relation: str
    predicate_span: Span
    evidence: Span
    polarity: Polarity
    modality: Modality
    pattern: str
    attribution: str | None = None
    valid_time: str | None = None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Rejection:
    """Output that failed validation, kept with its reason and its raw form."""

    reason: str
    raw: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything one extractor call said about one request."""

    mentions: tuple[Mention, ...] = ()
    claims: tuple[Claim, ...] = ()
    rejections: tuple[Rejection, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractorIdentity:
    """Everything besides the request that decides an extractor's answer; part of the memo key."""

    name: str
    model: str
    code_version: str
    prompt_hash: str = ""
    ontology_version: str = ""
    parameters: str = ""


class Extractor(Protocol):
    """Reads one chunk. Implementations must be picklable until first use (models load lazily)."""

    @property
    def identity(self) -> ExtractorIdentity:
        """What decides the answer."""
        ...

    def extract(self, request: ExtractionRequest) -> Extraction:
        """Mentions and claims of one request; spans are code points of ``request.text``."""
        ...
