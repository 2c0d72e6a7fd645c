"""Resampling of given statistics, compared with sacrebleu's code and with a plain matrix product of the same shape.

sacrebleu is measured on one pair of systems at R = 1000; R = 10,000 and all pairs are extrapolated linearly, which
favours its bootstrap (at 10,000 it exceeds the processor cache and takes more than ten times as long). Its functions are
called unchanged on given statistics: neither time includes reading and extraction.
"""

from __future__ import annotations

import cProfile
import pstats
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu.significance as peer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from benchmarks import common
from benchmarks.common import Goal, Spread, Systems, Took
from sigcore import executors, significance
from sigcore.resampling.blocks import BLOCK, blocks
from sigcore.significance.engine import Centre, bootstrap_block, observe, swap_block

METRICS = ("bleu", "chrf", "ter")
RESAMPLES = 10_000
PEER_RESAMPLES = 1000
BOOTSTRAP, RANDOMIZATION = "paired_bootstrap", "approximate_randomization"

# The functions whose cumulative time makes up a phase, by their file; none of them calls another one.
PHASES = {
    "draws": (("blocks", "bootstrap_counts"), ("blocks", "swap_masks"), ("blocks", "swap_bits")),
    "product": (("columns", "sums"), ("columns", "chosen")),
    "selecting columns": (("columns", "pick"),),
    "scores": (("contract", "oriented_scores"),),
    "counting": (("engine", "count"),),
}
# Those whose own time does: they call functions of other phases.
OWN = {"sums of pairs": (("engine", "_swapped_scores"), ("engine", "_count_swapped"))}


class Given:
    """A metric of sacrebleu with given statistics; the name of a system replaces its segments."""

    def __init__(self, metric: Any, systems: Systems, whole: bool) -> None:
        self.metric = metric
        self.rows = {item.system: item.values.astype(np.int64) if whole else item.values for item in systems}
        self.totals = {id(rows): metric._compute_score_from_stats(rows.sum(0)) for rows in self.rows.values()}
        self._compute_score_from_stats = metric._compute_score_from_stats

    def _extract_corpus_statistics(self, segments: Sequence[str], references: object) -> Any:
        return self.rows[segments[0]]

    def _aggregate_and_compute(self, rows: Any) -> Any:
        # the score of a whole system is known; that of a shuffle is computed by sacrebleu
        return self.totals.get(id(rows)) or self.metric._aggregate_and_compute(rows)


def sacrebleu_pair(test: Callable[..., Any], names: Sequence[str], statistics: Sequence[Systems]) -> Callable[[], Took]:
    """A measurement of sacrebleu's test on the first two systems under the named metrics, given their statistics."""
    peers = {"bleu": BLEU(), "chrf": CHRF(), "ter": TER()}
    metrics = {
        name: Given(peers[name], systems[:2], name != "ter") for name, systems in zip(names, statistics, strict=True)
    }
    baseline, system = (item.system for item in statistics[0][:2])
    info = {name: (m.rows[baseline], m.totals[id(m.rows[baseline])]) for name, m in metrics.items()}
    segments = [system] * statistics[0][0].n
    return lambda: common.timed(lambda: test(info, system, segments, None, metrics, PEER_RESAMPLES, -1, 12345))


def ours(statistics: Sequence[Systems], test: str, resamples: int, executor: executors.Executor | None = None) -> Took:
    """The time for all pairs, from the statistics to the counts, including intervals of the scores."""
    return common.timed(lambda: all_pairs(statistics, test, resamples, executor or executors.local()))


def all_pairs(statistics: Sequence[Systems], test: str, resamples: int, executor: executors.Executor) -> None:
    """The counts of all pairs."""
    significance.tally(common.question(statistics, test, resamples), executor)


def shuffles(statistics: Sequence[Systems], resamples: int, executor: executors.Executor | None = None) -> Took:
    """The time of approximate randomization without intervals, as sacrebleu does by default."""
    return common.timed(lambda: shuffled(statistics, RANDOMIZATION, resamples, executor or executors.local()))


