"""Proofs of significance tests: worked examples and oracles against the p of a run, exact p against all swaps, and broken
tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from sigcore.executors import Serial
from sigcore.proof import Paired
from sigcore.significance import Resampling, Tally, Test
from sigcore.significance.contract import Mapper, Minus
from sigcore.sufficient import SufficientStatistics
from sigcore.types import SIDES, Floats, Side
from tests import proofs
from tests.calibration import nulls
from tests.proofs import Break, meets, oracle

Pair = tuple[SufficientStatistics, SufficientStatistics]
Values = dict[Side, float]
RESAMPLES, SEED = 4000, 7
ERRORS = 5.0  # standard errors of a drawn p that a right test stays within
# Shares of wholes of such different size that the mean of the drawn gains is far from the gain.
WHOLE, PARTS = (37, 91, 3, 4, 2, 5, 6), ((26, 91, 3, 2, 2, 3, 5), (9, 80, 1, 1, 2, 4, 5))
SWAPPED = 7  # units whose outputs change places in all ways


def mean(sums: Floats) -> Floats:
    """The mean score of sums (..., 2) of scores and units."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def pair_of(first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]) -> Pair:
    """Two systems with these rows, of which the first column is divided by the second."""
    one, other = (
        SufficientStatistics(name, ("part", "whole"), np.array(rows, dtype=float), mean, "higher", "made")
        for name, rows in (("system", first), ("baseline", second))
    )
    return one, other


def scores(values: Sequence[float]) -> list[tuple[float, float]]:
    """The rows of scores: each is a unit of its own."""
    return [(value, 1.0) for value in values]


@cache
def samples(n: int = 5) -> list[Pair]:
    """Pairs on few units: shares of wholes of different size, numbers far from each other, numbers with ties, and right or
    wrong ones."""
    rng = np.random.default_rng(n)
    spread = np.round(rng.normal(size=n) * 10, 3), np.round(rng.normal(size=n) * 4 - 3, 3)
    tied = [4, 2, 5, 3, 3, 1, 2, 6][:n], [1, 2, 3, 4, 3, 0, 2, 5][:n]
    right = [100, 100, 0, 100, 0, 100, 100][:n], [0, 100, 100, 0, 0, 0, 100][:n]
    shares = pair_of(*(list(zip(part[:n], WHOLE[:n], strict=True)) for part in PARTS))
    return [shares, *(pair_of(scores(a), scores(b)) for a, b in (spread, tied, right))]


def question(test: Test, pair: Pair) -> Resampling:
    """The question whether the first of two systems is better."""
    return Resampling((pair,), (test,), np.array([[0, 1]]), RESAMPLES, SEED)


def fits(test: Test, pair: Pair) -> bool:
    """Whether the test can be run on the pair."""
    return not test.unfit(question(test, pair))


def p_values(test: Test, pair: Pair) -> Values:
    """p on every side, by the path of a run."""
    return nulls.p_values(pair, [test], RESAMPLES, SEED)[test.name]  # type: ignore[return-value]


def exact(test: Test, pair: Pair) -> bool:
    """Whether the test computes p without drawing."""
    return test.tally is not None and test.tally(question(test, pair), Serial())[0].exact is not None


def chance(test: Test, p: float) -> float:
    """How far a p may be from its value by the draws alone."""
    return 0.0 if test.draws is None else ERRORS * (max(p * (1 - p), 0.01) / RESAMPLES) ** 0.5 + 1 / RESAMPLES


def faults(test: Test) -> Iterator[str]:
    """One sentence for each p that is not that of the proof."""
    for example in test.proof.examples:
        assert isinstance(example, Paired), f"A test's examples are Paired(...): {example}"
        found = p_values(test, of_example(example))[example.side]
        if not meets(found, example.p_value, chance(test, found)):
            yield f"{test.name} gives {found} ({example.side}), not {example.p_value}: {example.origin}"
    if test.proof.oracle:
        fitting = [number for number, pair in enumerate(samples()) if fits(test, pair)]
        if not fitting:
            yield f"{test.name} fits none of the samples, so its oracle checks nothing."
        for number in fitting:
            found, right = p_values(test, samples()[number]), expected(test.proof.oracle, number)
            for side in SIDES:
                if np.isnan(right[side]):
                    continue  # the oracle says that the draws decide
                if abs(found[side] - right[side]) > max(chance(test, right[side]), 1e-9):
                    yield f"{test.name} gives {found[side]} ({side}), its oracle {right[side]} on sample {number}."


