"""What runners of tests print: whether each test or task passed (pytest -v, unittest, go test, cargo test, TAP, logs of agents)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from sigcore.errors import ReadError
from sigcore.formatting import count, counted
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Notice, Options, Reader, described, scores
from sigcore.readers.names import pattern

# What each line of a runner looks like: the name of a test, and its outcome.
GRAMMARS = ("pytest", "summary", "unittest", "go", "cargo", "tap", "agent")
LINES = {name: pattern(f"outcomes.{name}") for name in GRAMMARS}
PASSED, FAILED, NOT_RUN = pattern("outcomes.passed"), pattern("outcomes.failed"), pattern("outcomes.not_run")
ANY = pattern("outcomes.any")  # lines without such a word are passed over quickly
SKIP = pattern("outcomes.skip")  # a directive of TAP
MEASURE, FEWEST, LOOKED_AT = "passed", 3, 5_000


def _results(content: Content, most: int | None = None) -> Iterator[tuple[int, str, str]]:
    """The line, the test and the outcome of each result: "1", "0", or "" for a test that was not run."""
    lines = [(number, line) for number, line in enumerate(content.lines[:most], 1) if ANY.search(line)]
    for number, line in lines:
        for row in (rule.fullmatch(line) for rule in LINES.values()):
            if row is not None and (outcome := _outcome(row["outcome"], line)) is not None:
                yield number, _name(row["test"]), outcome
                break


def _outcome(word: str, line: str) -> str | None:
    """The score of a word, None for one that is no outcome."""
    if NOT_RUN.fullmatch(word) or SKIP.search(line):
        return ""
    return "1" if PASSED.fullmatch(word) else "0" if FAILED.fullmatch(word) else None


def _name(test: str) -> str:
    """The name of a test; of the file of a task its own name, as the folder may be one of a single run."""
    return PurePosixPath(test).stem if test.startswith("/") else test.strip()


def _looks(content: Content) -> int:
    found = [test for _, test, _ in _results(content, LOOKED_AT)]
    return CERTAIN if len({*found}) >= FEWEST else NO


def _read(content: Content, options: Options) -> Found:
    file, found = content.file, dict[str, str]()
    for number, test, outcome in _results(content):
        if found.setdefault(test, outcome) != outcome:
            message = f"line {number}: {test} has another outcome than before."
            raise ReadError(message, file, number, "Load what was printed for one run of the tests.")
    run = {test: outcome for test, outcome in found.items() if outcome}
    if not run:
        raise ReadError("It has no outcome of a test.", file, 1, "Load what pytest -v or another runner prints.")
    tests = count(len(run), "test")
    message = f"Printed by a runner of tests: {tests} passed (1) or failed (0). An error counts as failed."
    notices = [Notice(file, message)]
    if skipped := len(found) - len(run):
        left = counted(skipped, "test", "was skipped and is left out", "were skipped and are left out")
        notices.append(Notice(file, f"{left}."))
    name, note = names.display_name(file), f"outcomes, {tests}"
    item = scores(file, name, tuple(run.values()), note, MEASURE, "higher", tuple(run))
    return Found(items=[item], notices=notices)


READER = Reader(
    **described("outcomes"),
    kinds=("scores",),
    looks=_looks,
    read=_read,
    proof=parsed(("system", "One", ("1", "0", "1"))),
)
