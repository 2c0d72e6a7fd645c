"""People and metrics compared: rows for tables and CSV."""

from __future__ import annotations

from sigboard.reports.human_words import conclusion_word
from sigboard.reports.tables import Row
from sigcore.studies import human


def accuracy_rows(result: human.HumanResult) -> list[Row]:
    """One row per alpha, metric and test: correct conclusions, percent, the exact interval, the one over systems."""
    return [
        {
            "alpha": cell.alpha,
            "metric": cell.metric_title,
            "test": cell.test_title,
            "correct": cell.correct,
            "pairs": cell.pairs,
            "percent": cell.percent,
            "low": cell.low,
            "high": cell.high,
            "system_low": cell.system_low,
            "system_high": cell.system_high,
            "best": cell.best,
        }
        for cell in result.accuracies
    ]


def difference_rows(result: human.HumanResult) -> list[Row]:
    """One row per question "do the metrics (tests) differ?": chi-square, Cochran's Q, the smallest McNemar p."""
    titles = result.metrics | result.tests
    rows = []
    for difference in result.differences:
        least = difference.smallest
        rows.append(
            {
                "alpha": difference.alpha,
                "between": difference.between,
                "under": difference.held_title,
                "pairs": difference.pairs,
                "chi_square": difference.chi_square,
                "df": difference.df,
                "chi_square_p": difference.chi_p,
                "cochran_q": difference.q,
                "cochran_q_p": difference.q_p,
                "smallest_mcnemar_p": least.p_value,
                "of": f"{titles[least.first]} and {titles[least.second]}",
            }
        )
    return rows


def mcnemar_rows(result: human.HumanResult) -> list[Row]:
    """One row per pair of metrics (tests): the pairs of systems on which only one of them is correct, and the exact p."""
    titles = result.metrics | result.tests
    return [
        {
            "alpha": difference.alpha,
            "under": difference.held_title,
            "first": titles[pair.first],
            "second": titles[pair.second],
            "only_first": pair.only_first,
            "only_second": pair.only_second,
            "p_value": pair.p_value,
        }
        for difference in result.differences
        for pair in difference.mcnemar
    ]


def system_rows(people: human.People) -> list[Row]:
    """One row per judged system, best first: z, raw score, segments and ratings in each dimension."""
    rows = []
    for k, system in enumerate(people.systems):
        row: Row = {"rank": k + 1, "system": system}
        for rated in people.rated:
            row |= {
                f"{rated.dimension} z": float(rated.scores[k]),
                f"{rated.dimension} raw": float(rated.raw[k]),
                f"{rated.dimension} segments": int(rated.segments[k]),
                f"{rated.dimension} ratings": int(rated.ratings[k]),
            }
        rows.append(row)
    return rows


def judge_rows(people: human.People) -> list[Row]:
    """One row per judge and dimension: the mean and SD used, the result of quality control, and why a judge is left out."""
    return [
        {
            "judge": judge.name or "(no name)",
            "dimension": judge.dimension,
            "ratings": judge.ratings,
            "controls": judge.controls,
            "mean": judge.mean,
            "sd": judge.sd,
            "mean of outputs": judge.ordinary,
            "mean of degraded": judge.degraded,
            "p degraded lower": judge.trust,
            "left out": judge.dropped,
        }
        for judge in people.judges
    ]


def segment_rows(people: human.People) -> list[Row]:
    """One row per dimension, system and segment: mean raw score, mean z, number of ratings."""
    rows = []
    for dimension, part in zip(people.dimensions, people.by_segment, strict=True):
        columns = (part.system, part.document, part.segment, part.raw, part.z, part.ratings)
        for system, document, segment, raw, z, n in zip(*(c.tolist() for c in columns), strict=True):
            row = {"dimension": dimension, "system": system, "document": document, "segment": segment}
            rows.append({**row, "raw_mean": raw, "z_mean": z, "n": n})
    return rows


def pair_rows(result: human.HumanResult, alpha: float) -> list[Row]:
    """One row per pair with a human conclusion: its p in each dimension, the conclusion, and that of every metric."""
    decided, people = result.decided(alpha), result.people
    rows = []
    of_metrics = {
        f"{grid.setup.metric_title}, {grid.setup.test_title}": (
            result.known(metric, test, alpha),
            result.conclusions(metric, test, alpha),
        )
        for (metric, test), grid in result.grids.items()
    }
    for i, j in result.pairs.tolist():
        a, b = (people.systems.index(result.systems[k]) for k in (i, j))
        row: Row = {"system": result.systems[i], "baseline": result.systems[j]}
        for rated in people.rated:
            row[f"{rated.dimension} p"] = float(rated.p_values[a, b])
            row[f"{rated.dimension} p other way"] = float(rated.p_values[b, a])
        row["people"] = conclusion_word(int(decided.conclusions[i, j]))
        row["decided by"] = people.dimensions[int(decided.by[i, j])] if decided.by[i, j] >= 0 else ""
        for title, (known, conclusions) in of_metrics.items():
            row[title] = conclusion_word(int(conclusions[i, j]) if known[i, j] else None)
        rows.append(row)
    return rows
