"""Constituency F1: labelled brackets shared with the gold tree, as evalb counts them with COLLINS.prm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sigcore.metrics.contract import Done, Metric, Options, References, only_reference, percent, settings
from sigcore.registry import Option
from sigcore.text import brackets
from sigcore.types import Floats

TITLES = {"f": "Constituency F1", "precision": "Bracket precision", "recall": "Bracket recall"}


def prepare(references: References, options: Options) -> brackets.GoldParses:
    """The gold trees."""
    return brackets.gold_parses(only_reference(references, "Constituency F1"))


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 4): brackets matched, of gold, of the system, and 1 where the sentence is skipped."""
    rows: Floats = prepared.rows(segments, bool(options["count_failures"]), done)
    return rows


def score(sums: Floats, options: Options) -> Floats:
    """F1, precision or recall, 0 to 100, of sums (..., 4); nan where there is no bracket to divide by."""
    matched, gold, system = sums[..., 0], sums[..., 1], sums[..., 2]
    if options["average"] == "f":
        return percent(2 * matched, gold + system)
    return percent(matched, system if options["average"] == "precision" else gold)


def title(options: Options) -> str:
    """What is measured."""
    return TITLES[str(options["average"])]


def remarks(rows: Mapping[str, Floats], options: Options) -> list[str]:
    """One sentence with the number of skipped sentences of every system that has any."""
    skipped = {system: int(values[:, 3].sum()) for system, values in rows.items() if values[:, 3].any()}
    if not skipped:
        return []
    listed = ", ".join(f"{system} {count}" for system, count in skipped.items())
    fate = (
        "Their gold brackets count as missed."
        if options["count_failures"]
        else "They count nothing, as in evalb, which favours a system that fails; count_failures counts them."
    )
    reason = "without a parse, or with other words than the gold tree"
    return [f"{title(options)} skips sentences {reason}: {listed}. {fate}"]


METRIC = Metric(
    name="constituency_f1",
    title=title,
    kind="brackets",
    better="higher",
    columns=brackets.COLUMNS,
    prepare=prepare,
    statistics=statistics,
    score=score,
    describe=lambda references, options: settings("constituency_f1|parameters:COLLINS", options),
    remarks=remarks,
    options=(
        Option(
            "average",
            "f",
            choices=("f", "precision", "recall"),
            help="F1 of brackets, or only their precision or recall.",
        ),
        Option(
            "count_failures",
            False,
            help="Count the gold brackets of skipped sentences as missed (evalb leaves such sentences out).",
        ),
    ),
    help="Share of labelled brackets that output and gold tree have in common (PARSEVAL); evalb with COLLINS.prm: no "
    "punctuation, no TOP, no traces, no function tags, ADVP = PRT.",
    notes="""A sentence without a parse, or whose words (without punctuation) are not those of the gold tree, is skipped as in
evalb: it counts neither for nor against the system, not even its gold brackets. A parser that fails on hard sentences
gains by that, and the number of skipped sentences of every system stands beside the results. count_failures counts their
gold brackets as missed. An outer bracket other than TOP counts (ROOT, S1, or one without a label), so all files should
have the same. evalb's repair of quotation marks (new.prm) is not done.""",
    source="Black et al. 1991; evalb (Sekine & Collins 1997)",
)
