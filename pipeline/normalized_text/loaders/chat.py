"""Chat logs: JSON Lines with one turn (or one list of messages) a line, and transcripts with speakers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pipeline.characters import remove_controls
from pipeline.normalized_text.drafts import Draft, Parsed, Source
from pipeline.normalized_text.loaders import markdown
from pipeline.normalized_text.model import ATOMIC_KINDS, Warning
from pipeline.normalized_text.rendering import TextBuilder
from pipeline.normalized_text.settings import NormalizationSettings
from pipeline.normalized_text.transcripts import CONTENT_KEYS, SPEAKER_KEYS, TIME_KEYS, TURN
from pipeline.rejections import Rejected


@dataclass(frozen=True, slots=True)
class Turn:
    """Who said what, and when as the log writes it."""

    speaker: str
    content: str
    timestamp: str | None


def load(source: Source, settings: NormalizationSettings) -> Parsed:
    """One ``chat_turn`` block a turn, with speaker and timestamp; code and tables in it are their own blocks.

    A transcript's text is the file's own. A turn of a JSON log is written ``[timestamp] speaker: content``.

    Raises:
        Rejected: ``damaged`` when no line of a JSON log is a turn.
    """
    if source.source_format == "transcript":
        return Parsed(source.text, _transcript(source.text))
    warnings: list[Warning] = []
    builder = TextBuilder(settings)
    for turn in _turns(source.text, warnings):
        _append(builder, turn, settings)
    if not builder.drafts:
        raise Rejected("damaged", warnings[0].detail if warnings else "no turn")
    return Parsed(builder.text, builder.drafts, None, {}, (*warnings, *builder.warnings()), has_lines=False)


def _transcript(text: str) -> list[Draft]:
    starts = list(TURN.finditer(text))
    ends = [turn.start() for turn in starts[1:]] + [len(text)] * bool(starts)
    return [
        Draft("chat_turn", turn.start(), end, speaker=turn["speaker"].strip(), timestamp=turn["time"])
        for turn, end in zip(starts, ends, strict=True)
    ]


def _turns(text: str, warnings: list[Warning]) -> Iterator[Turn]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            warnings.append(Warning("bad_record", f"line {number}: {error}"))
            continue
        messages = value.get("messages") if isinstance(value, dict) else None
        for message in messages if isinstance(messages, list) else [value]:
            turn = _turn(message)
            if turn is None:
                warnings.append(Warning("bad_record", f"line {number}: no speaker or no content"))
            elif turn.content:
                yield turn


def _turn(message: Any) -> Turn | None:
    if not isinstance(message, dict):
        return None
    speaker, content = _first(message, SPEAKER_KEYS), _first(message, CONTENT_KEYS)
    if speaker is None or content is None:
        return None
    return Turn(" ".join(speaker.split()) or "unknown", content.strip(), _first(message, TIME_KEYS))


def _first(message: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    """The first of the keys that has a value; a list of content parts gives the texts of its parts."""
    for key in keys:
        value = message.get(key)
        if isinstance(value, list):
            parts = [part.get("text") if isinstance(part, dict) else part for part in value]
            value = "\n\n".join(part for part in parts if isinstance(part, str))
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return remove_controls(str(value))[0]
    return None


def _append(builder: TextBuilder, turn: Turn, settings: NormalizationSettings) -> None:
    prefix = f"[{turn.timestamp}] {turn.speaker}: " if turn.timestamp else f"{turn.speaker}: "
    whole = builder.append("chat_turn", prefix + turn.content)
    builder.drafts.pop()
    offset = whole.start + len(builder.clean(prefix))
    content = builder.text_since(offset)
    parsed = markdown.load(Source(b"", content, "", "markdown"), settings)
    position = whole.start
    said = Draft("chat_turn", position, whole.end, speaker=turn.speaker, timestamp=turn.timestamp)
    for draft in parsed.drafts:
        if draft.kind not in ATOMIC_KINDS:
            continue
        start, end = draft.start + offset, draft.end + offset
        builder.drafts.append(replace(said, start=position, end=start))
        builder.drafts.append(
            replace(draft, start=start, end=end, speaker=turn.speaker, timestamp=turn.timestamp)
        )
        position = end
    builder.drafts.append(replace(said, start=position))
