"""Constituency F1: labelled brackets shared with the gold tree, as evalb counts them with COLLINS.prm."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sigcore.metrics.contract import (
    AVERAGES,
    Average,
    Metric,
    Options,
    average,
    choice_of,
    described,
    only_reference,
    options_of,
    settings,
)
from sigcore.proof import Proof
from sigcore.text.chunks import Done, in_chunks
from sigcore.types import Floats

# Constituency trees: their words and labelled brackets under evalb's conventions, and the brackets that two share.

TOKEN = re.compile(r"[()]|[^()\s]+")
FUNCTION = re.compile("[-=]")
COLUMNS = ("matched", "gold_brackets", "system_brackets", "skipped")

Bracket = tuple[str, int, int]


@dataclass(frozen=True)
class Conventions:
    """What is not counted: `deleted` labels (words with these tags, brackets with these labels); and which labels are
    the same (`alias` -> label)."""

    deleted: frozenset[str]
    alias: tuple[tuple[str, str], ...]

    def label(self, label: str) -> str:
        """The label as it is compared: without function tag and index, and with its alias replaced."""
        plain = FUNCTION.split(label, maxsplit=1)[0]
        return dict(self.alias).get(plain, plain)


# The parameters of Collins (1999), used for most published figures on the Penn Treebank.
COLLINS = Conventions(frozenset(("TOP", "-NONE-", ",", ":", "``", "''", ".")), (("PRT", "ADVP"),))


@dataclass(frozen=True, eq=False)
class Parse:
    """The words that are counted, and the number of times each bracket (label, first word, word after the last) occurs."""

    words: tuple[str, ...]
    brackets: Counter[Bracket]


@dataclass
class _Open:
    """A bracket that is not closed yet: its label, where it starts, and whether it contains a word or brackets."""

    label: str | None
    start: int
    word: bool = False
    brackets: bool = False


@dataclass
class _Parser:
    """Reads one segment token by token; each step is False if the token is not allowed there."""

    conventions: Conventions
    words: list[str] = field(default_factory=list)
    brackets: list[Bracket] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)

    def take(self, token: str) -> bool:
        if token == "(":
            return self._open()
        if not self.stack:
            return False
        return self._close() if token == ")" else self._take_text(token)

    def _open(self) -> bool:
        if self.stack:
            outer = self.stack[-1]
            outer.label, outer.brackets = outer.label or "", True
        self.stack.append(_Open(None, len(self.words)))
        return True

    def _close(self) -> bool:
        closed = self.stack.pop()
        if closed.word and closed.brackets:
            return False
        if not closed.word and len(self.words) > closed.start and closed.label not in self.conventions.deleted:
            label = self.conventions.label(closed.label or "")
            self.brackets.append((label, closed.start, len(self.words)))
        return True

    def _take_text(self, text: str) -> bool:
        inner = self.stack[-1]
        if inner.label is None:
            inner.label = text
            return True
        if inner.word or inner.brackets:
            return False
        inner.word = True
        if inner.label not in self.conventions.deleted:
            self.words.append(text)
        return True


def read_parse(segment: str, conventions: Conventions = COLLINS) -> Parse | None:
    """The parse of one segment; None if brackets are not closed, or a word is in the wrong place.

    Several trees in one segment are read as one, an outer bracket without a label has the label "", and a bracket
    that contains no counted word is left out.
    """
    parser = _Parser(conventions)
    if not all(map(parser.take, TOKEN.findall(segment))) or parser.stack:
        return None
    return Parse(tuple(parser.words), Counter(parser.brackets))


def _count(own: Parse | None, gold: Parse | None, count_failures: bool) -> tuple[int, int, int, int]:
    if own is None or gold is None or not own.words or own.words != gold.words:
        missed = gold.brackets.total() if gold is not None and count_failures else 0
        return 0, missed, 0, 1
    return (own.brackets & gold.brackets).total(), gold.brackets.total(), own.brackets.total(), 0


TITLES: dict[Average, str] = {"f": "Constituency F1", "precision": "Bracket precision", "recall": "Bracket recall"}


def statistics(segments: Sequence[str], prepared: list[Parse | None], options: Options, done: Done | None) -> Floats:
    """(n, 4): brackets matched, of gold, of the system, and 1 where the segment is skipped.

    A segment is skipped where there is no parse, or its words are not those of gold. It then counts nothing; with
    `count_failures` its gold brackets count as missed.
    """
    counts = np.zeros((len(segments), len(COLUMNS)))

    def work(start: int, stop: int) -> None:
        for i in range(start, stop):
            counts[i] = _count(read_parse(segments[i]), prepared[i], bool(options["count_failures"]))

    in_chunks(len(segments), work, done)
    return counts


def score(sums: Floats, options: Options) -> Floats:
    """F1, precision or recall, 0 to 100, of sums (..., 4); nan where there is no bracket to divide by."""
    return average(sums[..., 0], sums[..., 2], sums[..., 1], options)


def title(options: Options) -> str:
    """F1, precision or recall, in words."""
    return TITLES[choice_of(options, "average", AVERAGES)]


def remarks(rows: Mapping[str, Floats], options: Options) -> list[str]:
    """One sentence with the number of skipped sentences of every system that has any."""
    skipped = {system: int(values[:, 3].sum()) for system, values in rows.items() if values[:, 3].any()}
    if not skipped:
        return []
    systems = ", ".join(f"{system} {count}" for system, count in skipped.items())
    consequence = (
        "Their gold brackets count as missed."
        if options["count_failures"]
        else "They are left out, as in evalb, which favours a system that fails; count_failures counts them."
    )
    reason = "without a parse, or with other words than the gold tree"
    return [f"{title(options)} skips sentences {reason}: {systems}. {consequence}"]


METRIC = Metric(
    **described("constituency_f1"),
    title=title,
    kind="brackets",
    better="higher",
    columns=COLUMNS,
    prepare=lambda references, options: [
        read_parse(segment) for segment in only_reference(references, "Constituency F1")
    ],
    statistics=statistics,
    score=score,
    describe=lambda references, options: settings("constituency_f1|parameters:COLLINS", options),
    remarks=remarks,
    options=options_of("constituency_f1", average=AVERAGES),
    proof=Proof(oracle="of_metrics:constituency_f1", golden=("evalb",)),
)
