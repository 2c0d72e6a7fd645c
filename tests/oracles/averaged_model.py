"""The standard error of a gain averaged over test sets, with plain loops over sets, runs and units."""

from __future__ import annotations

from collections.abc import Sequence

Values = Sequence[Sequence[Sequence[float]]]  # of each test set, of each run, of each unit


def mean(numbers: Sequence[float]) -> float:
    """Their mean."""
    return sum(numbers) / len(numbers)


def squares(numbers: Sequence[float]) -> float:
    """The sum of their squared distances from their mean."""
    middle = mean(numbers)
    return sum((one - middle) ** 2 for one in numbers)


def standard_error(first: Values, second: Values, drawn: tuple[bool, bool]) -> tuple[float, float]:
    """(standard error, degrees of freedom) by Satterthwaite, part by part.

    Units of each test set vary on their own; runs vary in their averages over the test sets. What is left over varies in
    both and is subtracted once.
    """
    sets = len(first)
    parts: list[tuple[float, float]] = []  # (variance, degrees of freedom)
    for one, other in zip(first, second, strict=True):
        n = len(one[0])
        apart = [mean([run[u] for run in one]) - mean([run[u] for run in other]) for u in range(n)]
        parts.append((squares(apart) / (n - 1) / n / sets**2, n - 1))
    units = sum(variance for variance, _ in parts)
    of_units = units, units**2 / sum(variance**2 / freedom for variance, freedom in parts)
    some = [values for values, own in zip((first, second), drawn, strict=True) if own]
    freedom = sum(len(values[0]) - 1 for values in some)
    if not freedom:
        return of_units[0] ** 0.5, of_units[1]
    per_run = sum(1 / len(values[0]) for values in some)
    of_runs = 0.0
    left: list[tuple[float, float]] = [(0.0, 1.0)] * sets
    for values in some:
        averages = [mean([mean(values[t][r]) for t in range(sets)]) for r in range(len(values[0]))]
        of_runs += squares(averages) / freedom * per_run
        for t in range(sets):
            runs, n = values[t], len(values[t][0])
            middle = mean([x for run in runs for x in run])
            rest = sum(
                (runs[r][u] - mean(runs[r]) - mean([run[u] for run in runs]) + middle) ** 2
                for r in range(len(runs))
                for u in range(n)
            )
            variance = rest / (freedom * (n - 1)) * per_run / n / sets**2
            left[t] = left[t][0] + variance, freedom * (n - 1)
    both = units + of_runs - sum(variance for variance, _ in left)
    smallest = of_units[0] ** 0.5 / 3
    if both <= of_runs:
        return max(of_runs**0.5, smallest), float(freedom)
    spread = sum(variance**2 / own for variance, own in [*parts, (of_runs, freedom), *left])
    return max(both**0.5, smallest), max(both**2 / spread, min(of_units[1], float(freedom)))