def shuffled(statistics: Sequence[Systems], test: str, resamples: int, executor: executors.Executor) -> None:
    """The counts of all pairs under shuffles, without intervals."""
    asked = common.question(statistics, test, resamples)
    zero = np.zeros(len(asked.pairs))
    seen = observe(asked, asked.tests, [Centre(zero, zero, zero) for _ in statistics])
    block = partial(swap_block, asked, asked.tests, seen, 0, (), [])
    total = sum(counts for _, counts, *_ in executor.map(block, blocks(resamples)))
    assert np.asarray(total).any()


def product(columns: np.ndarray, resamples: int) -> Took:
    """The time of single-precision products alone, (512, n) by (n, C) for as many blocks, on one thread."""
    weights = np.random.default_rng(1).integers(0, 5, (BLOCK, len(columns))).astype(np.float32)
    out = np.empty((BLOCK, columns.shape[1]), dtype=np.float32)
    return common.timed(lambda: [np.matmul(weights, columns, out=out) for _ in blocks(resamples)])


def draws_only(statistics: Sequence[Systems], resamples: int) -> Took:
    """The time of drawing, multiplying and scoring, without counting, on one thread."""
    asked = common.question(statistics, BOOTSTRAP, resamples)
    return common.timed(lambda: list(executors.Serial().map(partial(bootstrap_block, asked), blocks(resamples))))


def phases(statistics: Sequence[Systems], test: str, resamples: int) -> tuple[dict[str, float], list[str]]:
    """The share of each phase in one pass on one thread, and the functions with the largest own time."""
    work = partial(shuffled if test == RANDOMIZATION else all_pairs, statistics, test, resamples, executors.Serial())
    work()  # warms up
    # CPU time: on a busy machine, wall time also counts waiting
    profile = cProfile.Profile(time.process_time)
    profile.runcall(work)
    stats = pstats.Stats(profile)
    total: float = stats.total_tt  # type: ignore[attr-defined]
    calls = stats.stats  # type: ignore[attr-defined]
    shares = {
        phase: sum(took[3] for (file, _, name), took in calls.items() if (Path(file).stem, name) in names) / total
        for phase, names in PHASES.items()
    }
    for phase, names in OWN.items():
        shares[phase] = (
            sum(took[2] for (file, _, name), took in calls.items() if (Path(file).stem, name) in names) / total
        )
    shares["rest"] = 1 - sum(shares.values())
    hottest = sorted(calls.items(), key=lambda item: -item[1][2])[:8]
    return shares, [f"{took[2] / total:.0%} {name} ({took[0]} calls)" for (_, _, name), took in hottest]


def show_phases(title: str, measured: tuple[dict[str, float], list[str]]) -> dict[str, float]:
    """The shares, which are printed with the slowest functions."""
    common.show(title, [(phase, f"{share:.0%}") for phase, share in measured[0].items()])
    print("  slowest functions:", ", ".join(measured[1]))
    return measured[0]


def against_sacrebleu(statistics: Sequence[Systems], repeats: int) -> list[Goal]:
    """The goals for both tests, 3 metrics and all pairs, by CPU time, one thread against one thread."""
    pairs = len(common.all_pairs(len(statistics[0])))
    factor = pairs * RESAMPLES / PEER_RESAMPLES
    what = f"{len(METRICS)} metrics, R = {RESAMPLES:,}, all {pairs} pairs, against sacrebleu's resampling code"
    note = f"one thread each; sacrebleu: one pair at R = {PEER_RESAMPLES:,} measured, times {factor:g}"
    goals = []
    bs, ar = (sacrebleu_pair(test, METRICS, statistics) for test in (peer._paired_bs_test, peer._paired_ar_test))
    for name, wanted, mine, theirs in (
        ("bootstrap", 500, partial(ours, statistics, BOOTSTRAP, RESAMPLES), bs),
        ("approximate randomization", 400, partial(shuffles, statistics, RESAMPLES), ar),
        ("randomization with the scores' intervals", 400, partial(ours, statistics, RANDOMIZATION, RESAMPLES), ar),
    ):
        rounds = three_sides(mine, theirs, repeats, factor)
        common.show(f"{name}, {what}", _table(rounds))
        cpu = common.ratios([(serial, peers) for serial, _, peers in rounds], "cpu")
        wall = common.ratios([(threads, peers) for _, threads, peers in rounds], "wall")
        beside = f"wall time, all cores here: {wall.text()} x"
        goals.append(Goal(f"{name}, {what}", wanted, "x", cpu, beside, note))
    more = f"with intervals of all scores, which sacrebleu does not compute by default: {goals[2].judged.text()} x"
    return [goals[0], replace(goals[1], note=f"{goals[1].note}; {more}")]


