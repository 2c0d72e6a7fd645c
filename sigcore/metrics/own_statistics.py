"""Own statistics: a known formula applied to the sums of your own counts per segment, from any program."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sigcore.errors import MismatchError, OptionError, ReadError
from sigcore.formatting import listed
from sigcore.metrics.contract import Metric, Options, References, choice_of, described, options_of, read_number
from sigcore.proof import Proof, Scored
from sigcore.registry import number_of
from sigcore.text.bleu import bleu_score
from sigcore.text.chunks import Done, in_chunks
from sigcore.text.meteor_score import METEOR_COLUMNS, METEOR_PARAMETERS, meteor_score
from sigcore.types import BETTER, Better, Floats

# The known formulas: the columns each needs, the names they have in files, and the score of their sums.

FormulaName = Literal["mean", "ratio", "f_beta", "precision", "recall", "bleu", "meteor", "aer"]
OptionValues = Mapping[str, object]
Rows = Callable[[Floats], Floats]


def as_they_are(given: Floats) -> Floats:
    """The numbers, unchanged."""
    return given


def with_the_first(given: Floats) -> Floats:
    """(n, K): the first column, and its sum with each of the others: hits and errors become hits and totals."""
    return np.column_stack([given[:, :1], given[:, 1:] + given[:, :1]])


def weighted(given: Floats) -> Floats:
    """(n, 2): score times weight, and the weight; 1 where there is none."""
    weight = given[:, 1] if given.shape[1] > 1 else np.ones(len(given))
    return np.column_stack([given[:, 0] * weight, weight])


def whole_chunks(given: Floats) -> Floats:
    """Rows of METEOR in which a segment that is one chunk as a whole counts no chunk.

    The Java program prints one chunk for it, but counts none.
    """
    out = given.copy()
    whole = (given[:, 20] == 1) & (given[:, 0] == given[:, 21]) & (given[:, 1] == given[:, 22])
    out[whole, 20] = 0.0
    return out


@dataclass(frozen=True)
class ColumnLayout:
    """Names that the numbers of a formula have in files, and how its columns are computed from them."""

    names: tuple[str, ...]
    rows: Rows = as_they_are


@dataclass(frozen=True)
class Formula:
    """A score of sums (..., K) of `columns`, nan where it is not defined.

    A perfect score is `gives` as computed and `scale` as it is usually written (for a mean: in the unit of the numbers).
    `layouts` are the names its columns have in files; the first one is the order in which users name columns.
    `not_above`: pairs of columns of which the first can never be larger. The columns from `counts` on cannot be
    negative.
    """

    title: str
    columns: tuple[str, ...]
    layouts: tuple[ColumnLayout, ...]
    score: Callable[[Floats, OptionValues], Floats]
    better: Better = "higher"
    gives: float = 1.0
    scale: float = 100.0
    not_above: tuple[tuple[int, int], ...] = ()
    counts: int = 0


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole; nan where the whole is 0."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)


def _ratio(sums: Floats, settings: OptionValues) -> Floats:
    return share(sums[..., 0], sums[..., 1])


def _f_beta(sums: Floats, settings: OptionValues) -> Floats:
    """F of sums (..., 3) of true positives, predicted and gold: (1 + b^2) tp / (predicted + b^2 gold).

    Equal to the weighted harmonic mean of precision and recall wherever both are defined, and 0 where only one is.
    Source: van Rijsbergen 1979, Chapter 7.
    """
    beta = float(str(settings["beta"]))
    square = beta * beta
    return share((1.0 + square) * sums[..., 0], sums[..., 1] + square * sums[..., 2])


def _meteor(sums: Floats, settings: OptionValues) -> Floats:
    language = str(settings["meteor_language"])
    chosen = METEOR_PARAMETERS.get(language, METEOR_PARAMETERS["other"])
    return meteor_score(sums, chosen.alpha, chosen.beta, chosen.gamma, chosen.delta, chosen.weights)


def _aer(sums: Floats, settings: OptionValues) -> Floats:
    links, sure, right_sure, right_possible = (sums[..., k] for k in range(4))
    return 1.0 - share(right_sure + right_possible, links + sure)


def _layouts(*names: str, rows: Rows = as_they_are) -> tuple[ColumnLayout, ...]:
    return tuple(ColumnLayout(tuple(text.split()), rows) for text in names)


def _bleu_names(length: str, reference: str, match: str, total: str) -> str:
    orders = range(1, 5)
    return " ".join([length, reference, *(f"{match}{k}" for k in orders), *(f"{total}{k}" for k in orders)])


_METEOR_SHORT = " ".join(
    ["hyp_len", "ref_len", "hyp_function", "ref_function"]
    + [f"m{k}_{side}_{kind}" for k in range(1, 5) for kind in ("content", "function") for side in ("hyp", "ref")]
    + ["chunks", "hyp_matches", "ref_matches"]
)

FORMULAS: dict[FormulaName, Formula] = {
    "mean": Formula(
        "mean",
        ("weighted_score", "weight"),
        _layouts("score weight", "value weight", "score", "value", rows=weighted),
        _ratio,
        scale=1.0,
        counts=1,
    ),
    "ratio": Formula(
        "ratio",
        ("numerator", "denominator"),
        _layouts("num den", "numerator denominator", "correct total", "hits total", "errors words", "edits words"),
        _ratio,
        counts=1,
    ),
    "f_beta": Formula(
        "F",
        ("tp", "predicted", "gold"),
        (
            *_layouts("tp pred gold", "tp predicted gold", "correct predicted gold", "match test gold"),
            *_layouts("tp fp fn", rows=with_the_first),
        ),
        _f_beta,
        not_above=((0, 1), (0, 2)),
    ),
    "precision": Formula(
        "precision",
        ("tp", "predicted"),
        (*_layouts("tp pred", "tp predicted", "correct predicted"), *_layouts("tp fp", rows=with_the_first)),
        _ratio,
        not_above=((0, 1),),
    ),
    "recall": Formula(
        "recall",
        ("tp", "gold"),
        (*_layouts("tp gold", "correct gold"), *_layouts("tp fn", rows=with_the_first)),
        _ratio,
        not_above=((0, 1),),
    ),
    "bleu": Formula(
        "BLEU",
        tuple(_bleu_names("length", "reference_length", "match", "total").split()),
        _layouts(
            _bleu_names("sys_len", "ref_len", "correct", "total"),
            _bleu_names("sys_len", "ref_len", "counts", "totals"),
            _bleu_names("length", "reference_length", "match", "total"),
        ),
        lambda sums, settings: bleu_score(sums),
        gives=100.0,
        not_above=((2, 6), (3, 7), (4, 8), (5, 9)),
    ),
    "meteor": Formula(
        "METEOR",
        METEOR_COLUMNS,
        _layouts(" ".join(METEOR_COLUMNS), _METEOR_SHORT, rows=whole_chunks),
        _meteor,
        not_above=((2, 0), (3, 1), (21, 0), (22, 1), (20, 21), (20, 22)),
    ),
    "aer": Formula(
        "AER",
        ("links", "sure", "links_and_sure", "links_and_possible"),
        _layouts("links sure links_and_sure links_and_possible", "A S A_and_S A_and_P", "A S AS AP"),
        _aer,
        better="lower",
        not_above=((2, 0), (2, 1), (3, 0), (2, 3)),
    ),
}


def fitting(formula: Formula, names: Sequence[str]) -> list[ColumnLayout]:
    """The layouts whose names are all present, ignoring case; a layout that is part of another is left out."""
    present = {name.lower() for name in names}
    layouts = [layout for layout in formula.layouts if {name.lower() for name in layout.names} <= present]
    return [one for one in layouts if not any(set(one.names) < set(other.names) for other in layouts)]


# Which columns of a file are the columns of a formula, and whether their numbers are valid for it.

# Counts may be shares of counts, whose last digits are rounded.
ROUNDING = 1e-9

SHOWN = 8  # names of columns that a message lists


def layout_of(formula: Formula, name: FormulaName, given: str, names: Sequence[str]) -> ColumnLayout:
    """The layout of the columns that the user names, "tp,pred,gold", among the `names` of the file.

    They are in the order of the formula, unless they are exactly the names of a known layout.
    Raises: OptionError for too many or too few; MismatchError for a name that the file does not have.
    """
    columns = tuple(column.strip() for column in given.split(",") if column.strip())
    missing = [column for column in columns if column not in names]
    if missing:
        raise MismatchError(
            f"There is no column {missing[0]!r}.", "", f"The segments have: {', '.join(names) or 'no names'}."
        )
    for layout in formula.layouts:
        if layout.names == columns:
            return layout
    for layout in formula.layouts:
        if len(layout.names) == len(columns):
            return ColumnLayout(columns, layout.rows)
    usual = formula.layouts[0].names
    raise OptionError(
        f"columns = {given!r} has {len(columns)} names; {name} needs {len(usual)}.",
        "",
        f"Give the names in this order: {','.join(usual)}.",
    )


def usual_layout(name: FormulaName, names: Sequence[str]) -> ColumnLayout:
    """The layout of a formula whose usual names are among the `names` of the file.

    Raises: MismatchError if there is none, or more than one.
    """
    formula = FORMULAS[name]
    layouts = fitting(formula, names)
    if len(layouts) == 1:
        return layouts[0]
    if layouts:
        both = " and as ".join(",".join(layout.names) for layout in layouts[:2])
        example = f"columns={','.join(layouts[0].names)}"
        raise MismatchError(f"{name} can be read as {both}.", "", f"Choose with columns, for example {example}.")
    have = listed(names, SHOWN) or "no names"
    what = f"{name} needs {','.join(formula.layouts[0].names)}; the segments have {have}."
    raise MismatchError(what, "", _other_formulas(names))


def _other_formulas(names: Sequence[str]) -> str:
    """How to fix names that do not fit the chosen formula."""
    others = [name for name, other in FORMULAS.items() if fitting(other, names)]
    fix = "Name the columns of the formula, in its order, with the option columns."
    return f"Choose the formula {' or '.join(others)}, which fits these names. Or: {fix}" if others else fix


def check_counts(formula: Formula, layout: ColumnLayout, rows: Floats) -> None:
    """Raise ReadError if a number is not valid for its column."""
    source = f"It was read from {', '.join(layout.names)}: check their order."
    for k in range(formula.counts, rows.shape[1]):
        bad = np.flatnonzero(rows[:, k] < 0)
        if len(bad):
            what = f"{formula.columns[k]} = {rows[bad[0], k]:g} is negative."
            raise ReadError(what, "", int(bad[0]) + 1, source)
    for low, high in formula.not_above:
        bad = np.flatnonzero(rows[:, low] > rows[:, high] * (1 + ROUNDING))
        if len(bad):
            row, (small, large) = rows[bad[0]], (formula.columns[low], formula.columns[high])
            what = f"{small} = {row[low]:g} is more than {large} = {row[high]:g}."
            raise ReadError(what, "", int(bad[0]) + 1, source)


# Segments written as "name=number name=number ...": the names, and one row of numbers per segment.

SHAPE = "Write each segment as name=number separated by spaces, for example: tp=3 pred=5 gold=4."


def read_rows(segments: Sequence[str], done: Done | None = None) -> tuple[tuple[str, ...], Floats]:
    """(names of the first segment, numbers (n, names) of every segment in that order).

    Raises: ReadError for text that is not name=number, a repeated name, and a segment with other names.
    """
    names = tuple(_read(segments[0], 1)) if segments else ()
    known = set(names)
    rows = np.empty((len(segments), len(names)))

    def work(start: int, stop: int) -> None:
        for i in range(start, stop):
            numbers = _read(segments[i], i + 1)
            if numbers.keys() != known:
                what = f"This line has {_all(tuple(numbers))}; line 1 has {_all(names)}."
                raise ReadError(what, "", i + 1, "Give every segment the same names.")
            rows[i] = [numbers[name] for name in names]

    in_chunks(len(segments), work, done)
    return names, rows


def _read(segment: str, line: int) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for part in segment.split():
        name, equals, number = part.partition("=")
        if not (name and equals):
            raise ReadError(f"{part[:40]!r} is not name=number.", "", line, SHAPE)
        if name in numbers:
            raise ReadError(f"{name} appears twice.", "", line, "Give each name once per segment.")
        numbers[name] = read_number(number)
        if math.isnan(numbers[name]):
            raise ReadError(
                f"{name} = {number[:40]!r} is not a number.", "", line, "Every segment needs finite numbers."
            )
    return numbers


def _all(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "no names"


def _name(options: Options) -> FormulaName:
    return choice_of(options, "formula", tuple(FORMULAS))


def _formula(options: Options) -> Formula:
    return FORMULAS[_name(options)]


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, K): the columns of the formula, computed from the numbers of each segment."""
    formula, name = _formula(options), _name(options)
    names, values = read_rows(segments, done)
    given = str(options["columns"] or "")
    layout = layout_of(formula, name, given, names) if given else usual_layout(name, names)
    place = {name.lower(): k for k, name in enumerate(names)} | {name: k for k, name in enumerate(names)}
    rows = layout.rows(values[:, [place[name if name in place else name.lower()] for name in layout.names]])
    check_counts(formula, layout, rows)
    return rows


