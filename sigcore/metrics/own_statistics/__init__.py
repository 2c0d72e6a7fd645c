"""Own statistics: a known formula applied to the sums of your own counts per segment, from any program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sigcore.metrics.contract import Done, Metric, Options, References, choice_of, number_of
from sigcore.metrics.own_statistics.columns import check_counts, layout_of, usual_layout
from sigcore.metrics.own_statistics.formulas import FORMULAS, Formula, FormulaName
from sigcore.metrics.own_statistics.named_numbers import read_rows
from sigcore.registry import Option
from sigcore.types import BETTER, Better, Floats

# Only names that a user may have to type: the many columns of BLEU and METEOR have the names that their programs print.
USUAL = "; ".join(
    f"{name} {','.join(formula.layouts[0].names)}" for name, formula in FORMULAS.items() if len(formula.columns) < 5
)


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


def decimals(options: Options) -> int:
    """2 for a scale of 100 or more, else 4."""
    return 2 if _scale(options) >= 100 else 4


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
        Option(
            "formula", "f_beta", choices=tuple(FORMULAS), help="The formula that is applied to the sums of the columns."
        ),
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
            help="The language whose parameters METEOR uses: en, cs, de, es, fr or ru; any other value uses the general ones.",
        ),
        Option(
            "better", None, choices=BETTER, optional=True, help="Whether higher or lower is better; empty = as usual."
        ),
        Option(
            "scale",
            None,
            low=1e-6,
            high=1e6,
            optional=True,
            help="Factor that the score is multiplied by; empty = 100, but 1 for a mean.",
        ),
        Option("label", None, optional=True, help="Name of the score."),
    ),
    help="A formula applied to your own counts per segment (F from tp,pred,gold; a ratio; BLEU, METEOR, AER), from any program.",
    source="the source of the formula; counts from the program that computed them",
)
