"""The second route to a member's numbers, stated in its record: worked examples, an oracle, figures of another program.

The contract tests of the family check all of it, and that it would notice a member that is broken in a usual way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sigcore.types import Side

# A number as text: a calculation ("100 * 3 / 7") that holds exactly, or a printed figure ("42.9") that holds up to its
# last decimal. So a reader can follow the arithmetic.
Figure = str
Given = Mapping[str, bool | int | float | str | None]


@dataclass(frozen=True)
class Scored:
    """A worked example of a metric: the output and references of each segment, and the score of them all together.

    Of a metric whose files contain numbers a segment is one text.
    """

    segments: tuple[tuple[str, ...], ...]
    score: Figure
    origin: str
    options: Given = field(default_factory=dict)


@dataclass(frozen=True)
class Paired:
    """A worked example of a test: the scores of system and baseline on each unit, and p for the gain of their means."""

    units: tuple[tuple[float, float], ...]
    p_value: Figure
    origin: str
    side: Side = "two-sided"


@dataclass(frozen=True)
class Adjusted:
    """A worked example of a correction: the p-values of m tests, and what they become.

    For a correction that uses the joint null, `observed` are the m gains and `null` (m, R) the drawn ones.
    """

    p_values: tuple[float, ...]
    adjusted: tuple[Figure, ...]
    origin: str
    observed: tuple[float, ...] = ()
    null: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class Lost:
    """A worked example of a loss: scores and qualities of one list in the order of quality, and its loss."""

    scores: tuple[float, ...]
    quality: tuple[float, ...]
    loss: Figure
    origin: str
    options: Given = field(default_factory=dict)


@dataclass(frozen=True)
class Learned:
    """A worked example of an optimizer: lists of hypotheses (features, quality), and the mean quality that it reaches.

    It starts from weights that choose the worst of every list.
    """

    lists: tuple[tuple[tuple[tuple[float, ...], float], ...], ...]
    quality: Figure
    origin: str
    options: Given = field(default_factory=dict)


@dataclass(frozen=True)
class Named:
    """A worked example of a choice without weights: the column that its options name."""

    column: str
    origin: str
    options: Given = field(default_factory=dict)


@dataclass(frozen=True)
class Parsed:
    """What the example file of a format contains, each stream as (role, name, segments).

    Judgments are one stream with that role, of which a segment is the system, its segment and the score; so are preferences, each
    with both systems, the outcome and the question.
    """

    streams: tuple[tuple[str, str, tuple[str, ...]], ...]
    origin: str = "the example file, read by a person"


Example = Scored | Paired | Adjusted | Lost | Learned | Named | Parsed


@dataclass(frozen=True)
class Proof:
    """How a member's numbers are checked: `examples`, or an `oracle`, or both.

    `oracle` names a slow and obvious function, "module:function" in tests/oracles. `golden` names what was printed by
    other programs: the first words of file names in tests/golden, which are compared beside the examples and the oracle.
    """

    examples: tuple[Example, ...] = ()
    oracle: str = ""
    golden: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything that the contract tests can run."""
        return bool(self.examples or self.oracle)

    def __str__(self) -> str:
        """What it consists of, for the docs."""
        count, figures = len(self.examples), ", ".join(f"`{name}`" for name in self.golden)
        module, _, function = self.oracle.partition(":")
        parts = [f"{count} worked example{'s' if count > 1 else ''}" if count else ""]
        parts.append(f"the slow twin `{function}` in `tests/oracles/{module}.py`" if function else "")
        parts.append(f"printed figures ({figures})" if figures else "")
        return ", ".join(part for part in parts if part)


NONE = Proof()


def parsed(*streams: tuple[str, str, tuple[str, ...]]) -> Proof:
    """The proof of a format whose example file contains these streams: (role, name, segments)."""
    return Proof((Parsed(streams),))
