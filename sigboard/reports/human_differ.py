"""Do the metrics differ? Differences between metrics as rows, JSON, sentences and text, and the paper's tests in words."""

from __future__ import annotations

import math
from typing import Any

from sigboard.reports.tables import Row
from sigboard.reports.text import align
from sigcore.formatting import count, format_gain, format_p, format_score, listed, p_text
from sigcore.studies import human

ALPHA = 0.05  # level of the tests whether metrics differ, for any alpha of the conclusions
EXACT = 0  # resamples behind a p that is computed
PAPER = "too narrow: as if pairs of systems shared no systems"
DECIDING = ("jackknife_t", "perm_systems")  # about other systems; the other swaps are about other inputs


def why_too_narrow() -> str:
    """Why the headline does not use the intervals and tests of the paper."""
    return (
        "The exact interval, chi-square, Cochran's Q and McNemar's test are those of the paper. They treat pairs of systems as "
        "independent, but pairs share systems: with five equally good metrics on 11 systems Cochran's Q finds a difference "
        "in about 29 % of all cases instead of 5 %, and the exact interval contains the accuracy in about 81 % instead of 95 %. "
        "The interval over systems and the t-test over systems leave out one system with all its pairs at a time."
    )


def metric_rows(result: human.HumanResult) -> list[Row]:
    """One row per pair of metrics, measure, test, alpha and method: the difference, its interval, p and adjusted p."""
    return [
        {
            "measure": human.MEASURES[item.measure],
            "alpha": item.alpha,
            "under": result.tests.get(item.test, ""),
            "metric": result.metrics[item.metric_a],
            "other metric": result.metrics[item.metric_b],
            "difference": item.difference,
            "low": item.low,
            "high": item.high,
            "p": item.p_value,
            "adjusted p": item.adjusted,
            "by": human.DIFFERENCE_METHODS[item.method],
        }
        for item in result.metric_differences
    ]


def system_level_rows(result: human.HumanResult) -> list[Row]:
    """One row per metric: how well its system scores agree with those of people, by every measure."""
    rows = []
    for item in result.system_level:
        row: Row = {"metric": item.metric_title, "pairwise accuracy": item.pairwise}
        for alpha, accuracy, epsilon in item.tie_calibrated:
            row[f"with calibrated ties, alpha {alpha:g}"] = accuracy
            row[f"epsilon, alpha {alpha:g}"] = epsilon
        rows.append({**row, "Kendall's tau-b": item.kendall, "Pearson's r": item.pearson})
    return rows


def as_json(result: human.HumanResult) -> dict[str, Any]:
    """The fields `differences` and `system_level`; null for fields that a measure or a method does not have."""
    return {
        "differences": [
            {
                "metric_a": item.metric_a,
                "metric_b": item.metric_b,
                "measure": item.measure,
                "test": item.test or None,
                "alpha": item.alpha,
                "difference": item.difference,
                "low": item.low,
                "high": item.high,
                "p": item.p_value,
                "adjusted": item.adjusted,
                "method": item.method,
            }
            for item in result.metric_differences
        ],
        "system_level": [
            {
                **{
                    name: getattr(item, name)
                    for name in ("metric", "systems", "pairs", "pairwise", "kendall", "pearson")
                },
                "tie_calibrated": [
                    {"alpha": alpha, "accuracy": accuracy, "epsilon": epsilon}
                    for alpha, accuracy, epsilon in item.tie_calibrated
                ],
            }
            for item in result.system_level
        ],
    }


# ---- words


def of_conclusions(result: human.HumanResult, test: str, alpha: float) -> list[human.MetricDifference]:
    """The differences in the accuracy of conclusions under a test at alpha."""
    return [d for d in result.metric_differences if (d.measure, d.test, d.alpha) == ("three_way", test, alpha)]


def of_scores(result: human.HumanResult) -> list[human.MetricDifference]:
    """The differences in measures of system scores that generalise to other systems."""
    return [d for d in result.metric_differences if d.measure != "three_way" and d.method in DECIDING]


def differ(result: human.HumanResult, test: str, alpha: float, about: str = "this") -> str:
    """Whether metrics differ in the accuracy of their conclusions, as part of a sentence; "" for a single metric."""
    family = of_conclusions(result, test, alpha)
    if not family:
        return ""
    under = f" under {result.tests[test]}" if len(result.tests) > 1 else ""
    tested = [item for item in family if not math.isnan(item.adjusted)]
    if not tested:
        return (
            f"whether the metrics differ in {about}{under} cannot be tested on {count(len(result.systems), 'system')}"
        )
    how = f"t-test over systems, Holm over {count(len(tested), 'pair')} of metrics"
    apart = [item for item in tested if item.adjusted <= ALPHA]
    if not apart:
        least = p_text(min(item.adjusted for item in tested), EXACT)
        return f"no two metrics are shown to differ in {about}{under} (smallest adjusted {least}; {how})"
    pairs = listed(_versus(result, item) for item in apart)
    return f"{len(apart)} of {count(len(tested), 'pair')} of metrics differ in {about}{under}: {pairs} ({how})"


