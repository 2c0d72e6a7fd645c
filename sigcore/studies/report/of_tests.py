"""Questions about the tests: sides, p, correction, unit, number of units and resamples, what was tried."""

from __future__ import annotations

import numpy as np

from sigcore import families
from sigcore.formatting import count, format_effect, format_p, format_units
from sigcore.significance import FEW_UNITS, LEAST_UNITS
from sigcore.studies.enough import START
from sigcore.studies.report.contract import Case, Check
from sigcore.studies.units import ENOUGH
from sigcore.types import AUTO, SEGMENT


def sides(case: Case) -> Check:
    """Whether the test is two-sided."""
    side = case.results[0].setup.side
    asked = "Is the test two-sided?"
    if side == "two-sided":
        return Check("sides", asked, "green", "Yes.")
    pairs = families.of_matrix(case.results[0]).pairs
    return Check(
        "sides",
        asked,
        "amber",
        "No: one-sided. That is valid only if the direction of "
        f"{'the difference was' if pairs == 1 else 'each difference was'} chosen before the scores were seen.",
        "Use a two-sided test, or say in the paper when the direction was chosen.",
        ("sides", "two-sided"),
    )


def rule(case: Case) -> Check:
    """Whether p follows a valid rule, not one as printed elsewhere."""
    asked, setup = "Is p valid?", case.results[0].setup
    if not setup.as_printed:
        rule = "(c + 1) / (R + 1), with all ties counted against the gain" if setup.resamples else "it is exact"
        return Check("rule", asked, "green", f"Yes: {rule}.")
    setting = ("ties", "counted") if setup.ties != "counted" else ("estimator", "valid")
    return Check(
        "rule",
        asked,
        "red",
        f"No: {setup.as_printed}. Such a p serves only to compare with a paper or another tool.",
        "Count all ties, and use (c + 1) / (R + 1).",
        setting,
    )


def correction(case: Case) -> Check:
    """Whether p is corrected, and over how many tests."""
    asked = "Is p corrected, and over which family?"
    grids = [(families.of_matrix(result), result) for result in case.results]
    family, first = max(grids, key=lambda grid: (grid[1].setup.correction == "none", grid[0].tests))
    if family.tests < 2:
        return Check("correction", asked, "green", "There is one test: no correction is needed.")
    if first.setup.correction == "none":
        chance = families.of_matrix(first).by_chance(case.alpha)
        words = f"No: {count(family.tests, 'p-value')} without a correction; {chance}."
        return Check("correction", asked, "red", words, "Correct for the number of pairs.", ("correction", AUTO))
    over = f"over {count(family.tests, 'test')} of {count(family.pairs, 'pair')}"
    each = ", in each grid" if len(case.results) > 1 else ""
    return Check("correction", asked, "green", f"Yes: {first.setup.correction_title} {over}{each}.")


def unit(case: Case) -> Check:
    """Whether documents are resampled where they matter."""
    asked, setup = "Is the right unit resampled?", case.results[0].setup
    drawn = format_units(setup.n, setup.unit, setup.segments)
    effects = case.results[0].design_effects
    if setup.unit != SEGMENT:
        effect = f"; design effect {format_effect(effects)}" if effects else ""
        return Check("unit", asked, "green", f"{drawn} are resampled{effect}.")
    documents = len({name for name in case.testset.documents if name.strip()})
    if not documents:
        fix = "Load the documents of the segments, or say that segments are independent. Blocks are a substitute."
        return Check(
            "unit",
            asked,
            "unknown",
            f"{drawn} are resampled. The files do not say which segments belong to one document. If segments of one "
            "document are alike, p is too small.",
            fix,
        )
    ignored = [result.setup.caveat for result in case.results if "document" in result.setup.caveat]
    if not ignored:
        words = (
            f"{drawn} are resampled, although the test set has {count(documents, 'document')}; they are not clearly "
        )
        return Check("unit", asked, "green", f"{words}alike within documents.")
    if documents < ENOUGH:
        fix = f"{count(documents, 'document')} are too few to be resampled in a large grid: say so in the paper."
        return Check("unit", asked, "amber", ignored[0], fix, ("unit", "document"))
    return Check("unit", asked, "red", ignored[0], "Resample documents.", ("unit", "document"))


def size(case: Case) -> Check:
    """Whether there are enough units."""
    asked, setup = "Are there enough units?", case.results[0].setup
    noun, bootstrap = f"{setup.n:,} {setup.unit.noun(setup.n)}", "bootstrap" in setup.test
    if setup.least_by_units > case.alpha:
        least = format_p(setup.least_by_units, 0)
        words = f"No: swaps of {noun} cannot give a p below {least} in this grid."
        return Check("size", asked, "red", words, "Use a larger test set, or compare fewer systems.")
    if setup.n < LEAST_UNITS:
        words = f"No: {noun} are too few for intervals, and for any bootstrap test."
        return Check("size", asked, "red" if bootstrap else "amber", words, "Use a larger test set.")
    if setup.n < FEW_UNITS:
        words = f"Only {noun}: intervals are too narrow{', and bootstrap tests reject too often' if bootstrap else ''}."
        if not bootstrap:
            return Check("size", asked, "amber", words, "Say in the paper that intervals are too narrow.")
        setting = ("test", "approximate_randomization")
        return Check("size", asked, "amber", words, "Use approximate randomization.", setting)
    return Check("size", asked, "green", f"{noun[0].upper()}{noun[1:]}.")


def resamples(case: Case) -> Check:
    """Whether a verdict depends on the number of resamples."""
    asked = "Are there enough resamples?"
    short = [r for r in case.results if r.setup.least_p > case.alpha]
    if short:
        setup = short[0].setup
        words = f"No: the smallest p that {count(setup.resamples, 'resample')} can give here is {setup.least_p:.2g}."
        return Check("resamples", asked, "red", words, "Draw as many as the verdicts need.", ("resamples", AUTO))
    each = 2 if case.results[0].setup.side == "two-sided" else 1  # cells of the grid per test
    open_ = sum(int(np.count_nonzero(result.undecided(case.alpha))) for result in case.results) // each
    most = max(result.setup.resamples for result in case.results)
    if open_:
        words = f"{count(open_, 'verdict')} could change with more than {most:,} resamples."
        fix = "Draw more, or say which verdicts are open."
        return Check("resamples", asked, "amber", words, fix, ("resamples", "1000000" if most >= START else AUTO))
    if not most:
        return Check("resamples", asked, "green", "None are needed: p is exact.")
    return Check("resamples", asked, "green", f"Yes: with {most:,}, the Monte Carlo interval of no p includes alpha.")


def tried(case: Case) -> Check:
    """How many metrics and tests the result was chosen from."""
    asked = "How many metrics and tests were tried?"
    if case.metrics * case.tests < 2:
        words = f"One metric with one test in {case.where}. What was tried elsewhere is not known."
        return Check("tried", asked, "green", words)
    words = f"{count(case.metrics, 'metric')} and {count(case.tests, 'test')} in {case.where}. A result chosen among several is"
    return Check(
        "tried",
        asked,
        "amber",
        f"{words} not corrected for the choice.",
        "Report all of them, or say which was chosen before the results were seen.",
    )
