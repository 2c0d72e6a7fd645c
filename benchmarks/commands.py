"""Whole commands on the sizes of real work: a campaign, a table of right and wrong answers, a leaderboard, a cluster.

Kernels are compiled before, statistics are extracted again. Tables of answers are made; texts are those of WMT22 where they
are beside the project. `--quick` leaves out the largest tables.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd

from benchmarks import common, process
from benchmarks.common import Corpus, Goal, Spread, Took
from demos.loopback import loopback
from sigcore import executors, metrics, readers
from sigcore.metrics import extractor
from sigcore.readers import Limits
from sigcore.studies import matrix
from sigcore.study import Runtime, Study

MOST = Limits(lines=10**9, parts=10**10)
READ, WAIT = 8.0, 1.25  # the most times pandas; the most times the threads of this machine
MEMORY = 2_000.0  # MB
CLUSTER = 200_000  # resamples


def answers(file: Path, questions: int, systems: int) -> Path:
    """A table with an id and, for each system, 1 for a right answer and 0 for a wrong one."""
    rng = np.random.default_rng(1)
    right = rng.random((questions, systems)) < np.linspace(0.55, 0.65, systems)
    table = pd.DataFrame(right.astype(int), columns=[f"model-{k + 1}" for k in range(systems)])
    table.insert(0, "question_id", np.arange(1, questions + 1))
    table.to_csv(file, index=False)
    return file


def sigboard(*arguments: object, cache: Path) -> Took:
    """The time of one command."""
    return common.child([sys.executable, "cli.py", *map(str, arguments)], {"SIGBOARD_CACHE": str(cache)})[0]


def repeated(work: Callable[[], Took], times: int) -> list[tuple[Took, Took]]:
    """The times of some runs, and of importing numpy beside each."""
    return common.duel(work, common.numpy, times)


def small(cache: Path, corpus: Corpus, times: int) -> list[Goal]:
    """Commands that compute next to nothing: what libraries cost that they load."""
    two = ["--reference", corpus.reference, "--systems", *corpus.files[:2], "--sizes", 200, "--resamples", 100]
    return [
        common.imports("sigboard list", 0.35, repeated(lambda: sigboard("list", cache=cache), times)),
        common.imports(
            "sigboard size, two systems, one size, R = 100, warm cache",
            0.7,
            repeated(lambda: sigboard("size", *two, cache=cache), times + 1)[1:],
        ),
    ]


def tables(cache: Path, folder: Path, quick: bool) -> list[Goal]:
    """Reading and comparing right and wrong answers."""
    times = 1 if quick else 5
    file = answers(folder / "answers.csv", 100_000, 10)
    content = file.read_bytes()

    def read() -> None:
        intake = readers.read([(file.name, content)], limits=MOST)
        assert len(intake.items) == 10, intake.problems

    rounds = common.duel(lambda: common.timed(read), lambda: common.timed(lambda: pd.read_csv(BytesIO(content))), times)
    out = [
        Goal(
            "reading 100,000 questions x 10 systems of 0 and 1 (CSV), against pandas",
            READ,
            "times",
            common.ratios(rounds, "cpu", inverse=True),
            f"{Spread.of([ours.cpu for ours, _ in rounds]).text()} s",
        )
    ]
    ask = partial(sigboard, "matrix", cache=cache)
    out.append(
        common.imports("sigboard matrix on it, R = 1,000", 1.2, repeated(lambda: ask(file, "--resamples", 1000), times))
    )
    board, result = answers(folder / "board.csv", 1_000, 300), folder / "board.json"
    whole = partial(ask, board, "--resamples", 1000, "--json", result, "--quiet")
    out.append(common.imports("300 systems x 1,000 questions, R = 1,000, as JSON", 2.0, repeated(whole, times)))
    size = result.stat().st_size / 1e6
    out.append(Goal("300 systems x 1,000 questions: the JSON", 4.0, "MB", Spread(size, size, size)))
    if not quick:
        long = answers(folder / "long.csv", 1_000_000, 10)
        took = repeated(lambda: ask(long, "--resamples", 1000), 3)
        out.append(common.imports("1,000,000 questions x 10 systems, R = 1,000", 15.0, took))
        out.append(
            common.megabytes("1,000,000 questions x 10 systems: peak memory", MEMORY, [ours for ours, _ in took])
        )
        large = answers(folder / "large.csv", 10_000, 3_000)
        whole_board = ask(large, "--npz", folder / "large.npz", "--quiet")
        name = "3,000 systems x 10,000 questions, 4.5 million pairs, as .npz"
        out.append(
            common.megabytes(f"{name}: peak memory", MEMORY, [whole_board], f"CPU {common.digits(whole_board.cpu)} s")
        )
    return out


def mixed(corpus: Corpus, count: int, folder: Path) -> list[Path]:
    """The files of `count` systems: the real ones, then mixtures that take each segment from one of two real ones."""
    chance, files = Random(1), list(corpus.files[:count])
    while len(files) < count:
        one, two = (outputs.segments for outputs in chance.sample(corpus.outputs, 2))
        share = chance.uniform(0.2, 0.8)
        files.append(folder / f"mixture{len(files)}.txt")
        lines = [a if chance.random() < share else b for a, b in zip(one, two, strict=True)]
        files[-1].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return files


def campaigns(cache: Path, folder: Path, corpus: Corpus, quick: bool) -> list[Goal]:
    """Commands on the systems of a campaign: many pairs, a slow metric, ratings by people."""
    times = 1 if quick else 3
    all_of = ["matrix", "--reference", corpus.reference, "--systems"]
    many = mixed(corpus, 31, folder)
    holm = ["--correction", "holm", "--test", "approximate_randomization", "--resamples", "auto"]
    took = repeated(lambda: sigboard(*all_of, *many, *holm, cache=cache), times)
    out = [common.imports("31 systems, BLEU, Holm, randomization, automatic resamples", 15.0, took)]
    meteor = repeated(
        lambda: sigboard(*all_of, *corpus.files, "--metric", "meteor", cache=Path(process.fresh(cache))), times
    )
    out.append(common.imports(f"{len(corpus.files)} systems, METEOR, statistics extracted again", 3.5, meteor))
    ratings = corpus.reference.parent / "da" / "assessments.csv"
    if ratings.is_file():
        files = ["--assessments", ratings, "--reference", corpus.reference, "--systems", *corpus.files]
        took = repeated(lambda: sigboard("human", *files, cache=Path(process.fresh(cache))), times)
        out.append(common.imports(f"sigboard human, {len(corpus.files)} systems", 5.0, took))
    return out


def errors(corpus: Corpus, times: int) -> list[Goal]:
    """The extraction of word and character error rates of one system."""
    first, out = corpus.outputs[0], []
    for name in ("cer", "wer"):
        metric = metrics.get(name)
        counted = partial(extractor(metric, corpus.testset, metric.chosen()), first)
        counted()
        took = [common.timed(counted) for _ in range(times)]
        out.append(common.seconds(f"{name.upper()} of one system: extraction", 0.01, took))
    return out


def cluster(corpus: Corpus, times: int) -> list[Goal]:
    """The same job on two workers of a Dask cluster and on the threads of this machine."""
    study = Study(corpus.testset, corpus.outputs, [("bleu", {})], ("approximate_randomization",), resamples=CLUSTER)
    known: dict[str, np.ndarray] = {}

    def run(executor: executors.Executor) -> Took:
        return common.timed(lambda: matrix.run(study, Runtime(executor=executor, cache=known)))

    with loopback(2) as workers:
        away = executors.get(workers.address)
        try:
            run(away), run(executors.local())
            rounds = common.duel(lambda: run(away), lambda: run(executors.local()), times)
        finally:
            away.close()  # type: ignore[attr-defined]
    what = f"two workers of a Dask cluster, {CLUSTER:,} shuffles, against two threads"
    seconds = Spread.of([ours.wall for ours, _ in rounds]).text()
    return [Goal(what, WAIT, "times", common.ratios(rounds, "wall", inverse=True), f"{seconds} s")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and write results/commands.json."""
    args = common.options(__doc__).parse_args(arguments)
    corpus = common.corpus(root=args.data)
    times = 1 if args.quick else 5
    with tempfile.TemporaryDirectory(prefix="sigboard-bench-") as made:
        cache, folder = Path(made, "cache"), Path(made)
        common.compile_all(cache, folder)
        goals = small(cache, corpus, times) + tables(cache, folder, args.quick)
        goals += campaigns(cache, folder, corpus, args.quick) + errors(corpus, times) + cluster(corpus, times)
    common.write("commands", args, f"{corpus.title()}; made tables", goals)


if __name__ == "__main__":
    main()
