"""`make nightly`: what is too long for each change, or looks for new faults instead of known ones.

Examples that Hypothesis finds are stored in tests/found, and damaged files in tests/fuzz/seeds: committed, they are tests.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import SystemRandom

ROOT = Path(__file__).resolve().parents[1]
Step = tuple[str, Sequence[str], Mapping[str, str]]  # name, arguments of Python, settings
TESTS = ("-m", "pytest", "-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder")
STEPS = ("seeds", "slow", "fuzz", "mutants", "generated", "soak")


def steps(first: int, seeds: int, inputs: int, seconds: int) -> dict[str, list[Step]]:
    """The steps of a night by kind; `first` is the first of so many seeds, which choose the examples and the order."""
    many = [
        (f"seed {seed}", (*TESTS, "-m", "not slow", f"--hypothesis-seed={seed}"), {"SIGBOARD_ORDER": str(seed)})
        for seed in range(first, first + seeds)
    ]
    return {
        "seeds": [
            (name, words, order | {"SIGBOARD_SEEDS": "random", "SIGBOARD_EXAMPLES": "100"})
            for name, words, order in many
        ],
        "slow": [("slow tests", ("-m", "pytest", "-m", "slow"), {})],
        "fuzz": [("fuzz", ("-m", "tests.fuzz", "--inputs", str(inputs), "--first", str(first)), {})],
        "mutants": [("mutants", ("-m", "tests.mutants"), {})],
        "generated": [("generated mutants", ("-m", "tests.mutants.generated", "--seed", str(first)), {})],
        "soak": [
            (f"soak{' with faults' * bool(more)}", ("-m", "tests.soak", "--seconds", str(seconds), *more), {})
            for more in ((), ("--faults",))
        ],
    }


def run(step: Step) -> int:
    """The exit code of one step; what it prints is shown."""
    name, words, settings = step
    print(
        f"== {name}: {' '.join([*(f'{key}={value}' for key, value in settings.items()), 'python', *words])}", flush=True
    )
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=os.environ | settings, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all steps, or those that are named; 1 if one failed."""
    parser = argparse.ArgumentParser(prog="make nightly", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(STEPS)} (default: all)")
    parser.add_argument("--first", type=int, help="the first seed (default: a random one, which is printed)")
    parser.add_argument("--seeds", type=int, default=6, help="how many seeds (default: 6)")
    parser.add_argument("--inputs", type=int, default=100_000, help="damaged files (default: 100000)")
    parser.add_argument("--seconds", type=int, default=300, help="seconds of visitors (default: 300)")
    args = parser.parse_args(arguments)
    if unknown := [kind for kind in args.kinds if kind not in STEPS]:
        parser.error(f"unknown: {', '.join(unknown)}; choose from {', '.join(STEPS)}")
    first = SystemRandom().randrange(10**6, 10**9) if args.first is None else args.first
    night = steps(first, args.seeds, args.inputs, args.seconds)
    chosen = [step for kind in args.kinds or STEPS for step in night[kind]]
    failed = [step[0] for step in chosen if run(step)]
    print(f"{len(chosen)} steps, {len(failed)} failed{': ' if failed else '.'}{', '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