def of_example(example: Paired) -> Pair:
    """The two systems of a worked example."""
    first, second = zip(*example.units, strict=True)
    return pair_of(scores(first), scores(second))


@cache
def expected(name: str, number: int) -> Values:
    """What an oracle gives for a sample, on every side."""
    first, second = (item.values.tolist() for item in samples()[number])
    return {side: oracle(name)(first, second, lambda sums: sums[0] / sums[1], side) for side in SIDES}


def wrong_levels(test: Test) -> Iterator[str]:
    """One sentence for each p that is not the share of all ways to swap the outputs of units that give so small a p.

    Of a test that says that it is approximate nothing is expected here: the calibration looks at it.
    """
    if test.draws is not None or test.approximate:
        return
    for number, pair in enumerate(samples(SWAPPED)):
        if not fits(test, pair) or not exact(test, pair):
            continue
        every = [p_values(test, swapped(pair, mask)) for mask in product((False, True), repeat=SWAPPED)]
        for side in SIDES:
            values = np.array([p[side] for p in every])
            for p in np.unique(np.round(values, 9)):
                share = float((values <= p + 1e-9).mean())
                if not abs(share - p) <= 1e-8:
                    yield f"{test.name} gives p <= {p} ({side}) for {share:.4f} of all swaps of sample {number}."
                    break


def swapped(pair: Pair, mask: Sequence[bool]) -> Pair:
    """The pair after these units have changed places."""
    turn = np.array(mask)[:, None]
    first, second = (item.values for item in pair)
    return pair_of(np.where(turn, second, first), np.where(turn, first, second))  # type: ignore[arg-type]


def same(test: Test, broken: Test) -> bool:
    """Whether the break changes no p by more than the draws do, so that nothing could notice it."""
    cases = [(pair, left_open(test, number)) for number, pair in enumerate(samples()) if fits(test, pair)]
    cases += [(of_example(example), []) for example in test.proof.examples if isinstance(example, Paired)]
    for pair, left_out in cases:
        one, other = p_values(test, pair), p_values(broken, pair)
        sides = [side for side in SIDES if side not in left_out]
        if any(abs(one[side] - other[side]) > max(2 * chance(test, one[side]), 1e-9) for side in sides):
            return False
    return True


def left_open(test: Test, number: int) -> list[Side]:
    """The sides on which the oracle says that the draws decide."""
    right = expected(test.proof.oracle, number) if test.proof.oracle else {}
    return [side for side, p in right.items() if np.isnan(p)]


# What is done to exact p-values, in the order of SIDES: two-sided, greater, less.
OF_P: dict[str, Callable[[Floats], Floats]] = {
    "the sides are swapped": lambda p: p[[0, 2, 1]],
    "one side is given for two": lambda p: p[[1, 1, 2]],
    "two sides are given for one": lambda p: p[[0, 0, 0]],
    "p is half as large": lambda p: p / 2,
    "p is twice as large": lambda p: np.minimum(1, 2 * p),
    "p is always 1": np.ones_like,
    "p is the other tail": lambda p: 1 - p,
}
# What is done to the rows (n, K) of two systems, best and worst unit of either: more = (better one, worse one).
OF_ROWS: dict[str, Callable[[Floats, Floats, Floats, Floats], tuple[list[Floats], list[Floats]]]] = {
    "1 is added to both counts": lambda a, b, best, worst: ([a, best, worst], [b, worst, best]),
    "1 is added to the units won": lambda a, b, best, worst: ([a, best], [b, worst]),
    "1 is added to the units lost": lambda a, b, best, worst: ([a, worst], [b, best]),
    "a unit that differs is left out": lambda a, b, best, worst: _without_one(a, b),
    "every unit counts twice": lambda a, b, best, worst: ([a, a], [b, b]),
}


