"""The mean of one number per segment, compared with scipy: one pair in scipy, all pairs here, R = 10,000.

The numbers are the chrF of each segment. scipy's permutation_test swaps within pairs (permutation_type = "samples"), its
bootstrap resamples the differences (percentile method), both vectorised in batches of 100, their fastest setting here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks import common, resampling
from benchmarks.common import Corpus, Spread, Systems, Took
from sigcore import metrics

RESAMPLES, BATCH = 10_000, 100

Floats = NDArray[np.float64]


def segment_scores(corpus: Corpus) -> Systems:
    """The chrF of every segment and system, as a metric."""
    (chrf,) = common.statistics(corpus, ["chrf"])
    metric = metrics.get("own_scores")
    options = metric.chosen()
    ones = np.ones(corpus.testset.n)
    return tuple(
        metrics.from_values(metric, options, outputs, np.column_stack([item.score(item.values), ones]), "")
        for item, outputs in zip(chrf, corpus.outputs, strict=True)
    )


def difference(first: Floats, second: Floats, axis: int) -> Floats:
    """The gain in the mean, in the form that scipy needs."""
    return np.asarray(np.mean(first, axis=axis) - np.mean(second, axis=axis))


def permutation(first: Floats, second: Floats) -> Took:
    """The time of scipy's permutation test for one pair."""
    from scipy.stats import permutation_test

    rng = np.random.default_rng(1)
    return common.timed(
        lambda: permutation_test(
            (first, second),
            difference,
            permutation_type="samples",
            vectorized=True,
            n_resamples=RESAMPLES,
            batch=BATCH,
            rng=rng,
        )
    )


def bootstrap(first: Floats, second: Floats) -> Took:
    """The time of scipy's bootstrap of the differences of one pair."""
    from scipy.stats import bootstrap

    rng = np.random.default_rng(1)
    data = (first - second,)
    return common.timed(
        lambda: bootstrap(
            data, np.mean, vectorized=True, n_resamples=RESAMPLES, batch=BATCH, method="percentile", rng=rng
        )
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and write results/means.json."""
    args = common.options(__doc__).parse_args(arguments)
    corpus = common.corpus(root=args.data)
    systems = segment_scores(corpus)
    first, second = (item.values[:, 0] for item in systems[:2])
    pairs = len(common.all_pairs(len(systems)))
    print(f"{corpus.title()}: mean of segment chrF, R = {RESAMPLES:,}")
    rows = [("", "ours, all pairs, CPU s", "scipy, one pair, CPU s", "ratio", f"times {pairs} pairs")]
    results: dict[str, dict[str, float]] = {}
    for name, mine, theirs in (
        ("randomization", partial(resampling.shuffles, [systems], RESAMPLES), partial(permutation, first, second)),
        (
            "bootstrap",
            partial(resampling.ours, [systems], resampling.BOOTSTRAP, RESAMPLES),
            partial(bootstrap, first, second),
        ),
    ):
        mine(), theirs()
        rounds = common.duel(mine, theirs, 3 if args.quick else 7)
        ratio = common.ratios(rounds, "cpu")
        own, peer = (Spread.of([r[k].cpu for r in rounds]) for k in (0, 1))
        rows.append((name, own.text(), peer.text(), ratio.text(), f"{ratio.median * pairs:,.0f}"))
        results[name] = {"ours": own.median, "scipy_one_pair": peer.median, **ratio.__dict__, "pairs": pairs}
    common.show("Against scipy", rows)
    common.write("means", args, corpus.title(), [], against_scipy=results)


if __name__ == "__main__":
    main()
