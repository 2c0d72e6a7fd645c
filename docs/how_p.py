"""Fills docs/how-p-is-made.md: the quoted functions from their files, and the numbers of its one pair.

The page has `<!-- code:FILE NAME -->` around each function and `<!-- p:NAME -->` around each number. A changed function
or number makes the page out of date until `make docs` has written it again.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from sigcore import compare
from sigcore.resampling.blocks import BLOCK, generator, swap_masks
from sigcore.results import CompareResult
from sigcore.text.bleu import BleuReferences, bleu_score, brevity_penalty
from sigcore.types import Floats

ROOT = Path(__file__).resolve().parent.parent
CODE = re.compile(r"<!-- code:(\S+) (\S+) -->\n.*?<!-- /code -->", re.DOTALL)
NUMBER = re.compile(r"<!-- p:(\S+) -->.*?<!-- /p -->", re.DOTALL)

SYSTEM, BASELINE, TWIN, SEED = "Albatross-1", "Cormorant", "Albatross-2", 12345
SHOWN = 12  # coins of the first shuffle that are printed


def source(file: str) -> str:
    """The text of a file of code."""
    return (ROOT / file).read_text(encoding="utf-8")


def quoted(file: str, name: str) -> str:
    """The lines of a function or a method, as "swap_block" or "Thresholds.count".

    Raises: SystemExit where the file has none of that name.
    """
    text = source(file)
    found: Sequence[ast.stmt] = ast.parse(text).body
    for part in name.split("."):
        inside = [node for node in found if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == part]
        if not inside:
            raise SystemExit(f"{file} has no {name}. Correct docs/how-p-is-made.md, which quotes it.")
        node, found = inside[0], inside[0].body
    return textwrap.dedent("\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno]))


def filled(page: str) -> str:
    """The page with each function as it is in its file, and each number as it is computed."""
    page = CODE.sub(
        lambda m: f"<!-- code:{m[1]} {m[2]} -->\n```python\n{quoted(m[1], m[2])}\n```\n<!-- /code -->", page
    )
    return NUMBER.sub(lambda m: f"<!-- p:{m[1]} -->{numbers()[m[1]]}<!-- /p -->", page)


def lines(name: str) -> list[str]:
    """The segments of a file of samples/harbour."""
    return (ROOT / "samples" / "harbour" / name).read_text(encoding="utf-8").splitlines()


def result(test: str, baseline: str = BASELINE) -> CompareResult:
    """The pair under a test, with the default settings of the product."""
    names = SYSTEM, baseline
    system, other = (lines(f"systems/{one}.en") for one in names)
    return compare(system, other, lines("ref.A.en"), "bleu", test=test, names=names, resamples=10_000, seed=SEED)


def table(rows: Sequence[Floats]) -> str:
    """Statistics of both systems as a table."""
    head = ["", "length", "reference", *(f"match {k}" for k in range(1, 5)), *(f"total {k}" for k in range(1, 5))]
    body = [[name, *(f"{value:,.0f}" for value in row)] for name, row in zip((SYSTEM, BASELINE), rows, strict=True)]
    return "\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *body)) + "\n\n"


@cache
def numbers() -> dict[str, str]:
    """Every number of the page by its name, as it is printed."""
    return _scores() | _randomization() | _bootstraps()


def _rows() -> tuple[Floats, Floats]:
    """The statistics (n, 10) of both systems."""
    references = BleuReferences([lines("ref.A.en")])
    return references.rows(lines(f"systems/{SYSTEM}.en")), references.rows(lines(f"systems/{BASELINE}.en"))


def _scores() -> dict[str, str]:
    first, second = _rows()
    totals = first.sum(axis=0), second.sum(axis=0)
    scores = [float(bleu_score(total)) for total in totals]
    unit = float(abs(bleu_score(first) - bleu_score(second)).max())
    return {
        "n": f"{len(first)}",
        "reference": lines("ref.A.en")[0],
        "output": lines(f"systems/{SYSTEM}.en")[0],
        "other": lines(f"systems/{BASELINE}.en")[0],
        "segment": table((first[0], second[0])),
        "totals": table(totals),
        "brevity": f"{float(brevity_penalty(totals[0][0], totals[0][1])):.6f}",
        "score": f"{scores[0]:.4f}",
        "other-score": f"{scores[1]:.4f}",
        "gain": f"{scores[0] - scores[1]:.4f}",
        "unit": f"{unit:.1f}",
    }


def _randomization() -> dict[str, str]:
    first, second = _rows()
    coins = swap_masks(generator(SEED, "swap", 0), BLOCK, len(first))[0]
    moved = coins @ first, coins @ second
    sums = first.sum(axis=0) - moved[0] + moved[1], second.sum(axis=0) - moved[1] + moved[0]
    whole = result("approximate_randomization")
    test = whole.results[0]
    assert test.null is not None
    resamples, twins = test.setup.resamples, result("approximate_randomization", TWIN).results[0]
    return {
        "coins": " ".join(f"{coin:.0f}" for coin in coins[:SHOWN]),
        "swapped": f"{coins.sum():.0f}",
        "shuffled": table(sums),
        "shuffled-score": f"{bleu_score(sums[0][None])[0]:.4f}",
        "shuffled-other": f"{bleu_score(sums[1][None])[0]:.4f}",
        "shuffled-gain": f"{test.null[0]:.4f}",
        "next-gains": ", ".join(f"{gain:.4f}" for gain in test.null[1:4]),
        "R": f"{resamples:,}",
        "R+1": f"{resamples + 1:,}",
        "beyond": f"{test.tail - test.ties}",
        "ties": f"{test.ties}",
        "c": f"{test.tail}",
        "c+1": f"{test.tail + 1}",
        "p": f"{test.p_value:.6f}",
        "low": f"{test.p_interval[0]:.6f}",
        "high": f"{test.p_interval[1]:.6f}",
        "verdict": str(whole),
        "twin-ties": f"{twins.ties}",
        "twin-c": f"{twins.tail:,}",
    }


def _bootstraps() -> dict[str, str]:
    shift, paired = result("bootstrap_shift").results[0], result("paired_bootstrap").results[0]
    assert shift.null is not None
    assert paired.null is not None
    return {
        "drawn-gain": f"{paired.null[0]:.4f}",
        "centre": f"{paired.null[0] - shift.null[0]:.4f}",
        "shifted-gain": f"{shift.null[0]:.4f}",
        "shift-c": f"{shift.tail}",
        "shift-p": f"{shift.p_value:.6f}",
        "paired-c": f"{paired.tail}",
        "paired-p": f"{paired.p_value:.6f}",
    }