def _without_one(first: Floats, second: Floats) -> tuple[list[Floats], list[Floats]]:
    """The rows without the first unit that differs."""
    place = int((first != second).any(axis=1).argmax())
    return [np.delete(first, place, axis=0)], [np.delete(second, place, axis=0)]


# Another null of drawn gains: f(pseudo, mean, gain).
OF_NULL: dict[str, Any] = {
    "nothing is subtracted": Minus("nothing"),
    "the gain is subtracted": Minus("the gain"),
    "the null is turned round": lambda null: lambda pseudo, mean, gain: -null(pseudo, mean, gain),
    "the null is half as wide": lambda null: lambda pseudo, mean, gain: null(pseudo, mean, gain) / 2,
    "the sign is lost": lambda null: lambda pseudo, mean, gain: np.abs(null(pseudo, mean, gain)),
}


def breaks(test: Test) -> list[Break]:
    """The usual ways to break a test."""
    return _of_drawn(test) if test.draws is not None else _of_own_counts(test)


def _of_own_counts(test: Test) -> list[Break]:
    own = test.tally
    assert own is not None

    def after(change: Callable[[Floats], Floats]) -> Test:
        def tally(question: Resampling, mapper: Mapper) -> list[Tally]:
            return [_with_p(one, change) for one in own(question, mapper)]

        return replace(test, tally=tally)

    def before(change: Callable[..., tuple[list[Floats], list[Floats]]]) -> Test:
        def tally(question: Resampling, mapper: Mapper) -> Sequence[Tally]:
            ((first, second),) = question.statistics
            units = [np.vstack([first.values, second.values])[k] for k in _ends(first, second)]
            rows = change(first.values, second.values, *(unit[None] for unit in units))
            changed = tuple(replace(s, values=np.vstack(r)) for s, r in zip((first, second), rows, strict=True))
            return own(replace(question, statistics=(changed,)), mapper)

        return replace(test, tally=tally)

    found = [Break(name, after(change)) for name, change in OF_P.items()]
    return found + [Break(name, before(change)) for name, change in OF_ROWS.items()]


def _ends(first: SufficientStatistics, second: SufficientStatistics) -> tuple[int, int]:
    """The places of the best and the worst unit among those of both systems."""
    values = first.score(np.vstack([first.values, second.values]))
    return int(values.argmax()), int(values.argmin())


def _with_p(tally: Tally, change: Callable[[Floats], Floats]) -> Tally:
    """The tally with other p-values; of one with counts, only the sides change."""
    if tally.exact is None:
        return replace(tally, counts=tally.counts[[0, 2, 1]])
    return replace(tally, exact=np.asarray(change(tally.exact), dtype=float))


def _of_drawn(test: Test) -> list[Break]:
    null, cutoffs = test.null, test.cutoffs
    assert null is not None
    turned = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
    found = [
        Break(name, replace(test, null=change if isinstance(change, Minus) else change(null)))
        for name, change in OF_NULL.items()
    ]
    other = "swap" if test.draws == "bootstrap" else "bootstrap"
    return [
        *found,
        Break("the sides are swapped", replace(test, cutoffs=lambda gain, side: cutoffs(gain, turned[side]))),  # type: ignore[arg-type]
        Break("the gain is twice as large", replace(test, cutoffs=lambda gain, side: cutoffs(2 * gain, side))),
        Break("one side is given for two", replace(test, cutoffs=lambda gain, side: cutoffs(gain, _one_side(side)))),
        Break("the cut-off is 0", replace(test, cutoffs=lambda gain, side: cutoffs(0 * gain, side))),
        Break("the other kind of draws", replace(test, draws=other, shifts=False)),
        Break("two sides are counted otherwise", replace(test, doubled=not test.doubled)),
    ]


def _one_side(side: Side) -> Side:
    return "greater" if side == "two-sided" else side


def unnoticed(test: Test) -> list[str]:
    """The breaks that its proof does not notice."""
    return proofs.unnoticed(test, breaks(test), faults, same)