def score(sums: Floats, options: Options) -> Floats:
    """The formula of sums (..., K), times the scale."""
    formula = _formula(options)
    return formula.score(sums, options) * (_scale(options) / formula.gives)


def _scale(options: Options) -> float:
    return _formula(options).scale if options["scale"] is None else number_of(options, "scale")


def columns(options: Options) -> tuple[str, ...]:
    """The names of the formula's columns."""
    return _formula(options).columns


def better(options: Options) -> Better:
    """As the user declared it; else the formula's direction."""
    return _formula(options).better if options["better"] is None else choice_of(options, "better", BETTER)


def title(options: Options) -> str:
    """The name that the user gave, or that of the formula: F1, mean, BLEU ..."""
    if options["label"]:
        return str(options["label"])
    return f"F{number_of(options, 'beta'):g}" if _name(options) == "f_beta" else _formula(options).title


def describe(references: References, options: Options) -> str:
    """Every setting that the score depends on."""
    own = OWN_OPTIONS.get(_name(options), ())
    parts = [f"formula:{options['formula']}", f"columns:{options['columns'] or 'by name'}"]
    parts += [f"{name}:{options[name]}" for name in own]
    return "|".join(["own_statistics", *parts, f"better:{better(options)}", f"scale:{_scale(options):g}"])