def _versus(result: human.HumanResult, item: human.MetricDifference) -> str:
    """The better metric, the worse one, and the adjusted p."""
    names = [result.metrics[item.metric_a], result.metrics[item.metric_b]]
    better, worse = names if item.difference >= 0 else names[::-1]
    return f"{better} agrees more than {worse} (adjusted {p_text(item.adjusted, EXACT)})"


def about_scores(result: human.HumanResult) -> str:
    """One sentence on system scores: the measures in which metrics differ; "" if there is nothing to compare."""
    tested = [item for item in of_scores(result) if not math.isnan(item.adjusted)]
    if not tested:
        return ""
    pairs = math.comb(len(result.metrics), 2)
    how = f"(scores swapped system by system, Holm over {count(pairs, 'pair')} of metrics in each measure)"
    apart = [item for item in tested if item.adjusted <= ALPHA]
    if not apart:
        least = p_text(min(item.adjusted for item in tested), EXACT)
        return f"By system scores, no two metrics are shown to differ in any measure, smallest adjusted {least} {how}."
    named = listed(f"{_measure(item)}: {_versus(result, item)}" for item in apart)
    return f"By system scores, metrics differ in {named} {how}."


def _measure(item: human.MetricDifference) -> str:
    at = "" if math.isnan(item.alpha) else f" at alpha {item.alpha:g}"
    return f"{human.MEASURES[item.measure]}{at}"


def shown_rows(result: human.HumanResult, test: str, alpha: float) -> list[Row]:
    """The pairs of metrics under a test at alpha, in words: difference in points, interval, p and adjusted p."""
    return [
        {
            "metrics": f"{result.metrics[item.metric_a]} − {result.metrics[item.metric_b]}",
            "difference (points)": format_gain(item.difference, 1),
            "95 % interval over systems": interval(item.low, item.high),
            "p": shown_p(item.p_value),
            "adjusted p (Holm)": shown_p(item.adjusted),
        }
        for item in of_conclusions(result, test, alpha)
    ]


def shown_score_rows(result: human.HumanResult) -> list[Row]:
    """The pairs of metrics in every measure of system scores, in words."""
    return [
        {
            "measure": _measure(item),
            "metrics": f"{result.metrics[item.metric_a]} − {result.metrics[item.metric_b]}",
            "difference": format_gain(item.difference, 1 if item.measure in human.PERCENT else 3),
            "p": shown_p(item.p_value),
            "adjusted p (Holm)": shown_p(item.adjusted),
        }
        for item in of_scores(result)
    ]


def interval(low: float, high: float) -> str:
    """An interval in one decimal; "n/a" if there is none."""
    return "n/a" if math.isnan(low) else f"[{format_score(low, 1)}, {format_score(high, 1)}]"


def shown_p(p: float) -> str:
    """A p-value as it is written."""
    return format_p(p, EXACT)


# ---- text for the terminal


def text(result: human.HumanResult, alpha: float) -> str:
    """The differences between metrics at alpha, and the measures of system scores, as aligned tables."""
    parts = []
    for test, title in result.tests.items() if len(result.metrics) > 1 else ():
        rows = shown_rows(result, test, alpha)
        head = (
            f"Do the metrics differ at alpha {alpha:g} under {title}? t-test over systems, Holm over {len(rows)} pairs"
        )
        parts += [head, _aligned(rows, 1), ""]
    if result.system_level:
        first = result.system_level[0]
        head = f"System scores compared with those of people, {first.pairs} pairs of {first.systems} systems (accuracies in percent)"
        rows = [
            {name: value if isinstance(value, str) else _plain(name, value) for name, value in row.items()}
            for row in system_level_rows(result)
        ]
        parts += [head, _aligned(rows, 1), about_scores(result), ""]
    return "\n".join(parts)


def _plain(name: str, value: float) -> str:
    return format_score(value, 1 if "accuracy" in name or name.startswith("with") else 3)


def _aligned(rows: list[Row], left: int) -> str:
    return align(list(rows[0]), [[str(value) for value in row.values()] for row in rows], left=tuple(range(left)))
