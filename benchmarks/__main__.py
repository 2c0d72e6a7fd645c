"""Runs the benchmarks one after the other, each in its own process: `python -m benchmarks [--quick] [NAME ...]`.

A full run writes docs/speed.md. If a benchmark fails, the others still run, but the page is not written.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from benchmarks import common, speed

NAMES = (
    "resampling",
    "large",
    "extraction",
    "process",
    "means",
    "curves",
    "commands",
    "screen",
    "tuning",
    "bounds",
    "growth",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """The number of benchmarks that failed."""
    parser = common.options(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which (default: all of {', '.join(NAMES)})")
    args = parser.parse_args(arguments)
    unknown = [name for name in args.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; choose from {', '.join(NAMES)}")
    passed_on = ["--data", str(args.data), *(["--quick"] if args.quick else [])]
    failed = []
    for name in args.names or NAMES:
        print(f"\n==== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *passed_on], cwd=common.ROOT).returncode:
            failed.append(name)
    if failed:
        print(f"\nFailed: {', '.join(failed)}.", file=sys.stderr)
    elif not args.quick:
        speed.main()
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
