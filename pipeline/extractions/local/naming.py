"""How a claim's relation is named.

Lower snake case: the verb's lemma, its particle and its preposition, in this order (``depend_on``,
``set_up``, ``report_to``). A passive without its agent is named by the participle, because the patient is
its subject: "X is based in Y" is ``based_in``, and never means what "Y bases X" would. Role nouns take their
preposition: ``head_of``, ``responsible_for``. Class membership is ``is_a``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipeline.extractions.validation import RELATION_LIMIT

IS_A = "is_a"

_BREAK = re.compile(r"[\W_]+")


def relation_name(*words: str) -> str:
    """The words in lower snake case; anything that is neither letter nor digit separates."""
    parts = (part for word in words for part in _BREAK.split(word.lower()))
    return "_".join(part for part in parts if part.isalnum())[:RELATION_LIMIT].strip("_")


def role_name(words: Iterable[str], preposition: str) -> str:
    """The relation of a role noun with its modifiers, such as ``head_of`` or ``data_center_of``."""
    return relation_name(*words, preposition)
