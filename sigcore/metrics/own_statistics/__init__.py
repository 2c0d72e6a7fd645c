"""Own statistics: a known formula over the sums of your own counts per segment, from any program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sigcore.errors import MismatchError, OptionError, ReadError
from sigcore.metrics.contract import Done, Metric, Options, References
from sigcore.registry import Option
from sigcore.text.formulas import FORMULAS, Formula, Layout, fitting
from sigcore.text.named_numbers import read_rows
from sigcore.types import Better, Floats

# Counts may be shares of counts, whose last digits are rounded.
ROUNDING = 1e-9


SHOWN = 8  # names of columns that a message repeats

# Only what a person may have to type: the many columns of BLEU and METEOR have the names that their programs print.
USUAL = "; ".join(
    f"{name} {','.join(formula.layouts[0].names)}" for name, formula in FORMULAS.items() if len(formula.columns) < 5
)


def _formula(options: Options) -> Formula:
    return FORMULAS[str(options["formula"])]


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, K): the columns of the formula, made of the numbers of each segment."""
    formula = _formula(options)
    names, values = read_rows(segments, done)
    layout = _named(formula, options, names) if options["columns"] else _known(formula, options, names)
    place = {name.lower(): k for k, name in enumerate(names)} | {name: k for k, name in enumerate(names)}
    rows = layout.rows(values[:, [place[name if name in place else name.lower()] for name in layout.names]])
    _check(formula, layout, rows)
    return rows


def _named(formula: Formula, options: Options, names: Sequence[str]) -> Layout:
    """The columns as the person names them: in the order of the formula, or under names it knows.

    Raises: OptionError for too many or too few; MismatchError for one that is not there.
    """
    given = tuple(name.strip() for name in str(options["columns"]).split(",") if name.strip())
    missing = [name for name in given if name not in names]
    if missing:
        raise MismatchError(
            f"There is no column {missing[0]!r}.", "", f"The segments have: {', '.join(names) or 'no names'}."
        )
    known = next((layout for layout in formula.layouts if layout.names == given), None)
    if known is not None:
        return known
    lengths = {len(layout.names) for layout in formula.layouts}
    if len(given) not in lengths:
        needed = " ".join(formula.layouts[0].names)
        raise OptionError(
            f"columns = {options['columns']!r} names {len(given)}, {options['formula']} needs {len(needed.split())}.",
            "",
            f"Name them in the order: {needed.replace(' ', ',')}.",
        )
    return Layout(given, next(layout.rows for layout in formula.layouts if len(layout.names) == len(given)))


def _known(formula: Formula, options: Options, names: Sequence[str]) -> Layout:
    """The columns under the names they usually have.

    Raises: MismatchError where they are not there, or there under two names.
    """
    found = fitting(formula, names)
    if len(found) == 1:
        return found[0]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    own, have = options["formula"], ", ".join(names[:SHOWN]) + more or "no names"
    if found:
        both = " and as ".join(",".join(layout.names) for layout in found[:2])
        raise MismatchError(
            f"{own} can be read as {both}.", "", f"Choose with columns, for example columns={','.join(found[0].names)}."
        )
    others = [name for name, other in FORMULAS.items() if fitting(other, names)]
    usual = ",".join(formula.layouts[0].names)
    fix = "Say with the option columns which of them these are, in that order."
    if others:
        fix = f"Choose the formula {' or '.join(others)}, which these names fit, or say with the option columns which "
        fix += "of them these are, in that order."
    raise MismatchError(f"{own} needs {usual}; the segments have {have}.", "", fix)


def _check(formula: Formula, layout: Layout, rows: Floats) -> None:
    """Nothing; ReadError where numbers cannot be the counts they are taken for."""
    for k in range(formula.counts, rows.shape[1]):
        bad = np.flatnonzero(rows[:, k] < 0)
        if len(bad):
            what = f"{formula.columns[k]} = {rows[bad[0], k]:g} is negative."
            raise ReadError(
                what, "", int(bad[0]) + 1, f"It was read from {', '.join(layout.names)}: is the order right?"
            )
    for low, high in formula.not_above:
        bad = np.flatnonzero(rows[:, low] > rows[:, high] * (1 + ROUNDING))
        if len(bad):
            row, (small, large) = rows[bad[0]], (formula.columns[low], formula.columns[high])
            what = f"{small} = {row[low]:g} is more than {large} = {row[high]:g}."
            raise ReadError(
                what, "", int(bad[0]) + 1, f"It was read from {', '.join(layout.names)}: is the order right?"
            )


def score(sums: Floats, options: Options) -> Floats:
    """The formula of sums (..., K), times the scale."""
    formula = _formula(options)
    return formula.score(sums, options) * (_scale(options) / formula.gives)


def _scale(options: Options) -> float:
    given = options["scale"]
    return _formula(options).scale if given is None else float(given)


def columns(options: Options) -> tuple[str, ...]:
    """What the formula is made of."""
    return _formula(options).columns


def better(options: Options) -> Better:
    """As declared by the person; else as the formula has it."""
    return "lower" if (options["better"] or _formula(options).better) == "lower" else "higher"


def decimals(options: Options) -> int:
    """Two where the scale reaches a hundred, else four."""
    return 2 if _scale(options) >= 100 else 4


def title(options: Options) -> str:
    """The name the person gave, or that of the formula: F1, mean, BLEU ..."""
    if options["label"]:
        return str(options["label"])
    return f"F{float(str(options['beta'])):g}" if options["formula"] == "f_beta" else _formula(options).title


def describe(references: References, options: Options) -> str:
    """Everything that decides the score."""
    own = {"f_beta": ("beta",), "meteor": ("meteor_language",)}.get(str(options["formula"]), ())
    parts = [f"formula:{options['formula']}", f"columns:{options['columns'] or 'by name'}"]
    parts += [f"{name}:{options[name]}" for name in own]
    return "|".join(["own_statistics", *parts, f"better:{better(options)}", f"scale:{_scale(options):g}"])


METRIC = Metric(
    name="own_statistics",
    title=title,
    kind="statistics",
    better=better,
    columns=columns,
    statistics=statistics,
    score=score,
    describe=describe,
    decimals=decimals,
    options=(
        Option("formula", "f_beta", choices=tuple(FORMULAS), help="What is computed from the sums of the columns."),
        Option(
            "columns",
            None,
            optional=True,
            help=f"The names of the columns in the order of the formula; empty = by their usual names: {USUAL}.",
        ),
        Option("beta", 1.0, low=0, high=100, help="Weight of recall against precision in f_beta."),
        Option(
            "meteor_language",
            "en",
            help="Whose parameters METEOR takes: en, cs, de, es, fr, ru, or any other for those of no language.",
        ),
        Option(
            "better", None, choices=("higher", "lower"), optional=True, help="Which way is better; empty = as usual."
        ),
        Option(
            "scale",
            None,
            low=1e-6,
            high=1e6,
            optional=True,
            help="What the score is multiplied by; empty = 100, but 1 for a mean.",
        ),
        Option("label", None, optional=True, help="What the score is called."),
    ),
    help="A formula over your own counts per segment (F from tp,pred,gold; a ratio; BLEU, METEOR, AER), from any program.",
    source="the formula's own; counts from the program that made them",
)
