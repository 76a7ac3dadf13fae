"""What the text itself says about which units belong together, before any weighing.

Cheap evidence only: shared names and terms, openings that point back, pronouns, lead-ins, paragraphs. All of
it is read off the tokens by array lookups, and all of it is local: a unit's evidence depends on the units
within reach, never on counts over the document, so that an edit elsewhere changes nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.chunks.units import Units
from pipeline.chunks.vocabulary import Mark, Vocabulary
from pipeline.tokens import BoolArray, FloatArray, IntArray, TokenMap

REACH = 12
"""Units back that a shared word may link."""
_PIECES = 4
"""Tokens of a word that tell it from others."""
_MARKS = 8
"""Tokens of markup and quotes skipped in search of a unit's first word."""
_NOWHERE = np.iinfo(np.int64).max
"""A position after all others."""
_MANY_NAMES = 4
"""Names in a sentence that introduces a subject: an article's first has six, an abstract's title two."""
_AFTER_A_NAME = 0.2
"""Risk that a pronoun is left unresolved where a name comes first, to that where none does."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Arrays over the units. ``names[d][j]`` counts names shared by units ``j - d`` and ``j`` and by none
    between; ``terms`` likewise, weighted by rarity. ``[0]`` is empty."""

    names: FloatArray
    terms: FloatArray
    opens_pronoun: BoolArray
    """The first word is a pronoun or demonstrative of the third person."""
    opens_connective: BoolArray
    refers: BoolArray
    """Holds such a word with no name before it in the unit."""
    unresolved: FloatArray
    """How likely a pronoun in the unit stands for something before it: 1 where no name comes first."""
    pronouns: IntArray
    same_block: BoolArray
    lead_in: BoolArray
    """The unit before ends with a colon."""
    starts_section: BoolArray
    introduces: FloatArray
    """How much a section's first unit says what the rest is about: from 0, where it names nothing, to 1."""
    entities: IntArray
    """Cumulative: names and rare terms before unit ``i``."""
    verbs: IntArray
    """Cumulative: verbs before unit ``i``."""


def gather(units: Units, token_map: TokenMap, words: Vocabulary) -> Evidence:
    """Evidence of all units of a text."""
    count = len(units)
    low, high = np.searchsorted(token_map.starts, (units.starts[0], units.ends[-1]))
    ids = token_map.ids[low:high]
    marks = words.marks.take(ids)
    word = marks & Mark.WORD > 0
    begins = word.copy()
    begins[1:] &= (marks[1:] & Mark.SPACED | ~marks[:-1] & Mark.ENDS_WORD) > 0
    continues = np.append(word & ~begins, np.zeros(_PIECES, dtype=bool))
    # From here on a position is that of a word among the words.
    tokens = np.flatnonzero(begins)
    kinds = marks.take(tokens)
    unit_of = np.repeat(np.arange(count), np.diff(units.tokens)).take(tokens)
    opening = _first_words(units, token_map.starts[low:high], tokens)
    has_word = opening < len(tokens)
    firsts = opening[has_word]
    name = (kinds & Mark.NAME > 0) | ((kinds & Mark.INITIAL > 0) & continues.take(tokens + 1))
    term = kinds & Mark.TERM > 0
    term[firsts] |= name[firsts]  # a capital at the start of a sentence proves no name
    name[firsts] = False
    at = np.flatnonzero(name | term)
    keys = _word_keys(ids, continues, tokens.take(at), words)
    rarity = words.rarity.take(ids.take(tokens.take(at)))
    names, terms = _shared(keys, unit_of.take(at), name.take(at), rarity, count)
    third = kinds & Mark.THIRD_PERSON > 0
    points_back = kinds & (Mark.THIRD_PERSON | Mark.DEMONSTRATIVE) > 0
    first_name = _earliest(name, unit_of, count)
    first_third = _earliest(third, unit_of, count)
    openings = np.append(kinds, np.uint16(0)).take(opening)
    return Evidence(
        names=names,
        terms=terms,
        opens_pronoun=openings & (Mark.THIRD_PERSON | Mark.DEMONSTRATIVE) > 0,
        opens_connective=openings & Mark.CONNECTIVE > 0,
        refers=_earliest(points_back, unit_of, count) < first_name,
        unresolved=_unresolved(first_third, first_name),
        pronouns=np.bincount(unit_of[third], minlength=count).astype(np.int64),
        same_block=~units.flags("starts_block"),
        lead_in=np.append(False, marks.take(units.tokens[1:-1] - 1) & Mark.COLON > 0),
        starts_section=units.flags("starts_section"),
        introduces=np.minimum(np.bincount(unit_of[name], minlength=count) / _MANY_NAMES, 1.0),
        entities=_cumulative(unit_of[name | (term & (kinds & Mark.RARE > 0))], count),
        verbs=_cumulative(unit_of[kinds & Mark.VERB > 0], count),
    )


def _first_words(units: Units, starts: IntArray, tokens: IntArray) -> IntArray:
    """Position of each unit's first word among the words, which begin at ``tokens``; their number where
    there is none near."""
    start = np.maximum(starts.searchsorted(units.column("content"), side="right") - 1, 0)
    found = tokens.searchsorted(start)
    near = np.append(tokens, _NOWHERE).take(found) <= start + _MARKS
    return np.where(near, found, len(tokens))


def _word_keys(ids: IntArray, continues: BoolArray, tokens: IntArray, words: Vocabulary) -> IntArray:
    """A key of the word that begins at each of ``tokens``: equal words have equal keys."""
    keys = words.canonical.take(ids.take(tokens))
    at = np.arange(len(tokens))
    for step in range(1, _PIECES):
        at = at[continues.take(tokens.take(at) + step)]
        keys[at] = keys[at] * 1_000_003 + ids.take(tokens.take(at) + step) + 1
    return keys


def _shared(
    keys: IntArray, unit_of: IntArray, name: BoolArray, rarity: FloatArray, count: int
) -> tuple[FloatArray, FloatArray]:
    """Links each occurrence of a word to the nearest earlier unit that has it."""
    order = np.argsort(keys, kind="stable")
    sorted_keys, sorted_units = keys[order], unit_of[order]
    distance = np.diff(sorted_units)
    where = np.flatnonzero((sorted_keys[1:] == sorted_keys[:-1]) & (distance > 0) & (distance <= REACH))
    cell = distance[where] * count + sorted_units[where + 1]
    origin = order[where + 1]
    weight, size = rarity[origin], (REACH + 1) * count
    names = np.bincount(cell, weights=name[origin].astype(float), minlength=size)
    terms = np.bincount(cell, weights=np.where(name[origin], 0.0, weight), minlength=size)
    shape = (REACH + 1, count)
    return names.astype(float).reshape(shape), terms.astype(float).reshape(shape)


def _earliest(flags: BoolArray, unit_of: IntArray, count: int) -> IntArray:
    """For each unit, the first position that is flagged; beyond all positions where none is."""
    found = np.full(count, _NOWHERE)
    where = np.flatnonzero(flags)[::-1]
    found[unit_of[where]] = where  # the last assignment is the earliest position
    return found


def _unresolved(first_third: IntArray, first_name: IntArray) -> FloatArray:
    """A pronoun after a name of its own unit mostly stands for that name, one before any seldom does."""
    return np.where(first_third < first_name, 1.0, _AFTER_A_NAME * (first_third < _NOWHERE))


def _cumulative(unit_of: IntArray, count: int) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.bincount(unit_of, minlength=count))]).astype(np.int64)
