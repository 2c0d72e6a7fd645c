"""Whole processes from the command line: seconds compared with sacrebleu, a cold and a warm cache, peak memory.

Kernels are compiled once per machine, statistics are extracted once per file. So there are four kinds of start: `first`
(an empty cache: everything is compiled), `off` (SIGBOARD_CACHE=off: compiled in every process), `cold` (kernels are
cached, statistics are not: a new test set) and `warm` (the same command again). The goals are about cold and warm starts.
sacrebleu prints text here: under numpy 2, writing its chrF resamples as JSON fails after everything is computed.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks import common
from benchmarks.common import Corpus, Goal, Took

BOTH = ("paired_bootstrap", "approximate_randomization")


def ours(corpus: Corpus, metrics: Sequence[str], tests: Sequence[str], resamples: int, cache: str) -> Took:
    """The time of our command for all pairs."""
    command = [sys.executable, "cli.py", "matrix", "--reference", str(corpus.reference)]
    command += ["--systems", *map(str, corpus.files), "--metric", *metrics, "--test", *tests]
    return common.child([*command, "--resamples", str(resamples)], {"SIGBOARD_CACHE": cache})[0]


def sacrebleu(corpus: Corpus) -> Took:
    """The time of sacrebleu's command for BLEU and chrF at R = 1000, every system against one baseline."""
    command = [sys.executable, "-m", "sacrebleu", str(corpus.reference), "-i", *map(str, corpus.files)]
    return common.child([*command, "-m", "bleu", "chrf", "--paired-bs", "-f", "text"])[0]


def compiled(corpus: Corpus, folder: Path) -> Took:
    """The time of the first start on a machine, R = 10,000; afterwards the kernels are in the folder."""
    return ours(corpus, ("bleu", "chrf", "ter"), BOTH, 10_000, str(folder))


def fresh(folder: Path) -> str:
    """The same cache, reduced to its compiled kernels."""
    for item in folder.iterdir():
        if item.name != "kernels":
            shutil.rmtree(item) if item.is_dir() else item.unlink()
    return str(folder)


def against_sacrebleu(corpus: Corpus, cache: Path, repeats: int) -> Goal:
    """All pairs in ours against one baseline in sacrebleu, with statistics extracted each time."""
    question = partial(ours, corpus, ("bleu", "chrf"), BOTH[:1], 1000)
    rounds = common.duel(lambda: question(fresh(cache)), lambda: sacrebleu(corpus), repeats)
    rows = [(f"round {k + 1}", *_cells(a), *_cells(b)) for k, (a, b) in enumerate(rounds)]
    head = ("", "ours, wall s", "CPU s", "MB", "sacrebleu, wall s", "CPU s", "MB")
    common.show("Whole process, BLEU + chrF, bootstrap, R = 1000: all pairs against one baseline", [head, *rows])
    pairs = len(common.all_pairs(len(corpus.files)))
    return common.faster(
        f"whole process, BLEU + chrF, R = 1000, all {pairs} pairs, against sacrebleu with one baseline", 8, rounds
    )


def _cells(took: Took) -> tuple[str, str, str]:
    return f"{took.wall:.2f}", f"{took.cpu:.2f}", f"{took.peak:.0f}"


def starts(corpus: Corpus, cache: Path, first: Took, quick: bool) -> list[Goal]:
    """BLEU + chrF + TER under both tests, R = 10,000, with every kind of cache."""
    question = partial(ours, corpus, ("bleu", "chrf", "ter"), BOTH, 10_000)
    runs: dict[str, list[Took]] = {"first": [first], "cold": [], "warm": []}
    for _ in range(2 if quick else 5):
        runs["cold"].append(question(fresh(cache)))
        runs["warm"].append(question(str(cache)))
    if not quick:
        runs["off"] = [question("off")]
    rows = [(name, *_cells(took)) for name, all_took in runs.items() for took in all_took]
    what = "whole process, BLEU + chrF + TER, bootstrap and randomization, R = 10,000, all pairs"
    common.show(what, [("cache", "wall s", "CPU s", "MB"), *rows])
    return [
        common.seconds(f"{what}, cold cache", 8, runs["cold"], "kernels compiled before, statistics extracted again"),
        common.seconds(f"{what}, warm cache", 2, runs["warm"]),
        common.megabytes("peak memory at R = 10,000 (the same process, cold cache)", 250, runs["cold"]),
    ]


def settled(corpus: Corpus, cache: Path, quick: bool) -> list[Goal]:
    """All pairs in BLEU with Holm, as many resamples as each pair needs, and with 10,000 for all."""
    command = [sys.executable, "cli.py", "matrix", "--reference", str(corpus.reference), "--correction", "holm"]
    command += ["--systems", *map(str, corpus.files), "--resamples"]
    here = {"SIGBOARD_CACHE": str(cache)}
    rounds = common.duel(lambda: common.child([*command, "auto"], here)[0], common.numpy, 1 if quick else 5)
    took = [ours for ours, _ in rounds]
    few = [common.child([*command, "10000"], here)[0] for _ in range(1 if quick else 5)]
    common.show("Whole process, BLEU, Holm", [("R", "wall s", "CPU s", "MB"), *(("auto", *_cells(t)) for t in took)])
    note = f"R = 10,000 for all pairs: {common.Spread.of([one.cpu for one in few]).text()} s of CPU"
    pairs = len(common.all_pairs(len(corpus.files)))
    what = f"whole process, BLEU, all {pairs} pairs, Holm, automatic resamples, warm cache"
    return [common.imports(what, 3, rounds, note)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables and write results/process.json."""
    args = common.options(__doc__).parse_args(arguments)
    corpus = common.corpus(root=args.data)
    print(corpus.title())
    with tempfile.TemporaryDirectory(prefix="sigboard-bench-") as folder:
        cache = Path(folder)
        first = compiled(corpus, cache)
        goals = [against_sacrebleu(corpus, cache, 1 if args.quick else 5)]
        goals += starts(corpus, cache, first, args.quick)
        goals += settled(corpus, cache, args.quick)
    common.write("process", args, corpus.title(), goals, first_start=first.__dict__)


if __name__ == "__main__":
    main()
