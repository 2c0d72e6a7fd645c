"""BibTeX of what a result used: the papers that the records of its metrics, tests and corrections name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sigcore import MatrixResult, corrections, metrics, significance
from sigcore.studies import runs


@cache
def papers() -> dict[str, str]:
    """The entries of papers.bib by their keys, which are an author and a year: "koehn2004"."""
    content = Path(__file__).with_name("papers.bib").read_text(encoding="utf-8")
    entries = [f"{entry.strip()}\n" for entry in content.split("\n\n")]
    return {entry[entry.index("{") + 1 : entry.index(",")]: entry for entry in entries}


def of_results(results: Sequence[MatrixResult]) -> str:
    """An entry for each paper that the metrics, tests and corrections of the results name.

    A comment says what has no entry here, so that nothing is missing silently.
    """
    cited: dict[str, str] = {}
    for result in results:
        setup = result.setup
        members = {
            setup.metric_title: metrics.get(setup.metric).source,
            setup.test_title: _source(setup.test),
            setup.correction_title: corrections.get(setup.correction).source,
        }
        cited |= {title: source for title, source in members.items() if source}
    used = [entry for key, entry in papers().items() if any(cites(source, key) for source in cited.values())]
    missing = {t: s for t, s in cited.items() if not any(cites(s, key) for key in papers())}
    comments = [f"% {title}: {source} (no entry here)\n" for title, source in missing.items()]
    return "\n".join([*used, *comments])


def _source(test: str) -> str:
    """The source of the test of that name, also of one of several runs."""
    of_runs = {one.name: one.source for one in runs.SHUFFLES.values()} | {runs.mixed.NAME: runs.mixed.SOURCE}
    return of_runs[test] if test in of_runs else significance.get(test).source


def cites(source: str, key: str) -> bool:
    """Whether the source, as "Popović 2015, 2017; sacrebleu (Post 2018)", names the author of that key with its year."""
    author, year = key[:-4], key[-4:]
    parts = source.lower().replace("ć", "c").replace("ä", "a").replace("-", "").split(";")
    return any(year in part and re.search(rf"\b{author}\b", part) for part in parts)


# The command line that gives the same numbers again, with every choice written out.

# What changes no number: where it is computed.
LEFT_OUT = ("command", "run", "workers", "executor")
# Choices whose default may change with a version, so they are always written.
ALWAYS = ("metric", "test", "alternative", "alpha", "correction", "unit", "resamples", "seed")

# What takes one value each time that it is given.
EACH = ("option", "format_option", "id_field", "score_field", "missing_code", "acknowledge", "explode")


def command_line(given: Mapping[str, object]) -> str:
    """The command line of these arguments, named as argparse names them; run in the same folder, it gives the same."""
    files = given.get("files")
    words = ["sigboard", str(given["command"]), *map(str, files if isinstance(files, list) else ())]
    for name, value in given.items():
        empty = value is None or value is False or value in ("", [])  # 0 is a value: --draws 0
        if name in (*LEFT_OUT, "files") or (name not in ALWAYS and empty):
            continue
        words += _words(name, value)
    return shlex.join(words)


def _words(name: str, value: Any) -> list[str]:
    """One argument as it is written."""
    flag = "--" + name.replace("_", "-")
    if name == "better":
        return [f"--{value}-is-better"]
    if name in EACH:
        return [word for one in value for word in _given(flag, str(one))]
    if name == "pair":  # two values each time
        return [word for pair in value for word in (flag, *map(str, pair))]
    if value is True:
        return [flag]
    if isinstance(value, list):
        return [flag, *map(str, value)]
    return _given(flag, f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value))


def _given(flag: str, text: str) -> list[str]:
    """A flag and its text; a text that looks like a flag is one word with it."""
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]
