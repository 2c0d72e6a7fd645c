"""What is handed in: the results with their checks, sentences and command, as JSON; HTML is made from the same record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sigboard.reports import paper, sentences
from sigboard.reports.json import matrix_json
from sigboard.reports.runs import multeval_latex, runs_json, runs_sentence, summary_markdown
from sigcore import MatrixResult, OptionError, TestResult
from sigcore.formatting import listed
from sigcore.studies import report as study
from sigcore.studies import runs as several
from sigcore.verdicts import matrix_summary

# How a state is shown besides its colour.
SYMBOLS = {"green": "✓", "amber": "!", "unknown": "?", "red": "✗"}
WORDS = {"green": "in order", "amber": "say it or change it", "unknown": "not known: you must say", "red": "change it"}


@dataclass(frozen=True, eq=False)
class Report:
    """All that a report shows. `runs` are the results with several runs of each system, whose grids are `results`; () where
    every output is a system. `pictures` are the pairs with a histogram; `command` reproduces the numbers, "" where no
    command does; `baseline` is the system that daggers refer to ("" for none)."""

    title: str
    results: tuple[MatrixResult, ...]
    checks: tuple[study.Check, ...]
    alpha: float
    command: str = ""
    baseline: str = ""
    warnings: tuple[str, ...] = ()
    pictures: Mapping[study.Of, TestResult] = field(default_factory=dict)
    runs: tuple[several.RunsResult, ...] = ()

    def __post_init__(self) -> None:
        systems = self.results[0].systems
        if self.baseline and self.baseline not in systems:
            fix = f"Choose one of the systems: {listed(systems)}."
            raise OptionError(f"There is no system named {self.baseline!r}.", "baseline", fix)

    def picture_of(self, result: MatrixResult, first: str, second: str) -> TestResult | None:
        """The pair with its histogram, in the order in which it was drawn; None without one."""
        metric, test = result.setup.metric, result.setup.test
        of = (study.Of(metric, test, *names) for names in ((first, second), (second, first)))
        return next((self.pictures[one] for one in of if one in self.pictures), None)

    @property
    def verdict(self) -> str:
        """One sentence for each result; with several results, after its metric and test."""
        several = len(self.results) > 1
        lines = [
            (f"{r.setup.metric_title}, {r.setup.test_title}: " if several else "") + matrix_summary(r, self.alpha)
            for r in self.results
        ]
        return "\n".join(lines)

    @property
    def methods(self) -> str:
        """The sentences for a Methods section, a paragraph for each result."""
        own = [runs_sentence(self.runs[0])] if self.runs else []
        return "\n".join([*(sentences.methods(result, self.alpha) for result in self.results), *own])

    @property
    def latex(self) -> str:
        """All tables as LaTeX."""
        own = [multeval_latex(self.runs)] if self.runs else []
        return "\n".join([paper.latex(self.results, self.alpha, self.baseline), *own])

    @property
    def markdown(self) -> str:
        """All tables as Markdown."""
        own = [summary_markdown(self.runs)] if self.runs else []
        return "\n".join([paper.as_markdown(self.results, self.alpha, self.baseline), *own])


def report_json(report: Report) -> dict[str, Any]:
    """The shape of `matrix_json` (with runs: of `runs_json`) with `checks`, `sentences` ({verdict, methods}) and `command`.

    A check is {name, state, question, answer, fix, setting}; `setting` is {name, value}, or null if its fix is words.
    """
    return {
        **(runs_json(report.runs, report.warnings) if report.runs else matrix_json(report.results, report.warnings)),
        "checks": [check_json(check) for check in report.checks],
        "sentences": {"verdict": report.verdict, "methods": report.methods},
        "command": report.command,
    }


def check_json(check: study.Check) -> dict[str, Any]:
    """One check as JSON."""
    setting = None if check.setting is None else {"name": check.setting[0], "value": check.setting[1]}
    return {
        "name": check.name,
        "state": check.state,
        "question": check.question,
        "answer": check.answer,
        "fix": check.fix,
        "setting": setting,
    }


def check_lines(checks: Sequence[study.Check]) -> list[str]:
    """The checks as text, a line for each, with the fix where there is one."""
    return [
        f"{check.state.upper():8} {check.question} {check.answer}{f' -> {check.fix}' if check.fix else ''}"
        for check in checks
    ]
