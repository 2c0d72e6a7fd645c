"""Constituency F1: labelled brackets shared with the gold tree, as evalb counts them with COLLINS.prm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from sigcore.metrics.constituency_f1 import parses
from sigcore.metrics.contract import (
    Done,
    Metric,
    Options,
    References,
    choice_of,
    only_reference,
    percent,
    settings,
)
from sigcore.registry import Option
from sigcore.types import Floats

Average = Literal["f", "precision", "recall"]
AVERAGES: tuple[Average, ...] = get_args(Average)
TITLES: dict[Average, str] = {"f": "Constituency F1", "precision": "Bracket precision", "recall": "Bracket recall"}


def prepare(references: References, options: Options) -> parses.GoldParses:
    """The gold trees."""
    return parses.gold_parses(only_reference(references, "Constituency F1"))


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 4): brackets matched, of gold, of the system, and 1 where the sentence is skipped."""
    rows: Floats = prepared.rows(segments, bool(options["count_failures"]), done)
    return rows


def score(sums: Floats, options: Options) -> Floats:
    """F1, precision or recall, 0 to 100, of sums (..., 4); nan where there is no bracket to divide by."""
    matched, gold, system = sums[..., 0], sums[..., 1], sums[..., 2]
    average = choice_of(options, "average", AVERAGES)
    if average == "f":
        return percent(2 * matched, gold + system)
    return percent(matched, system if average == "precision" else gold)


def title(options: Options) -> str:
    """F1, precision or recall, in words."""
    return TITLES[choice_of(options, "average", AVERAGES)]


def remarks(rows: Mapping[str, Floats], options: Options) -> list[str]:
    """One sentence with the number of skipped sentences of every system that has any."""
    skipped = {system: int(values[:, 3].sum()) for system, values in rows.items() if values[:, 3].any()}
    if not skipped:
        return []
    systems = ", ".join(f"{system} {count}" for system, count in skipped.items())
    consequence = (
        "Their gold brackets count as missed."
        if options["count_failures"]
        else "They are left out, as in evalb, which favours a system that fails; count_failures counts them."
    )
    reason = "without a parse, or with other words than the gold tree"
    return [f"{title(options)} skips sentences {reason}: {systems}. {consequence}"]


METRIC = Metric(
    name="constituency_f1",
    title=title,
    kind="brackets",
    better="higher",
    columns=parses.COLUMNS,
    prepare=prepare,
    statistics=statistics,
    score=score,
    describe=lambda references, options: settings("constituency_f1|parameters:COLLINS", options),
    remarks=remarks,
    options=(
        Option(
            "average",
            "f",
            choices=AVERAGES,
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
    notes="""A sentence that has no parse, or whose words (without punctuation) are not those of the gold tree, is skipped as in
evalb: it counts neither for nor against the system, and its gold brackets are left out too. This favours a parser that
fails on hard sentences, so the number of skipped sentences of every system is shown next to the results. count_failures
counts their gold brackets as missed. An outer bracket other than TOP counts (ROOT, S1, or one without a label), so all
files should have the same one. Quotation marks are not normalised as evalb's new.prm does.""",
    source="Black et al. 1991; evalb (Sekine & Collins 1997)",
)
