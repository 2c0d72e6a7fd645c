"""The mixed model of runs and units from sums of squares, number by number."""

from __future__ import annotations

from collections.abc import Sequence

Values = Sequence[Sequence[float]]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def fitted(first: Values, second: Values) -> tuple[float, float]:
    """The variance of the difference of two means of runs x units, and Satterthwaite's degrees of freedom."""
    n = len(first[0])
    differences = [mean([run[u] for run in first]) - mean([run[u] for run in second]) for u in range(n)]
    middle = mean(differences)
    of_units = sum((one - middle) ** 2 for one in differences) / (n - 1) / n
    free = len(first) + len(second) - 2
    if free == 0:
        return of_units, n - 1
    times = 1 / len(first) + 1 / len(second)
    square_runs = square_rest = 0.0
    for system in (first, second):
        grand = mean([mean(run) for run in system])
        for run in system:
            square_runs += (mean(run) - grand) ** 2
            for u in range(n):
                square_rest += (run[u] - mean(run) - mean([other[u] for other in system]) + grand) ** 2
    of_runs = times * square_runs / free
    rest = times * square_rest / (free * (n - 1)) / n
    least = of_units / 9  # a third of the standard error of the units
    if of_units <= rest:
        return max(of_runs, least), free
    total = of_units + of_runs - rest
    parts = of_units**2 / (n - 1) + of_runs**2 / free + rest**2 / (free * (n - 1))
    return max(total, least), max(total**2 / parts, min(free, n - 1))
