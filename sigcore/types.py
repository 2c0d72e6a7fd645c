"""The closed sets of words, the array types, the unit of resampling, and the setup that every result holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Names = NDArray[np.str_]

# A value of an option, and what JSON holds.
Value = bool | int | float | str | None
Json: TypeAlias = "Value | Sequence[Json] | Mapping[str, Json]"
Row = dict[str, Json]  # of a table, or an object of JSON

# Numbers that are scores or features may be as large: tests compare variances, and a double cannot hold the square of 1e200.
LARGEST = 1e100

# What a test set holds, and the one way its segments are written (readers write it, metrics read it):
#   text        the segment as it is; "\n" inside one separates the sentences of a summary
#   scores      one number as text
#   trees       dependency tree: one word per "\n", its FORM, UPOS, HEAD and DEPREL separated by TAB (HEAD 0 = root)
#   alignments  word links separated by spaces, 0-based source-target: "0-0" sure, "1p2" possible; "" = no link
#   brackets    one constituency tree on one line, "(S (NP (DT the) ...))"; "" = no parse
#   spans       entities: the words separated by TAB, or the text; then one entity per "\n", its place, TAB and its type:
#               "0-2" the first two words, "0:9" the first nine letters
#   rankings    retrieval: the documents of a question, one per "\n", the best first; of judgments each with TAB and a number
#   statistics  counts as "name=number" separated by spaces, the same names in every segment
Kind = Literal["text", "scores", "trees", "alignments", "brackets", "spans", "rankings", "statistics"]
KINDS: tuple[Kind, ...] = get_args(Kind)

# The role of a stream of segments in a test set. "possible" is the second gold file of word links: it has the possible
# links, and the reference has the sure ones.
Role = Literal["reference", "possible", "source", "system", "documents", "domains", "ignored"]
ROLES: tuple[Role, ...] = get_args(Role)

# Which scores are better.
Better = Literal["higher", "lower"]
BETTER: tuple[Better, ...] = get_args(Better)

# Why: the user said it; the measure is known by its name; or nothing says it.
Why = Literal["stated", "known", "assumed"]
WHY: tuple[Why, ...] = get_args(Why)


@dataclass(frozen=True)
class Direction:
    """Which scores are better, and why."""

    better: Better = "higher"
    why: Why = "assumed"

    def __str__(self) -> str:
        """ "lower is better", "higher is better (assumed)"."""
        return f"{self.better} is better{' (assumed)' if self.why == 'assumed' else ''}"

    @property
    def condition(self) -> str:
        """ ", if higher is better (assumed)": the end of a verdict on an assumed direction; else ""."""
        return f", if {self}" if self.why == "assumed" else ""


HIGHER = Direction("higher", "known")


# Which differences a test looks for; greater: the row (the system) is better than the column (the baseline).
Side = Literal["two-sided", "greater", "less"]
SIDES: tuple[Side, ...] = get_args(Side)

# How counts become p; resampling/pvalues.py has the formulas.
# How an interval is made (sigcore/studies/intervals.py); "" where there is none.
IntervalMethod = Literal["inversion", "Tango", "basic", "percentile", "jackknife t", "Wilson", "mixed model", ""]

Estimator = Literal["valid", "paper"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)

# Whether resamples exactly on the cut-off count against the gain: all, none, or half of them.
TieRule = Literal["counted", "strict", "half"]
TIE_RULES: tuple[TieRule, ...] = get_args(TieRule)
TIES_AS_PRINTED: dict[TieRule, str] = {
    "strict": "ties are not counted against the gain",
    "half": "only half of the ties are counted against the gain",
}

# How several runs of each system are shuffled; studies/runs/shuffles.py has the tests.
SHUFFLE_NAMES = ("exact", "multeval")
NO_RUNS = "none"  # instead of a pattern of runs: names that share runs are rivals

# The severity of a finding: an "error" leaves something out, a "warning" may mislead, a "note" informs.
Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

# What happens to segments without a score for some system: leave the system out, leave the segment out for all
# systems, count it as 0 (a task that failed), or keep the gaps (for studies that compare each pair on the segments that
# both systems have).
Missing = Literal["refuse", "drop", "zero", "keep"]
MISSING: tuple[Missing, ...] = get_args(Missing)

UnitKind = Literal["segment", "document", "block"]
UNIT_KINDS: tuple[UnitKind, ...] = get_args(UnitKind)
LONGEST_BLOCK = 10**9


@dataclass(frozen=True)
class Unit:
    """The unit of resampling: a segment, a document, or a block of `length` consecutive segments.

    `called` is what the data call a document and its segments ("question", "answer"), where they say it.
    """

    kind: UnitKind = "segment"
    length: int = 1
    called: tuple[str, str] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"block:{self.length}" if self.kind == "block" else self.kind

    def noun(self, count: int) -> str:
        """The noun for that many units: "segment", "documents", "blocks of 50 segments"."""
        word = self.called[0] if self.called else self.kind
        noun = word if count == 1 else f"{word}s"
        return f"{noun} of {self.length:,} segment{'s' * (self.length != 1)}" if self.kind == "block" else noun

    @property
    def part(self) -> str:
        """The noun for what units are made of: "segment"."""
        return self.called[1] if self.called else "segment"


SEGMENT, DOCUMENT = Unit("segment"), Unit("document")
QUESTION = Unit("document", called=("question", "answer"))  # several rows of a question are answers of several runs

# What is called with progress (stage, done, total), and where the statistics of systems are kept.
Progress = Callable[[str, int, int], None]
Cache = MutableMapping[str, NDArray[np.float64]]

# The word for a choice that is left to the data: the unit, the correction, the number of resamples.
AUTO = "auto"
# The most resamples that are drawn without being requested: a verdict that they leave open is borderline.
MOST_DRAWN = 1_000_000


def read_unit(text: str | Unit) -> Unit:
    """The unit of a text such as "segment", "document" or "block:50".

    Raises: OptionError for anything else.
    """
    if isinstance(text, Unit):
        return text
    kind, _, length = text.strip().lower().partition(":")
    if kind == "segment" and not length:
        return SEGMENT
    if kind == "document" and not length:
        return DOCUMENT
    if kind == "block" and length.isascii() and length.isdigit() and 0 < int(length) < LONGEST_BLOCK:
        return Unit("block", int(length))
    raise OptionError(
        f"unit = {text!r}.", "", "Write segment, document or block:N, for example block:50 for 50 segments each."
    )


# The pairs that are tested, and corrected together.
FamilyKind = Literal["all pairs", "one baseline", "chosen pairs", "one planned pair"]
FAMILIES: tuple[FamilyKind, ...] = get_args(FamilyKind)


@dataclass(frozen=True)
class Comparisons:
    """The family of a study: which pairs of its systems are tested, and corrected together.

    "one baseline": every other system against `baseline`. "chosen pairs": `pairs` of (system, baseline). "one planned pair":
    the study has two systems, and their comparison was planned before any score was known. One-sided, all pairs are tested
    in both directions, the others from the system to the baseline. `late`: they were chosen after scores were known.

    Raises: OptionError for a kind that does not exist, and for one without its baseline or its pairs.
    """

    kind: FamilyKind = "all pairs"
    baseline: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    late: bool = False

    def __post_init__(self) -> None:
        once = {
            frozenset(pair): tuple(pair) for pair in reversed(self.pairs)
        }  # two systems are one pair, the first given
        object.__setattr__(self, "pairs", tuple(reversed(once.values())))
        if self.kind not in FAMILIES:
            raise OptionError(f"family = {self.kind!r}.", "", f"Choose from: {', '.join(FAMILIES)}.")
        if bool(self.baseline) != (self.kind == "one baseline") or bool(self.pairs) != (self.kind == "chosen pairs"):
            fix = "Give a baseline with 'one baseline', and pairs with 'chosen pairs', and neither with the others."
            raise OptionError(
                f"family = {self.kind!r} with baseline {self.baseline!r}, {len(self.pairs)} pairs.", "", fix
            )

    @property
    def whole(self) -> bool:
        """Whether it is all pairs."""
        return self.kind == "all pairs"

    def has(self, system: str, baseline: str) -> bool:
        """Whether the pair, in either order, is one of the family."""
        if self.kind == "one baseline":
            return self.baseline in (system, baseline)
        return self.kind != "chosen pairs" or {system, baseline} in [{*pair} for pair in self.pairs]

    def size(self, systems: Sequence[str]) -> int:
        """The number of tests, as `directed` lists them: of thousands of systems only this is cheap.

        Raises: as `directed`.
        """
        s = len(systems)
        return len(self.directed(systems)) if self.kind in ("chosen pairs", "one baseline") else s * (s - 1) // 2

    def directed(self, systems: Sequence[str]) -> NDArray[np.intp]:
        """The tests (P, 2) as positions of (system, baseline) in `systems`; of all pairs, each once, in order.

        Raises: OptionError for a system that is not there, or that is compared with itself.
        """
        if self.kind == "chosen pairs":
            chosen = list(self.pairs)
        elif self.kind == "one baseline":
            chosen = [(name, self.baseline) for name in systems if name != self.baseline]
        else:
            return np.column_stack(np.triu_indices(len(systems), k=1))
        for name in dict.fromkeys(name for pair in chosen for name in reversed(pair)):
            if name not in systems:
                raise OptionError(f"{name} is not among the systems.", "", f"Choose from: {', '.join(systems)}.")
        if alone := next((one for one, other in chosen if one == other), None):
            raise OptionError(f"{alone} is compared with itself.", "", "Choose two systems.")
        places = {name: k for k, name in enumerate(systems)}
        return np.array([(places[one], places[other]) for one, other in chosen], dtype=np.intp).reshape(-1, 2)


ALL_PAIRS, PLANNED_PAIR = Comparisons(), Comparisons("one planned pair")


@dataclass(frozen=True)
class Setup:
    """How a result was made: everything that is needed to reproduce it, and to print its numbers.

    `test` is "" for a result that holds several tests. `n` units were resampled, which contain `segments` segments. Where
    undecided pairs went on alone, `resamples` is the most that a pair has, and `fewest` the fewest (0: all have the same).
    `ties` is the tie rule, `least_p` the smallest adjusted p that R resamples can give (0 where p is exact, or c / R),
    `least_by_units` the smallest one that swaps of so few units can give (0 for other tests), `level` the confidence level of intervals, `decimals` the number of decimals the metric's scores and gains are printed
    with. `caveat` says what makes p too small, as far as it is known; "" if nothing is. `left_aside` is the design effect of
    documents that were not resampled although the test set has them, with its 95% interval; () where there is none.
    `instead` says why "auto" took segments although there are documents, and what that may cost; "" if it did not.
    `by_formula`: p is that of a distribution with estimated parameters, such as t: neither drawn nor exact. `p_exact`: p is
    exact, also where a correction counts `resamples`.
    """

    metric: str
    metric_title: str
    better: Better
    test: str
    test_title: str
    n: int
    resamples: int
    seed: int
    side: Side = "two-sided"
    unit: Unit = SEGMENT
    segments: int | None = None
    estimator: Estimator = "valid"
    ties: TieRule = "counted"
    correction: str = "none"
    correction_title: str = "none"
    level: float = 0.95
    least_p: float = 0.0
    least_by_units: float = 0.0
    decimals: int = 2
    caveat: str = ""
    left_aside: tuple[float, ...] = ()
    instead: str = ""
    signature: str = ""
    why: Why = "known"
    by_formula: bool = False
    p_exact: bool = False
    fewest: int = 0

    def __post_init__(self) -> None:
        if self.segments is None:
            object.__setattr__(self, "segments", self.n)
        if self.fewest == self.resamples:
            object.__setattr__(self, "fewest", 0)

    @property
    def direction(self) -> Direction:
        """Which scores are better, and why."""
        return Direction(self.better, self.why)

    @property
    def exact(self) -> bool:
        """Whether p is exact: all ways were counted, or nothing was drawn, and it is no formula's."""
        return self.p_exact or (not self.resamples and not self.by_formula)

    @property
    def as_printed(self) -> str:
        """How p differs from one that can be the basis of a verdict, because it follows a paper or another tool; "" if
        it does not. Without resamples neither rule changes p."""
        if not self.resamples:
            return ""
        rules = [TIES_AS_PRINTED[self.ties]] if self.ties in TIES_AS_PRINTED else []
        return " and ".join(rules + (["p is c / R, which can be 0"] if self.estimator == "paper" else []))

    def reaches(self, alpha: float) -> bool:
        """Whether R resamples, and swaps of the units, can give a p of at most alpha."""
        return max(self.least_p, self.least_by_units) <= alpha

    def no_verdict(self, alpha: float) -> bool:
        """Whether no p can be a verdict at alpha: it is as printed elsewhere, or none can be small enough."""
        return bool(self.as_printed) or not self.reaches(alpha)
