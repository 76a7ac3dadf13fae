"""How chat logs are known: the keys of JSON turns, and the lines of a transcript."""

from __future__ import annotations

import json
import re
from collections import Counter

SPEAKER_KEYS = ("role", "speaker", "author", "from", "user", "name", "sender")
CONTENT_KEYS = ("content", "text", "message", "body", "value")
TIME_KEYS = ("timestamp", "ts", "time", "date", "created_at", "create_time")

TURN = re.compile(
    r"^[ \t]*(?:[\[(]?"
    r"(?P<time>(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?)"
    r"[\])]?[ \t]*(?:-[ \t]*)?)?"
    r"(?P<speaker>[^\W\d_][\w .'’()-]{0,40}?):[ \t]+(?=\S)",
    re.MULTILINE,
)
_LINE_END = re.compile(r"\r\n?|\n")
_MIN_TURNS = 4
_MIN_SHARE = 0.6


def is_transcript(head: str) -> bool:
    """Whether most lines that are not blank open a turn, of at least two speakers who take turns."""
    lines = [line for line in _LINE_END.split(head) if line.strip()]
    turns = [match for line in lines if (match := TURN.match(line))]
    speakers = Counter(turn["speaker"] for turn in turns)
    repeated = sum(count for count in speakers.values() if count > 1)
    return (
        len(turns) >= max(_MIN_TURNS, _MIN_SHARE * len(lines))
        and len(speakers) >= 2
        and repeated >= _MIN_SHARE * len(turns)
    )


def is_chat_log(head: str) -> bool:
    """Whether the first line of a JSON Lines file is a turn, or holds a list of messages."""
    first = next((line for line in _LINE_END.split(head) if line.strip()), "")
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        # The first line is longer than the head: its opening must do.
        return re.search(r'"(?:role|speaker)"\s*:\s*"', first) is not None and '"content"' in first
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("messages"), list):
        return True
    keys = set(value)
    return bool(keys & {"role", "speaker", "author", "from", "sender"}) and bool(keys & set(CONTENT_KEYS))