# Options that a single formula reads.
OWN_OPTIONS: dict[FormulaName, tuple[str, ...]] = {"f_beta": ("beta",), "meteor": ("meteor_language",)}

COUNTS = (("tp=3 pred=5 gold=4",), ("tp=1 pred=6 gold=2",), ("tp=4 pred=4 gold=9",))
PROOF = Proof(
    (
        Scored(COUNTS, "100 * 2 * 8 / (15 + 15)", "by hand: F of the sums 8, 15 and 15"),
        Scored(COUNTS[:2], "100 * 5 * 4 / (11 + 4 * 6)", "by hand: recall counts twice", {"beta": 2}),
        Scored(COUNTS[:2], "100 * 4 / 11", "by hand: 4 of the 11 predicted", {"formula": "precision"}),
        Scored(COUNTS[:2], "100 * 4 / 6", "by hand: 4 of the 6 of gold", {"formula": "recall"}),
        Scored((("num=3 den=7",), ("num=1 den=2",)), "100 * 4 / 9", "by hand: 4 of 9", {"formula": "ratio"}),
        Scored((("score=2 weight=3",), ("score=5 weight=1",)), "11 / 4", "by hand: 6 + 5 of 4", {"formula": "mean"}),
    ),
    golden=("uaslas.evalpl", "evalb", "meteor.java15"),
)

METRIC = Metric(
    **described("own_statistics"),
    title=title,
    kind="statistics",
    better=better,
    columns=columns,
    statistics=statistics,
    score=score,
    describe=describe,
    decimals=lambda options: 2 if _scale(options) >= 100 else 4,
    options=options_of("own_statistics", formula=tuple(FORMULAS), better=BETTER),
    proof=PROOF,
)
