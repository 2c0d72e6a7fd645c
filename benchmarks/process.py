"""Whole processes from the command line: seconds against sacrebleu's, a cold and a warm cache, peak memory.

Kernels are compiled once on a machine, statistics once for each file. So there are four ways to start: `first` (an
empty cache: everything is compiled), `off` (SIGBOARD_CACHE=off: compiled in every process), `cold` (kernels are there,
statistics are not: what a new test set meets) and `warm` (the same question again). The goals speak of cold and warm.
sacrebleu is asked for text: under numpy 2 its JSON of chrF resamples ends with an error after all is computed.
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


def ours(found: Corpus, metrics: Sequence[str], tests: Sequence[str], resamples: int, cache: str) -> Took:
    """What our command line takes for all pairs."""
    command = [sys.executable, "cli.py", "matrix", "--reference", str(found.reference)]
    command += ["--systems", *map(str, found.files), "--metric", *metrics, "--test", *tests]
    return common.child([*command, "--resamples", str(resamples)], {"SIGBOARD_CACHE": cache})[0]


def sacrebleu(found: Corpus) -> Took:
    """What sacrebleu's takes for BLEU and chrF at R = 1000, every system against one baseline."""
    command = [sys.executable, "-m", "sacrebleu", str(found.reference), "-i", *map(str, found.files)]
    return common.child([*command, "-m", "bleu", "chrf", "--paired-bs", "-f", "text"])[0]


def compiled(found: Corpus, folder: Path) -> Took:
    """What the first start on a machine takes, R = 10,000; the kernels are in the folder afterwards."""
    return ours(found, ("bleu", "chrf", "ter"), BOTH, 10_000, str(folder))


def fresh(folder: Path) -> str:
    """The same cache with its compiled kernels only."""
    for item in folder.iterdir():
        if item.name != "kernels":
            shutil.rmtree(item) if item.is_dir() else item.unlink()
    return str(folder)


def against_sacrebleu(found: Corpus, cache: Path, repeats: int) -> Goal:
    """All pairs of ours against one baseline of sacrebleu's, statistics made again each time."""
    question = partial(ours, found, ("bleu", "chrf"), BOTH[:1], 1000)
    rounds = common.duel(lambda: question(fresh(cache)), lambda: sacrebleu(found), repeats)
    rows = [(f"round {k + 1}", *_cells(a), *_cells(b)) for k, (a, b) in enumerate(rounds)]
    head = ("", "ours, wall s", "CPU s", "MB", "sacrebleu, wall s", "CPU s", "MB")
    common.show("Whole process, BLEU + chrF, bootstrap, R = 1000: all pairs against one baseline", [head, *rows])
    pairs = len(common.all_pairs(len(found.files)))
    return common.faster(
        f"whole process, BLEU + chrF, R = 1000, all {pairs} pairs, against sacrebleu's for one baseline", 8, rounds
    )


def _cells(took: Took) -> tuple[str, str, str]:
    return f"{took.wall:.2f}", f"{took.cpu:.2f}", f"{took.peak:.0f}"


def starts(found: Corpus, cache: Path, first: Took, quick: bool) -> list[Goal]:
    """BLEU + chrF + TER under both tests, R = 10,000, with every kind of cache."""
    question = partial(ours, found, ("bleu", "chrf", "ter"), BOTH, 10_000)
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
        common.seconds(f"{what}, cold cache", 8, runs["cold"], "kernels compiled before, statistics made again"),
        common.seconds(f"{what}, warm cache", 2, runs["warm"]),
        common.megabytes("peak memory at R = 10,000 (the same process, cold cache)", 250, runs["cold"]),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the tables and writes results/process.json."""
    args = common.options(__doc__).parse_args(arguments)
    found = common.corpus(root=args.data)
    print(found.title())
    with tempfile.TemporaryDirectory(prefix="sigboard-bench-") as folder:
        cache = Path(folder)
        first = compiled(found, cache)
        goals = [against_sacrebleu(found, cache, 1 if args.quick else 5)]
        goals += starts(found, cache, first, args.quick)
    common.write("process", args, found.title(), goals, first_start=first.__dict__)


if __name__ == "__main__":
    main()
