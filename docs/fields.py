"""The fields of the JSON whose results do not describe them themselves (see sigcore/results/fields.py), once.

size, domains and runs are in fields_of_planning.py; human, scores, pairwise, tasks and tuning in
fields_of_studies.py. docs/json_schema.py makes docs/schema.json and docs/schema.md of it.

A line is `NAME: TYPE  MEANING`; deeper lines are the fields of an object. Types: text, whole, number, flag, any object
of the list as #NAME; `?` after a type: or null; `[]`: a list of it; `{}`: an object whose keys are names of
the data; `-`: may be absent. The name * is that of all other fields.
"""

from __future__ import annotations

from collections.abc import Iterable

from sigboard.render.json import MATRIX, NAMED, SETUP, WARNINGS
from sigcore.results import Field


def written(fields: Iterable[Field], depth: int = 0) -> str:
    """The fields of a result in this notation; records that have a name of their own are only named."""
    lines = []
    for field in fields:
        if field.data:
            lines.append(f"{'  ' * depth}{field.name}: {field.type}  {field.sentence}\n")
            inside = field.fields is not None and not field.type.startswith("#")
            lines.append(written(field.fields or (), depth + 1) if inside else "")
    return "".join(lines)


SEGMENTS = written(SETUP.only("segments"))
COMMON = written(SETUP.only("n", "unit", "segments", "resamples", "seed"))
SIDE = written([SETUP["alternative"], WARNINGS])
HEAD = written(NAMED, 1)
PAIRWISE = written((field for field in MATRIX if field.name != "groups"), 1)
CELLS = """
t: whole  Unpaired T.
paired_t: whole  Paired T.
wilcoxon: whole  Wilcoxon's signed-rank W.
mc: #three  By swaps (MC).
hb: #three  By draws and swaps (HB).
"""
THREE = """
t: whole  Unpaired T.
paired_t: whole  Paired T.
wilcoxon: whole  Wilcoxon's signed-rank W.
"""
STATISTICS = """
t: #statistic  Unpaired T.
paired_t: #statistic  Paired T.
wilcoxon: #statistic  Wilcoxon's signed-rank W.
"""
PARTS = {
    "three": THREE,
    "statistic": """
statistic: number?  The statistic; positive: the system is better.
p: number?  Its p.
adjusted: number?  p after the correction over the pairs.
cutoff: number?  The size that the statistic needs at alpha.
""",
    "signed_rank": """
statistic: number?  W: the sum of the ranks with their signs.
p: number?  Its p.
adjusted: number?  p after the correction over the pairs.
cutoff: number?  The size that the statistic needs at alpha.
w_plus: number?  Sum of the positive ranks.
w_minus: number?  Sum of the negative ranks.
exact: flag  Whether p is exact.
""",
    "statistics": STATISTICS,
    "cells": CELLS,
    "counts": f"""
pairs: whole  Number of pairs.{CELLS}corrected: #cells  The same with corrected p.
tested: #cells  Number of pairs that have a p.
""",
    "omnibus": """
statistic: number?  The statistic.
df: whole  Degrees of freedom.
p: number?  Its p.
groups: whole  Number of groups.
n: whole  Number of scores (Kruskal-Wallis) or of blocks (Friedman).
note: text  Why there is no p, or what was left out; empty text if nothing was.
""",
    "ranks": """
groups: text[]  Names of the groups.
n: whole[]  Number of scores in each group.
mean_ranks: number?[]  Mean rank of each group.
low: number?[]  Low end of its comparison interval.
high: number?[]  High end of its comparison interval.
critical: number?  Critical value of the studentised range at alpha.
differing: whole[]  From how many other groups each one differs.
p_values: number?[][]?  p of every two groups; null where there are too many groups to print.
""",
}
