"""The section tree as arrays: which top-level section, which branch, which common section."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.normalized_text.model import Section
from pipeline.tokens import FloatArray, IntArray


class Outline:
    """Lookups over ``NormalizedText.sections``; sections are named by their index.

    ``top[s]`` is the section right under the root that holds ``s``. ``branch[s]`` is the one among the
    document's main sections: the level at which it first branches, below a single title where there is one.
    Both are ``s`` itself for what lies above that level.
    """

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = sections
        index = {section.section_id: i for i, section in enumerate(sections)}
        self.parent = [index.get(section.parent_id, -1) if section.parent_id else -1 for section in sections]
        self.depth: list[int] = []
        for parent in self.parent:
            self.depth.append(self.depth[parent] + 1 if parent >= 0 else 0)
        self.top = self._ancestors_at(1)
        self.branch = self._ancestors_at(self._branching_depth())

    def changes(self, sections: IntArray, ancestors: Sequence[int]) -> IntArray:
        """Positions at which the ancestor of ``sections`` changes, the first position included."""
        mapped = np.array(ancestors, dtype=np.int64).take(sections)
        return np.append(0, np.flatnonzero(mapped[1:] != mapped[:-1]) + 1)

    def strangeness(self, sections: IntArray) -> FloatArray:
        """For each unit's section, how far it is from that of the unit before: 0 the same, 1 a sibling or a
        child, 2 a sibling of its parent, and so on up the tree."""
        steps = np.zeros(len(sections))
        changed = np.flatnonzero(sections[1:] != sections[:-1])
        pairs = zip(sections[changed].tolist(), sections[changed + 1].tolist(), strict=True)
        steps[changed + 1] = [
            max(1, self.depth[before] - self.depth[self._common(before, section)])
            for before, section in pairs
        ]
        return steps

    def section_of(self, sections: Sequence[int], from_start: bool) -> int:
        """The section a chunk is filed under.

        What starts with a section's own heading is filed under the section that holds all of it; what starts
        inside a section has no heading for it in its text, so it is filed under the section it starts in.
        """
        first = sections[0]
        if not from_start:
            return first
        common = first
        for section in dict.fromkeys(sections):
            common = self._common(common, section)
        return common

    def _common(self, a: int, b: int) -> int:
        while a != b:
            if self.depth[a] >= self.depth[b]:
                a = self.parent[a]
            else:
                b = self.parent[b]
        return a

    def _ancestors_at(self, depth: int) -> list[int]:
        found: list[int] = []
        for section, parent in enumerate(self.parent):
            found.append(section if self.depth[section] <= depth else found[parent])
        return found

    def _branching_depth(self) -> int:
        """Depth of the main sections: 1, or 2 below a single title that has sections of its own."""
        tops = [i for i, depth in enumerate(self.depth) if depth == 1]
        return 2 if len(tops) == 1 and any(depth == 2 for depth in self.depth) else 1
