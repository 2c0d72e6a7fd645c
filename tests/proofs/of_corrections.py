"""Proofs of corrections: worked examples and oracles, the error that is kept where nothing differs, and broken corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from sigcore import corrections
from sigcore.corrections import Correction, JointTests
from sigcore.proof import Adjusted
from sigcore.types import Floats
from tests import proofs
from tests.proofs import Break, meets, oracle

Adjust = Callable[[Floats], Floats]
ALPHAS = (0.05, 0.2)
DRAWS, MANY = 2500, 10  # worlds, and tests in each
RESAMPLES = 199
# Where tests differ for certain beside true nulls: a rule for findings keeps fewer errors there than a rule for any error.
DIFFERENT = (0, 5)
SURE = 1e-9
NOTHING = np.zeros((0, 1))


@cache
def samples() -> list[Floats]:
    """p-values on which breaks show: far apart, near each other, equal, and large."""
    rng = np.random.default_rng(0)
    fixed = ([0.01, 0.04, 0.03, 0.005], [0.02, 0.02, 0.3], [0.6, 0.9, 0.2], [0.001, 0.012, 0.013, 0.014, 0.4], [0.03])
    return [np.array(p) for p in fixed] + [rng.uniform(size=m) ** 3 for m in (2, 5, 6)]


@cache
def nulls() -> list[tuple[Floats, Floats]]:
    """Observed gains (m,) and their joint null (m, R), of different spread."""
    rng = np.random.default_rng(1)
    made = []
    for m in (2, 5, 6):
        spread = rng.uniform(1, 5, (m, 1))
        made.append((np.abs(rng.normal(size=m) * 2 * spread[:, 0]), np.abs(rng.normal(size=(m, RESAMPLES)) * spread)))
    return made


def joint(member: Correction, observed: Floats, null: Floats) -> Floats:
    """The adjusted p of gains and their joint null, by the path of a run."""
    p = ((null >= observed[:, None]).sum(axis=1) + 1) / (null.shape[1] + 1)
    return grid(member, p, observed, null)


def grid(member: Correction, p: Floats, observed: Floats = NOTHING, null: Floats = NOTHING) -> Floats:
    """The adjusted p as the grid gets them; a joint null arrives in blocks."""
    if not member.needs_joint:
        return member.grid((p, p, p), None, 0)[0]
    return member.grid((p, p, p), reached(member, observed, null), null.shape[1])[0]


def reached(member: Correction, observed: Floats, null: Floats) -> Floats:
    """How many joint resamples (m, R) reach each test, (m,); they arrive in two blocks."""
    tests = JointTests(member, observed, np.sqrt(np.nanmean(null**2, axis=1)))
    halves = np.array_split(null[tests.order], 2, axis=1)
    return tests.reached(tests.count(halves[0].copy()) + tests.count(halves[1].copy()), null.shape[1])


def faults(member: Correction) -> Iterator[str]:
    """One sentence for each number that is not that of the proof."""
    for example in member.proof.examples:
        assert isinstance(example, Adjusted), f"A correction's examples are Adjusted(...): {example}"
        found = of_example(member, example)
        if len(found) != len(example.adjusted) or not all(map(meets, found, example.adjusted)):
            yield f"{member.name} gives {found.tolist()}, not {', '.join(example.adjusted)}: {example.origin}"
    if member.proof.oracle:
        right = oracle(member.proof.oracle)
        cases = nulls() if member.needs_joint else [(p,) for p in samples()]
        for case in cases:
            found, expected = of_case(member, case), right(*(part.tolist() for part in case))
            if not np.allclose(found, expected, rtol=1e-9, atol=1e-12):
                yield f"{member.name} gives {found.tolist()}, its oracle {expected}."


def of_example(member: Correction, example: Adjusted) -> Floats:
    """The correction's adjusted p of a worked example."""
    return grid(member, np.array(example.p_values), np.array(example.observed), np.array(example.null, ndmin=2))


def of_case(member: Correction, case: Sequence[Floats]) -> Floats:
    """The correction's adjusted p of a sample."""
    return joint(member, *case) if member.needs_joint else grid(member, *case)


