"""Which columns of a file are the columns of a formula, and whether their numbers are valid for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sigcore.errors import MismatchError, OptionError, ReadError
from sigcore.formatting import listed
from sigcore.metrics.own_statistics.formulas import FORMULAS, Formula, FormulaName, Layout, fitting
from sigcore.types import Floats

# Counts may be shares of counts, whose last digits are rounded.
ROUNDING = 1e-9

SHOWN = 8  # names of columns that a message lists


def layout_of(formula: Formula, name: FormulaName, given: str, names: Sequence[str]) -> Layout:
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
            return Layout(columns, layout.rows)
    usual = formula.layouts[0].names
    raise OptionError(
        f"columns = {given!r} has {len(columns)} names; {name} needs {len(usual)}.",
        "",
        f"Give the names in this order: {','.join(usual)}.",
    )


def usual_layout(name: FormulaName, names: Sequence[str]) -> Layout:
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


def check_counts(formula: Formula, layout: Layout, rows: Floats) -> None:
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
