"""What the text itself says about which units belong together, before any weighing.

Cheap evidence only: shared names and terms, openings that point back, pronouns, lead-ins, paragraphs. All of
it is read off the tokens by array lookups, and all of it is local: a unit's evidence depends on the units
within reach, never on counts over the document, so that an edit elsewhere changes nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipeline.chunks.units import Units
from pipeline.chunks.vocabulary import Mark, Vocabulary
from pipeline.tokens import FloatArray, IntArray, TokenMap

BoolArray = npt.NDArray[np.bool_]

REACH = 12
"""Units back that a shared word may link."""
_PIECES = 4
"""Tokens of a word that tell it from others."""
_MARKS = 8
"""Tokens of markup and quotes skipped in search of a unit's first word."""
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
    entities: IntArray
    """Cumulative: names and rare terms before unit ``i``."""
    verbs: IntArray
    """Cumulative: verbs before unit ``i``."""


def gather(text: str, units: Units, token_map: TokenMap, words: Vocabulary) -> Evidence:
    """Evidence of all units of a text."""
    count = len(units)
    low, high = np.searchsorted(token_map.starts, (units.starts[0], units.ends[-1]))
    ids = token_map.ids[low:high]
    unit_of = np.repeat(np.arange(count), np.diff(units.tokens))
    marks = words.marks[ids]
    word, third = marks & Mark.WORD > 0, marks & Mark.THIRD_PERSON > 0
    begins = word.copy()
    begins[1:] &= (marks[1:] & Mark.SPACED > 0) | (marks[:-1] & Mark.ENDS_WORD == 0)
    continues = word & ~begins
    first = _first_words(units, token_map.starts[low:high], begins)
    name = marks & Mark.NAME > 0
    name[:-1] |= (marks[:-1] & Mark.INITIAL > 0) & continues[1:]
    name &= begins
    opening = first[first < len(ids)]
    term = begins & (marks & Mark.TERM > 0)
    term[opening] |= name[opening]  # a capital at the start of a sentence proves no name
    name[opening] = False
    keys = _word_keys(ids, continues, words)
    at = np.flatnonzero(name | term)
    names, terms = _shared(keys[at], unit_of[at], name[at], words.rarity[ids[at]], count)
    third &= begins
    points_back = third | (begins & (marks & Mark.DEMONSTRATIVE > 0))
    items = units.items
    return Evidence(
        names=names,
        terms=terms,
        opens_pronoun=np.append(points_back, False)[first],
        opens_connective=np.append(marks, np.uint16(0))[first] & Mark.CONNECTIVE > 0,
        refers=_refers(points_back, name, unit_of, count),
        unresolved=_unresolved(third, name, unit_of, count),
        pronouns=np.bincount(unit_of[third], minlength=count).astype(np.int64),
        same_block=np.array([not unit.starts_block for unit in items]),
        lead_in=np.array([False, *(text[unit.end - 1] == ":" for unit in items[:-1])]),
        starts_section=np.array([unit.starts_section for unit in items]),
        entities=_cumulative(unit_of[name | (term & (marks & Mark.RARE > 0))], count),
        verbs=_cumulative(unit_of[begins & (marks & Mark.VERB > 0)], count),
    )


def _first_words(units: Units, starts: IntArray, begins: BoolArray) -> IntArray:
    """Position of each unit's first word among the tokens; one past the end where there is none."""
    contents = np.array([unit.content for unit in units.items], dtype=np.int64)
    first = np.maximum(np.searchsorted(starts, contents, side="right") - 1, 0)
    padded = np.append(begins, np.ones(_MARKS + 1, dtype=bool))
    for _ in range(_MARKS):
        first = first + ~padded[first]
    return np.minimum(first, len(starts))


def _word_keys(ids: IntArray, continues: BoolArray, words: Vocabulary) -> IntArray:
    """For each position, a key of the word that begins there: equal words have equal keys."""
    keys = words.canonical[ids]
    going = np.append(continues, np.zeros(_PIECES, dtype=bool))
    at = np.arange(len(ids))
    for step in range(1, _PIECES):
        at = at[going[at + step]]
        keys[at] = keys[at] * 1_000_003 + ids[at + step] + 1
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


def _refers(points_back: BoolArray, name: BoolArray, unit_of: IntArray, count: int) -> BoolArray:
    first_pronoun = np.full(count, np.iinfo(np.int64).max)
    first_name = first_pronoun.copy()
    for flags, found in ((points_back, first_pronoun), (name, first_name)):
        where = np.flatnonzero(flags)[::-1]
        found[unit_of[where]] = where  # the last assignment is the earliest position
    return first_pronoun < first_name


def _unresolved(third: BoolArray, name: BoolArray, unit_of: IntArray, count: int) -> FloatArray:
    """A pronoun after a name of its own unit mostly stands for that name, one before any seldom does."""
    pointing = np.bincount(unit_of[third], minlength=count) > 0
    return np.where(_refers(third, name, unit_of, count), 1.0, _AFTER_A_NAME * pointing)


def _cumulative(unit_of: IntArray, count: int) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.bincount(unit_of, minlength=count))]).astype(np.int64)