def errors(member: Correction) -> Iterator[str]:
    """One sentence for each level at which the correction lets more errors pass than it claims, beyond chance."""
    if member.rate == "each test":
        if member.name != "none":
            yield f"{member.name} keeps the error of each test alone, so it is no correction: say what it controls."
        return
    draws = DRAWS // 10 if member.needs_joint else DRAWS
    for different in DIFFERENT:
        true = MANY - different
        adjusted = np.array([world(member, different, seed) for seed in range(draws)])  # (draws, m), true nulls first
        for alpha in ALPHAS:
            wrong, found = (adjusted[:, :true] <= alpha).sum(axis=1), (adjusted <= alpha).sum(axis=1)
            error = (wrong > 0) if member.rate == "family-wise" else wrong / np.maximum(found, 1)
            bound = alpha + 4 * np.sqrt(alpha * (1 - alpha) / draws)
            if error.mean() > bound:
                yield (
                    f"{member.name} claims a {member.rate} error of at most {alpha}, but has {error.mean():.3f} "
                    f"with {true} true nulls of {MANY}."
                )


def world(member: Correction, different: int, seed: int) -> Floats:
    """The adjusted p of independent tests, the last few of which differ for certain."""
    rng = np.random.default_rng([seed, different])
    if not member.needs_joint:
        p = rng.uniform(size=MANY)
        p[MANY - different :] = SURE
        return grid(member, p)
    observed, null = np.abs(rng.normal(size=MANY)), np.abs(rng.normal(size=(MANY, RESAMPLES)))
    observed[MANY - different :] = 1e6
    return joint(member, observed, null)


def same(member: Correction, broken: Correction) -> bool:
    """Whether the break changes no adjusted p at all, so that nothing could notice it."""
    cases: list[Sequence[Floats]] = [*nulls()] if member.needs_joint else [(p,) for p in samples()]
    pairs = [(of_case(member, case), of_case(broken, case)) for case in cases]
    pairs += [(of_example(member, e), of_example(broken, e)) for e in member.proof.examples if isinstance(e, Adjusted)]
    return all(one.shape == other.shape and np.allclose(one, other, rtol=1e-9, atol=1e-12) for one, other in pairs)


# What is done to the p-values before, or to the adjusted ones after: f(adjust, p).
CHANGES: dict[str, Callable[[Adjust, Floats], Floats]] = {
    "p is returned unchanged": lambda adjust, p: p,
    "one test too many is counted": lambda adjust, p: adjust(np.append(p, 1.0))[:-1],
    "one test too few is counted": lambda adjust, p: np.minimum(1, adjust(p) * max(len(p) - 1, 1) / len(p)),
    "the adjusted p belong to the tests in the opposite order": lambda adjust, p: adjust(p)[::-1],
    "the adjusted p are sorted": lambda adjust, p: np.sort(adjust(p)),
    "all tests get the smallest adjusted p": lambda adjust, p: np.full_like(p, adjust(p).min()),
    "all tests get the largest adjusted p": lambda adjust, p: np.full_like(p, adjust(p).max()),
    "the adjusted p may be above 1": lambda adjust, p: np.where(adjust(p) >= 1, len(p) * p, adjust(p)),
    "nothing is significant": lambda adjust, p: np.ones_like(p),
    "m times p": lambda adjust, p: np.minimum(1, len(p) * p),
    "p times m by rank, in no order": lambda adjust, p: np.minimum(1, p * len(p) / (p.argsort().argsort() + 1)),
    "p times what is left, in no order": lambda adjust, p: np.minimum(1, p * (len(p) - p.argsort().argsort())),
}


def breaks(member: Correction) -> list[Break]:
    """The usual ways to break a correction, and a well-known one in its place."""
    found = [Break(name, changed(member, change)) for name, change in CHANGES.items()]
    if not member.needs_joint:
        others = [corrections.get(name) for name in ("holm", "benjamini_hochberg") if name != member.name]
        found += [Break(f"it is {one.title}", replace(member, adjust=one.adjust)) for one in others]
    return found


def changed(member: Correction, change: Callable[[Adjust, Floats], Floats]) -> Correction:
    """The correction with this change."""
    if member.adjust is not None:
        adjust = member.adjust
        return replace(member, adjust=lambda p: np.asarray(change(adjust, p)))
    known = member.adjust_prepared
    assert known is not None

    def adjust_prepared(p: Floats, prepared: Floats, resamples: int) -> tuple[Floats, Floats, Floats]:
        def whole(values: Floats) -> Floats:
            reached = np.append(prepared, resamples)[: len(values)]
            return known(values, reached, resamples)[0]

        adjusted = np.asarray(change(whole, p))
        return adjusted, adjusted, adjusted

    return replace(member, adjust_prepared=adjust_prepared)


def unnoticed(member: Correction) -> list[str]:
    """The breaks that its proof does not notice."""
    return proofs.unnoticed(member, breaks(member), faults, same)
