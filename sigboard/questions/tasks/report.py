"""Scores and gains on several tasks as sentences, rows, JSON, LaTeX and a table for the terminal."""

from __future__ import annotations

from typing import Any

from sigboard.render.tables import Row, latex_table
from sigboard.render.text import align, printable
from sigcore import corrections
from sigcore.formatting import count, format_level, format_p
from sigcore.results import plain
from sigcore.studies import tasks

DECIMALS = 4
SCORES = ("task", "system", "score", "interval", "error (resampled)", "error (formula)")
GAINS = (
    "task", "system", "baseline", "gain", "interval", "error (resampled)", "error (formula)", "p (formula)", "p", "adjusted",
)  # fmt: skip


def summary(result: tasks.TasksResult) -> str:
    """How many gains are significant, on how many tasks, and on average."""
    tasks = [task.name for task in result.run.tasks]
    how = f"alpha {result.alpha:g}, {corrections.printed(result.correction)}"
    single = [gain for gain in result.gains if gain.task in tasks]
    found = sum(gain.adjusted <= result.alpha for gain in single)
    text = f"{found:,} of {count(len(single), 'gain')} on {count(len(tasks), 'task')} significant ({how})"
    if len(tasks) == 1:
        return f"{text}."
    average = result.gains[len(single) :]
    over = sum(gain.adjusted <= result.alpha for gain in average)
    return f"{text}; on average, {over:,} of {len(average):,}."


def score_rows(result: tasks.TasksResult) -> list[Row]:
    """One row per task and system, the best of each task first."""
    return [_score_row(one) for one in result.scores]


def _score_row(one: tasks.Score) -> Row:
    row: Row = {"task": one.task, "system": one.system, "score": one.score}
    row |= {"interval_low": one.interval[0], "interval_high": one.interval[1]}
    return row | {"error_resampled": one.drawn_error, "error_formula": one.error}


def gain_rows(result: tasks.TasksResult) -> list[Row]:
    """One row per task and pair, the better system first."""
    return [_gain_row(one) for one in result.gains]


def _gain_row(one: tasks.Gain) -> Row:
    row: Row = {"task": one.task, "system": one.system, "baseline": one.baseline, "gain": one.gain}
    row |= {"interval_low": one.interval[0], "interval_high": one.interval[1]}
    row |= {"error_resampled": one.drawn_error, "error_formula": one.error}
    return row | {"p_formula": one.p_formula, "p_value": one.p_value, "p_adjusted": one.adjusted}


def as_json(result: tasks.TasksResult) -> dict[str, Any]:
    """Everything, ready for `json.dumps(..., allow_nan=False)`; undefined numbers are null."""
    run = result.run
    content: dict[str, Any] = {
        "tasks": [
            {
                "name": task.name,
                "measure": task.measure,
                "better": task.better,
                "rows": len(task.values),
                "unit": task.noun,
                "n": task.units,
            }
            for task in run.tasks
        ],
        "systems": list(run.systems),
        "alpha": result.alpha,
        "correction": result.correction,
        "test": "approximate_randomization",
        "resamples": run.resamples,
        "seed": run.seed,
        "signature": result.signature,
        "summary": summary(result),
        "notes": list(result.notes()),
        "scores": score_rows(result),
        "gains": gain_rows(result),
    }
    return dict(plain(content))


def _number(value: float) -> str:
    return f"{value:.{DECIMALS}f}"


def _interval(ends: tuple[float, float]) -> str:
    return f"[{_number(ends[0])}, {_number(ends[1])}]"


def _score_cells(one: tasks.Score) -> list[str]:
    numbers = [_number(one.score), _interval(one.interval), _number(one.drawn_error), _number(one.error)]
    return [one.task or "(no name)", one.system, *numbers]


def _gain_cells(one: tasks.Gain, resamples: int) -> list[str]:
    numbers = [_number(one.gain), _interval(one.interval), _number(one.drawn_error), _number(one.error)]
    formula = format_p(one.p_formula, 0) if one.p_formula == one.p_formula else "n/a"
    p = [formula, format_p(one.p_value, resamples), format_p(one.adjusted, resamples)]
    return [one.task or "(no name)", one.system, one.baseline, *numbers, *p]


def text(result: tasks.TasksResult) -> str:
    """The tasks, the scores and the gains for the terminal, with the notes."""
    run = result.run
    lines = [
        printable(
            f"{task.name or 'task'}: {task.measure or 'score'}, {count(task.units, task.noun)}, {count(len(task.values), 'row')}",
            0,
        )
        for task in run.tasks
    ]
    level = format_level(1 - result.alpha)
    lines += [f"{level} intervals and randomization with {count(run.resamples, 'resample')}, seed {run.seed}", ""]
    scores = [[printable(cell) for cell in _score_cells(one)] for one in result.scores]
    gains = [[printable(cell) for cell in _gain_cells(one, run.resamples)] for one in result.gains]
    lines += [align(list(SCORES), scores, left=(0, 1)), "", align(list(GAINS), gains, left=(0, 1, 2)), ""]
    return "\n".join(
        [*lines, printable(summary(result), 0), *(f"note: {printable(note, 0)}" for note in result.notes())]
    )


def latex(result: tasks.TasksResult) -> str:
    """The scores and the gains as LaTeX tables."""
    run, level = result.run, format_level(1 - result.alpha)
    how = f"{level} bootstrap intervals, {count(run.resamples, 'resample')}; standard errors resampled and by formula (Miller 2024)"
    adjusted = f"p by approximate randomization, adjusted: {corrections.printed(result.correction)}"
    scores = latex_table(SCORES, [_score_cells(one) for one in result.scores], f"Scores with {how}.", "tab:scores")
    cells = [_gain_cells(one, run.resamples) for one in result.gains]
    return f"{scores}\n{latex_table(GAINS, cells, f'Gains with {how}; {adjusted}.', 'tab:gains')}"