def three_sides(
    mine: Callable[..., Took], theirs: Callable[[], Took], repeats: int, factor: float
) -> list[tuple[Took, Took, Took]]:
    """Rounds of ours on one thread, ours on all cores, and theirs times the factor."""
    serial, threads = executors.Serial(), executors.local()
    mine(executor=threads), theirs()  # the first call of each warms up
    return [(mine(executor=serial), mine(executor=threads), theirs().times(factor)) for _ in range(repeats)]


def _table(rounds: Sequence[tuple[Took, Took, Took]]) -> list[tuple[str, ...]]:
    head = (
        "",
        "one thread, CPU s",
        "all cores, CPU s",
        "wall s",
        "theirs, CPU s",
        "ratio of CPU",
        "of wall, all cores",
    )
    rows = []
    for k, (serial, threads, peers) in enumerate(rounds):
        won = (f"{peers.cpu / serial.cpu:,.0f}", f"{peers.wall / threads.wall:,.0f}")
        took = (f"{serial.cpu:.3f}", f"{threads.cpu:.3f}", f"{threads.wall:.3f}", f"{peers.cpu:,.0f}")
        rows.append((f"round {k + 1}", *took, *won))
    return [head, *rows]


def against_product(
    name: str, statistics: Sequence[Systems], test: str, repeats: int, wanted: float, resamples: int = RESAMPLES
) -> Goal:
    """A bootstrap test on one thread, compared with the matrix product of all different statistics alone."""
    columns = different(statistics)
    executors.Serial().map(str, ())  # limits BLAS to one thread
    bare = partial(product, columns, resamples)
    bare(), ours(statistics, test, resamples, executors.Serial())  # the first call of each warms up
    whole = common.duel(partial(ours, statistics, test, resamples, executors.Serial()), bare, repeats)
    draws = common.duel(partial(draws_only, statistics, resamples), bare, repeats)
    spreads = [common.ratios(rounds, "cpu", inverse=True) for rounds in (whole, draws)]
    speed = Spread.of([2 * BLOCK * columns.size * len(blocks(resamples)) / b.cpu / 1e9 for _, b in whole])
    what = f"bootstrap, {name}, against a plain sgemm of (512, {len(columns):,}) by (n, {columns.shape[1]:,})"
    rows = [("draws, product, scores and counts", spreads[0].text()), ("without the counts", spreads[1].text())]
    common.show(f"{what}, times longer (CPU)", [*rows, ("sgemm, GFLOP/s", speed.text())])
    wall = common.ratios(whole, "wall", inverse=True).text()
    return Goal(what, wanted, "times", spreads[0], f"wall {wall} times", f"sgemm at {speed.text()} GFLOP/s")


def different(statistics: Sequence[Systems]) -> np.ndarray:
    """All different columns of the statistics, (n, C): what a product multiplies that stores no column as a difference."""
    columns = {
        np.ascontiguousarray(column).tobytes(): column
        for systems in statistics
        for item in systems
        for column in item.values.T
    }
    return np.ascontiguousarray(np.column_stack(list(columns.values())), dtype=np.float32)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables and write results/resampling.json."""
    args = common.options(__doc__).parse_args(arguments)
    corpus = common.corpus(root=args.data)
    print(corpus.title())
    statistics = common.statistics(corpus, METRICS)
    repeats = 3 if args.quick else 7
    goals = against_sacrebleu(statistics, repeats)
    for name, chosen in (("3 metrics", statistics), ("BLEU alone", statistics[:1])):
        against = against_product(name, chosen, BOOTSTRAP, repeats, 2)
        goals += [against] if chosen is statistics else []
    shares = {
        test: show_phases(f"Phases: {test}, 3 metrics, one thread", phases(statistics, test, RESAMPLES))
        for test in (BOOTSTRAP, RANDOMIZATION)
    }
    common.write("resampling", args, corpus.title(), goals, phases=shares)


if __name__ == "__main__":
    main()
