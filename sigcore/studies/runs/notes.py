"""Notes for the reader of a comparison of several runs: what p takes as given, and where it promises too much."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sigcore import formatting
from sigcore.formatting import count, listed
from sigcore.significance import LEAST_UNITS
from sigcore.studies.matrix import as_printed, of_both_sides, of_few_units, of_undefined
from sigcore.studies.runs.compute import CountedRuns, RunsRun
from sigcore.studies.runs.draws import MULTEVAL, NESTED, SHUFFLES
from sigcore.study import Settings
from sigcore.types import SEGMENT, Floats

GIVEN = (
    "p is about other runs and other units. The shuffle of runs takes these runs as given, and assumes that the outputs of "
    "all runs of both systems could change places within a unit."
)
# Measured with 100 and 1,000 segments; see docs/runs.md.
TWO_RUNS = (
    "Two runs of a system can hardly show how much its runs differ. At alpha 0.05 the mixed model then called up to 8% of "
    "equally good pairs different. Give three or more runs of each system."
)
MULTEVAL_FLAW = (
    "From three runs on, MultEval's shuffle may give both pseudo-systems an output that there is once, and none of them "
    "another one. Where the outputs of all runs could change places, gains then vary too little and p is too small; the "
    "exact shuffle does not do this."
)


def unstable(systems: Sequence[str], s_sel: Floats, s_opt: Floats) -> tuple[str, ...]:
    """The systems whose s_opt is above s_sel / 2."""
    return tuple(name for name, sel, opt in zip(systems, s_sel, s_opt, strict=True) if opt > sel / 2)


def _unstable(names: Sequence[str]) -> str:
    return (
        f"The runs of {listed(names)} differ by more than half of the standard deviation of one score (s_opt above s_sel / "
        "2). The shuffle of runs says too little about other runs; the mixed model counts how much they differ."
    )


def caveat(run: RunsRun, counted: CountedRuns) -> str:
    """What makes p too small, as far as it is known: two runs of a system, ignored documents; "" otherwise."""
    return " ".join(filter(None, (_two(run), _few_units(run), _ignored_documents(run, counted))))


def _few_units(run: RunsRun) -> str:
    """That the model leans on its distribution where units are few; "" otherwise."""
    if not run.by_model or run.n >= LEAST_UNITS:
        return ""
    return f"p assumes normal effects of {run.unit.noun(2)}, which {run.n} of them cannot show."


def _two(run: RunsRun) -> str:
    """That the pair with the fewest runs has two of each system, or even fewer; "" otherwise, and without any second run."""
    fewest = sum(sorted(run.sizes)[:2])
    return TWO_RUNS if run.by_model and 2 < fewest <= 4 else ""


def _alike(run: RunsRun, counted: CountedRuns) -> str:
    """That the runs of a system are more alike than those of two systems, if it is more than chance explains: with
    exchangeable outputs a ratio of variances has a standard error of about sqrt(2 / (n - 1))."""
    ratios = counted.alike[np.isfinite(counted.alike)]
    clear = ratios[ratios > 1 + 2 * np.sqrt(2 / max(run.n - 1, 1))]
    if run.n < LEAST_UNITS or not len(clear):
        return ""
    gains = "the gain varies" if len(ratios) == 1 else f"the gains of {count(len(clear), 'pair')} vary up to"
    return (
        f"The runs of a system are alike on a {run.unit.noun(1)}: {gains} {clear.max():.1f} times as much (a ratio of "
        "variances) as the shuffle of runs assumes, so its p is too small."
    )


def of_result(
    run: RunsRun, counted: CountedRuns, settings: Settings, scores: Sequence[Floats], s_opt: Floats
) -> tuple[str, ...]:
    """All notes on one metric."""
    title, out = counted.measured.title, list(run.notes)
    single = [name for name, own in zip(run.systems, scores, strict=True) if len(own) == 1]
    if single:
        out.append(
            f"Only one run of {listed(single)} was given. How much its runs differ is unknown, so nothing here covers that; "
            "give more runs (other seeds, or other tuning)."
        )
    names = unstable(run.systems, counted.s_sel[run.place], s_opt)
    if names:
        out.append(_unstable(names))
    if run.by_model:
        out += [GIVEN, _alike(run, counted), _two(run), _few_units(run)]
    if SHUFFLES[run.shuffle] is MULTEVAL:
        out.append(MULTEVAL_FLAW)
    out += _same(run, counted)
    out += _of_bootstrap(run, counted)
    out += (*of_both_sides(settings), *(() if run.by_model else as_printed(settings)))
    out += of_undefined([counted.shuffled, counted.swapped, counted.nested], title)
    out += _reversed(run, counted)
    ignored = _ignored_documents(run, counted)
    design = counted.design
    if run.unit != SEGMENT and design is not None and len(design.of_pairs):
        out.append(formatting.design_effect_sentence(run.unit, design.of_pairs.tolist()))
    return tuple(dict.fromkeys(note for note in [*out, ignored] if note))


def _of_bootstrap(run: RunsRun, counted: CountedRuns) -> tuple[str, ...]:
    """What is known of the hierarchical bootstrap over few units. With several runs it rejects too seldom in most worlds, so the
    rates of a bootstrap are not its own."""
    bootstrap = [] if run.by_model and run.n >= LEAST_UNITS else [NESTED]
    return of_few_units(run.unit, run.n, bootstrap, [counted.differing])


def _same(run: RunsRun, counted: CountedRuns) -> list[str]:
    """Notes on pairs whose sums over the runs are equal on every unit."""
    grid = counted.differing[np.ix_(run.place, run.place)] == 0
    return [
        f"{run.systems[a]} and {run.systems[b]} have the same {counted.measured.title} statistics, summed over the runs, on "
        f"every {run.unit.noun(1)}: p = 1."
        for a, b in zip(*np.nonzero(np.triu(grid, k=1)), strict=True)
    ]


def _reversed(run: RunsRun, counted: CountedRuns) -> list[str]:
    """A note where the averages order two systems otherwise than the scores of all runs as one output, which p is about."""
    gains, averages = counted.shuffled.gains, counted.nested.gains
    pairs = counted.shuffled.pairs[gains * averages < 0]
    names = {place: run.systems[k] for k, place in enumerate(run.place.tolist())}
    return [
        f"By the average of the runs and by the score of all runs as one output, the better of {names[a]} and {names[b]} is "
        f"not the same; p is about the {'first' if run.by_model else 'second'}."
        for a, b in pairs.tolist()
    ]


def _ignored_documents(run: RunsRun, counted: CountedRuns) -> str:
    """What resampling segments ignores where they are clearly alike within documents; "" otherwise."""
    design = counted.design
    if design is None or design.unit == run.unit or not len(design.of_pairs) or not design.clear:
        return ""
    return formatting.ignored_documents(design.n, design.of_pairs.tolist())
