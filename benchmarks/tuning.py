"""Tuning on 1000 segments with 100 hypotheses and 80 features: one epoch of each loss, and a sweep of MERT.

The features are random, and the BLEU statistics depend on them. A sweep searches the line along each of the 80 axes. A new
process measures them, and its peak memory includes everything that it loads. `--quick` uses 200 segments; the goals then
shrink with them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial

import numpy as np

from benchmarks import common
from benchmarks.common import Goal, Took
from sigcore import tuning
from sigcore.executors import Serial
from sigcore.kbest.instances import Instances
from sigcore.kbest.lists import offsets_of
from sigcore.kbest.sentence_bleu import background_bleu, bleu_plus_one
from sigcore.text.bleu import bleu_score

SEGMENTS, QUICK, HYPOTHESES, FEATURES = 1000, 200, 100, 80
EPOCH, SWEEP, MEMORY = 0.15, 20.0, 1000.0
REPEATS, EPOCHS = 5, 10
OTHERS: dict[str, dict[str, object]] = {"pro": {}, "kb_mira": {"epochs": 1}}


def made(segments: int, seed: int = 1) -> Instances:
    """Lists of random hypotheses of 5 to 40 words; those with a high score under hidden weights match more."""
    rng = np.random.default_rng(seed)
    size = segments * HYPOTHESES
    features = rng.normal(size=(size, FEATURES))
    score = features @ rng.normal(size=FEATURES) / np.sqrt(FEATURES)
    share = 1 / (1 + np.exp(-score - rng.normal(size=size)))
    words = rng.integers(5, 41, size)
    totals = np.stack([words - order for order in range(4)], axis=1)
    matches = np.floor(totals * share[:, None] ** np.arange(1, 5))
    reference = np.repeat(rng.integers(5, 41, segments), HYPOTHESES)
    statistics = np.column_stack([words, reference, matches, totals]).astype(np.float64)
    offsets = offsets_of(np.full(segments, HYPOTHESES))
    return Instances(features, statistics, bleu_plus_one(statistics), offsets, bleu_score, background_bleu)


def epoch(method: tuning.Method, instances: Instances, epochs: int) -> Took:
    """The time of this many epochs (the lists are ordered once, and every epoch is evaluated)."""
    options = method.chosen({"epochs": epochs})
    start, rng = np.zeros(FEATURES), np.random.default_rng(1)
    return common.timed(lambda: tuning.tune(method, instances, start, options, rng))


def once(method: tuning.Method, instances: Instances, given: dict[str, object]) -> None:
    """Tune with these options from weights of 0."""
    tuning.tune(method, instances, np.zeros(FEATURES), method.chosen(given), np.random.default_rng(1))


def sweep(instances: Instances) -> Took:
    """The time of one round of MERT: a line search along every axis."""
    from sigcore.tuning import mert

    start, rng = np.random.default_rng(1).normal(size=FEATURES), np.random.default_rng(2)
    # any gain ends the search, so it has exactly one round
    return common.timed(lambda: mert.ascend(instances, start, 0, np.inf, rng))


def work(segments: str, repeats: str) -> None:
    """Measure in the child process, and print the times."""
    list(Serial().map(lambda item: item, ()))  # one thread for the linear algebra, as in every study
    instances = made(int(segments))
    times: dict[str, list[dict[str, float]]] = {}
    for method in tuning.members().values():
        if method.loss is not None:
            epoch(method, instances, 1)
            # the difference of two runs is the time of epochs alone
            pairs = [(epoch(method, instances, 1 + EPOCHS), epoch(method, instances, 1)) for _ in range(int(repeats))]
            times[method.name] = [
                {"cpu": (a.cpu - b.cpu) / EPOCHS, "wall": (a.wall - b.wall) / EPOCHS} for a, b in pairs
            ]
    for name, given in OTHERS.items():
        took = common.timed(partial(once, tuning.get(name), instances, given))
        times[name] = [{"cpu": took.cpu, "wall": took.wall}]
    times["mert"] = [{"cpu": took.cpu, "wall": took.wall} for took in (sweep(instances) for _ in range(2))]
    print(json.dumps(times))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and write results/tuning.json."""
    args = common.options(__doc__).parse_args(arguments)
    segments = QUICK if args.quick else SEGMENTS
    share = segments / SEGMENTS
    data = f"{segments:,} segments, {HYPOTHESES} hypotheses, {FEATURES} features, BLEU (made)"
    print(data)
    command = [sys.executable, "-m", "benchmarks.tuning", "--work", str(segments), str(2 if args.quick else REPEATS)]
    whole, output = common.child(command)
    times = {name: [Took(**row) for row in rows] for name, rows in json.loads(output.strip().split("\n")[-1]).items()}
    goals: list[Goal] = []
    for name, rows in times.items():
        method = tuning.get(name)
        if method.loss is not None:
            goals.append(common.seconds(f"{method.title}: one epoch", EPOCH * share, rows))
    goals.append(common.seconds(f"MERT: line searches along {FEATURES} axes", SWEEP * share, times["mert"]))
    goals.append(common.megabytes("tuning: peak memory", MEMORY, [whole]))
    common.show(
        "Without a goal",
        [("", "wall s")]
        + [(f"{name} {OTHERS[name] or ''}".strip(), common.digits(times[name][0].wall)) for name in OTHERS],
    )
    common.write("tuning", args, data, goals, others={name: times[name][0].wall for name in OTHERS})


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(*sys.argv[2:])
    else:
        main()
