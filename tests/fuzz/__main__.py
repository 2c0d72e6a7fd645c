"""Reads 100,000 damaged files: `python -m tests.fuzz [--inputs N] [--first K]`.

Nothing may crash, and nothing may be lost without a word. What fails is kept in tests/fuzz/seeds, whose files `make test`
reads again. The exit code is 0 if nothing failed.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.fuzz.check import faults
from tests.fuzz.inputs import Input, drawn

SEEDS = Path(__file__).parent / "seeds"
INPUTS = 100_000
EPOCH = (1980, 1, 1, 0, 0, 0)
MOST_KEPT = 50  # of one run: a fault that every tenth input has is one fault


def save(given: Input, folder: Path = SEEDS) -> Path:
    """Keep an input as a zip of its files in their order, whose comment is the reader that was forced on them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = given.reader.encode()
        for k, (name, data) in enumerate(given.files):
            archive.writestr(zipfile.ZipInfo(f"{k}/{name}", EPOCH), data)
    path = folder / f"{hashlib.sha256(buffer.getvalue()).hexdigest()[:12]}.zip"
    path.write_bytes(buffer.getvalue())
    return path


def load(path: Path) -> Input:
    """The input that `save` has kept."""
    with zipfile.ZipFile(path) as archive:
        files = tuple((name.partition("/")[2], archive.read(name)) for name in archive.namelist())
        return Input(files, archive.comment.decode())


def failures(numbers: Sequence[int]) -> Iterator[tuple[int, Input, list[str]]]:
    """(number, input, what is wrong) of the inputs that fail; progress is printed."""
    began = time.monotonic()
    for k, number in enumerate(numbers, 1):
        given = drawn(number)
        if wrong := faults(given):
            yield number, given, wrong
        if k % 5_000 == 0:
            print(f"{k:,} inputs, {time.monotonic() - began:,.0f} s", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if an input failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=INPUTS)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    args = parser.parse_args(arguments)
    seen: Counter[str] = Counter()
    for number, given, wrong in failures(range(args.first, args.first + args.inputs)):
        seen[wrong[0].partition(":")[0]] += 1
        if seen.total() <= MOST_KEPT:
            print(f"input {number}, kept as {save(given).name}: {'; '.join(wrong)}", flush=True)
    print(f"{args.inputs:,} inputs, {seen.total()} failed.")
    return int(bool(seen))


if __name__ == "__main__":
    sys.exit(main())
