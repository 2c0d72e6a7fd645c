"""Makes docs/speed.md of the results of the last full run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks import common
from benchmarks.common import Spread

PAGE = common.ROOT / "docs" / "speed.md"
ORDER = ("resampling", "large", "extraction", "process", "screen")
PHASE_TITLES = {
    "resampling": "11 systems, BLEU + chrF + TER, R = 10,000",
    "large": "31 systems, BLEU",
}

HEAD = """# Speed

<!-- Made by `make bench` from benchmarks/results/; run it again instead of changing this page. -->

Every ratio compares two programs that took turns in one run on the same statistics or files: the median of the rounds,
and the range in brackets. Ratios are of CPU time, which a busy machine disturbs least; seconds are those on the clock.
To run all of it again: `make bench` (about ten minutes), or `make bench ARGS=--quick` for a first impression
in two or three minutes, which leaves this page as it is.
"""

CURVES = """## What a question costs

CPU seconds, both axes logarithmic. sacrebleu's code was measured on one pair at R = 1,000, and multiplied by the number
of pairs and by R / 1,000.

![against the number of resamples](cost-R.svg)

![against the number of segments](cost-segments.svg)

![against the number of systems](cost-systems.svg)
"""


def spread(of: Mapping[str, float]) -> str:
    """A spread as it was written to JSON, as text."""
    return Spread(of["median"], of["low"], of["high"]).text()


def machine(of: Mapping[str, Any]) -> str:
    """One line on what the numbers depend on."""
    versions = ", ".join(f"{name} {of[name]}" for name in ("python", "numpy", "scipy", "numba", "sacrebleu"))
    return (
        f"{of['processor']}, {of['cores']} cores, {of['system']}; {of['blas']}; {versions}; "
        f"load {of['load']} (a load above the number of cores means that seconds on the clock are too long)"
    )


def goals(results: Mapping[str, Any]) -> str:
    """The table of goals of all benchmarks that have been run."""
    rows = ["| what | goal | measured | beside it | |", "| --- | --- | --- | --- | --- |"]
    for name in ORDER:
        for goal in results.get(name, {}).get("goals", ()):
            what = goal["what"] + (f" ({goal['note']})" if goal["note"] else "")
            measured = f"{spread(goal['judged'])} {goal['unit']}"
            rows.append(f"| {what} | {goal['goal']} | {measured} | {goal['beside']} | {verdict(goal)} |")
    return "\n".join(rows) + "\n"


def verdict(goal: Mapping[str, Any]) -> str:
    """Whether the goal is met."""
    return "met" if goal["met"] else "**missed**"


def means(result: Mapping[str, Any]) -> str:
    """The comparison with scipy."""
    rows = ["| mean of a number per segment, R = 10,000 | ours, all pairs, CPU s | scipy, one pair, CPU s | ratio |"]
    rows.append("| --- | --- | --- | --- |")
    for name, row in result["against_scipy"].items():
        ours, theirs = common.digits(row["ours"]), common.digits(row["scipy_one_pair"])
        rows.append(f"| {name}, {row['pairs']} pairs here | {ours} | {theirs} | {spread(row)} |")
    return "\n".join(rows) + "\n"


def phases(results: Mapping[str, Any]) -> str:
    """Where the time of resampling goes."""
    found = [
        (f"{test.replace('_', ' ')}, {PHASE_TITLES[name]}", shares)
        for name in PHASE_TITLES
        for test, shares in results.get(name, {}).get("phases", {}).items()
    ]
    names: Sequence[str] = list(found[0][1]) if found else ()
    rows = [f"| | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
    rows += [f"| {title} | {' | '.join(f'{shares[name]:.0%}' for name in names)} |" for title, shares in found]
    return "\n".join(rows) + "\n"


def page(results: Mapping[str, Any]) -> str:
    """docs/speed.md."""
    told = [results[name]["machine"] for name in ORDER if name in results]
    parts = [HEAD, f"Machine: {machine(told[0])}.\n", "## Goals\n", goals(results)]
    parts.append("Data: " + "; ".join(f"{name}: {results[name]['data']}" for name in ORDER if name in results) + ".\n")
    if "means" in results:
        parts += ["## Against scipy\n", means(results["means"])]
    parts += ["## Where the time goes\n", "Shares of CPU time, one thread.\n", phases(results), CURVES]
    return "\n".join(parts)


def main() -> None:
    """Writes the page."""
    files = sorted(common.RESULTS.glob("*.json"))
    results = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    PAGE.write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main()
