"""From the head token of a noun phrase to what it stands for: a name, a description, a pronoun, a literal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pipeline.extractions.local import lexicon
from pipeline.extractions.local.mentions import Literal as LiteralMention
from pipeline.extractions.local.mentions import Name
from pipeline.extractions.local.readings import Reading
from pipeline.extractions.model import Modality

if TYPE_CHECKING:
    from spacy.tokens import Token

ArgumentKind = Literal["named", "nominal", "pronominal", "literal"]

_INNER = frozenset({"compound", "amod", "nmod", "nummod", "poss", "advmod", "punct", "quantmod", "npadvmod"})
_NOMINAL_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "CD", "FW", "ADD"})
_TIMED = frozenset({"DATE", "TIME"})


@dataclass(frozen=True, slots=True)
class Argument:
    """One end of a claim: tokens ``first`` to ``last`` (both included) around ``head``.

    ``negated`` where the phrase itself denies ("no service", "not B"); ``modality`` where it hedges
    ("the proposed owner", "A or B"); ``definite`` where it takes up something known ("the controller").
    """

    kind: ArgumentKind
    first: int
    last: int
    head: int
    negated: bool = False
    modality: Modality | None = None
    definite: bool = False


@dataclass(frozen=True, slots=True)
class Phrases:
    """The names and literals of a sentence, looked up by token."""

    reading: Reading
    names: dict[int, Name]
    literals: dict[int, LiteralMention]

    @classmethod
    def of(cls, reading: Reading, names: Sequence[Name], literals: Sequence[LiteralMention]) -> Phrases:
        """Index the spans by each of their tokens."""
        return cls(
            reading,
            {index: name for name in names for index in range(name.first, name.last + 1)},
            {index: literal for literal in literals for index in range(literal.first, literal.last + 1)},
        )

    def arguments(
        self, head: Token, anchor: Token | None = None, as_class: bool = False
    ) -> Iterator[Argument]:
        """The argument at ``head`` and those coordinated with it, each by itself. Only conjuncts on the
        same side of the ``anchor`` count: what follows a relative clause is not what it is about."""
        listed = [child for child in head.children if child.dep_ == "appos" and child.i in self.names]
        if len(listed) == 1 and head.tag_ == "NNS":
            head = listed[0]
        together = self._listed(head)
        heads = [
            (token, excluded)
            for token, excluded in ([(each, False) for each in together] or _coordinated(head))
            if anchor is None or (token.i < anchor.i) == (head.i < anchor.i)
        ]
        either = any(
            child.dep_ == "cc" and child.lower_ == "or" for token, _ in heads for child in token.children
        )
        neither = any(
            child.lower_ in ("neither", "nor") and child.dep_ in ("cc", "preconj", "det")
            for token, _ in heads
            for child in token.children
        )
        for token, excluded in heads:
            argument = self.argument(token, as_class)
            if argument is None:
                continue
            yield Argument(
                argument.kind,
                argument.first,
                argument.last,
                argument.head,
                argument.negated or excluded or neither or _displaced(token),
                argument.modality or ("possible" if either else None),
                argument.definite,
            )

    def argument(self, head: Token, as_class: bool = False) -> Argument | None:
        """What the noun phrase at ``head`` alone stands for; None where it is no noun phrase. ``as_class``
        reads it as what something is: "the PostgreSQL database" is then a kind of database, not
        PostgreSQL."""
        words = self.reading.words
        name = self.names.get(head.i)
        if name is None and not as_class:
            name = self._named_by_type(head) or self._appositive_name(head) or self._described_name(head)
        negated = any(
            child.lower_ in lexicon.NEGATORS and child.dep_ in ("det", "neg", "preconj")
            for child in head.children
        ) or head.lower_ in ("none", "nothing", "nobody", "neither")
        modality = modifier_stance(head)
        if name is not None:
            return Argument("named", name.first, name.last, head.i, negated, modality, True)
        if words[head.i].lower() in lexicon.PRONOUNS and head.pos_ in ("PRON", "DET"):
            return Argument("pronominal", head.i, head.i, head.i, negated, modality, True)
        literal = self._literal(head)
        if literal is not None:
            return Argument("literal", *literal, head.i, negated, modality)
        if head.tag_ not in _NOMINAL_TAGS and not negated:
            return None
        first, last = self._nominal_extent(head)
        timed = [self.literals[i] for i in range(first, last + 1) if i in self.literals]
        if timed and timed[0].label in _TIMED:
            return Argument("literal", min(first, timed[0].first), max(last, timed[-1].last), head.i, negated)
        return Argument("nominal", first, last, head.i, negated, modality, _definite(head))

    def _named_by_type(self, head: Token) -> Name | None:
        """ "The Kestrel service": the head only says what the name is."""
        name = self.names.get(head.i - 1)
        types = lexicon.CODE_TYPE_HEADS if head.i - 1 in self.reading.code else lexicon.TYPE_HEADS
        if name is None or head.lemma_.lower() not in types:
            return None
        if self.reading.doc[name.last].head.i != head.i or head.tag_ == "NNS":
            return None
        outside = [
            child
            for child in head.children
            if child.i < name.first and child.dep_ in ("amod", "compound", "poss")
        ]
        indefinite = any(child.lower_ in ("a", "an", "each", "every", "any") for child in head.children)
        return None if outside or indefinite else name

    def _appositive_name(self, head: Token) -> Name | None:
        """ "The billing service, Ledgerline": the description gives way to the name."""
        if head.tag_ not in ("NN",):
            return None
        found = [
            self.names[child.i] for child in head.children if child.dep_ == "appos" and child.i in self.names
        ]
        return found[0] if len(found) == 1 else None

    def _described_name(self, head: Token) -> Name | None:
        """ "Docketer, the ticket system, which …": the description stands for the name before it."""
        return self.names.get(head.head.i) if head.dep_ == "appos" and head.tag_ == "NN" else None

    def _listed(self, head: Token) -> list[Token]:
        """ "The PX-11 and PX-12 trackers": a plural that says what the coordinated names before it are."""
        last = self.names.get(head.i - 1) if head.tag_ == "NNS" and head.text.islower() else None
        if last is None or last.first < 2 or self.reading.words[last.first - 1] != "and":
            return []
        first = self.names.get(last.first - 2)
        return [] if first is None else [self.reading.doc[first.last], self.reading.doc[last.last]]

    def _literal(self, head: Token) -> tuple[int, int] | None:
        literal = self.literals.get(head.i)
        if literal is not None:
            return literal.first, literal.last
        counted = next(
            (
                self.literals[child.i]
                for child in head.children
                if child.dep_ == "nummod"
                and child.i in self.literals
                and child.i < head.i
                and self.literals[child.i].label != "VERSION"
            ),
            None,
        )
        if (
            counted is None
            or _definite(head)
            or any(index in self.names for index in range(counted.first, head.i))
        ):
            return None
        return counted.first, head.i

    def _nominal_extent(self, head: Token) -> tuple[int, int]:
        """The head with the modifiers right before it, without determiner and possessive."""
        doc, first = self.reading.doc, head.i
        while first > 0:
            before = doc[first - 1]
            inner = before.dep_ in _INNER and self._leads_to(before, first, head.i)
            if (
                not inner
                or self.reading.broken(first - 1)
                or before.dep_ == "poss"
                or before.tag_ in ("POS", "PRP$", "DT", "PDT", ",", ":", "-LRB-")
            ):
                break
            first -= 1
        while first < head.i and (not self.reading.words[first][0].isalnum()):
            first += 1
        return first, head.i

    def _leads_to(self, token: Token, first: int, last: int) -> bool:
        """Whether a modifier hangs, by other modifiers or as part of a name, on one of the tokens given."""
        for _ in range(4):
            if first <= token.head.i <= last:
                return True
            if token.head.dep_ not in _INNER or token.head.i == token.i:
                return False
            token = token.head
        return False


def _coordinated(head: Token) -> Iterator[tuple[Token, bool]]:
    """The head and its conjuncts; True marks those that a "not" excludes ("A but not B")."""
    yield head, False
    seen, node = 0, head
    while seen < 50:
        conjuncts = [child for child in node.children if child.dep_ == "conj"]
        if not conjuncts:
            return
        for conjunct in conjuncts:
            if conjunct.pos_ not in ("VERB", "AUX", "ADP"):
                before = {
                    conjunct.doc[index].lower_
                    for index in range(max(0, conjunct.left_edge.i - 2), conjunct.i)
                }
                denied = any(child.dep_ == "neg" for child in conjunct.children) or bool(
                    before & {"not", "never"}
                )
                yield conjunct, denied
        node = conjuncts[-1]
        seen += 1


def _displaced(head: Token) -> bool:
    """ "Instead of B", "rather than B", "not B": what the sentence sets aside."""
    edge = head.left_edge.i
    before = tuple(head.doc[index].lower_ for index in range(max(0, edge - 2), edge))
    if before[-1:] == ("but",) and before[0][:3] in ("any", "eve", "all", "not", "nob"):
        return True  # "anyone but B"
    return before[-1:] == ("not",) or before in (("instead", "of"), ("rather", "than"), ("other", "than"))


def modifier_stance(head: Token) -> Modality | None:
    """What "former", "proposed" or "alleged" make of the noun they stand before."""
    for child in head.children:
        word = child.lower_
        if child.dep_ not in ("amod", "compound", "advmod", "nmod") or not child.text.islower():
            continue
        if word in lexicon.ENDED_MODIFIERS:
            return "unknown"
        if word in lexicon.PLANNED_MODIFIERS:
            return "planned"
        if word in lexicon.POSSIBLE_MODIFIERS:
            return "possible"
    return None


def _definite(head: Token) -> bool:
    return any(
        (child.dep_ == "det" and child.lower_ in ("the", "this", "that", "these", "those", "both"))
        or child.dep_ == "poss"
        for child in head.children
    )
