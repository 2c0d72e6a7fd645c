"""Every field of the JSON of the results, once (gain, size, domains and runs are in fields_of_planning.py; human, scores, pairwise, tasks and tuning in fields_of_studies.py); docs/json_schema.py makes docs/schema.json and docs/schema.md of it.

A line is `NAME: TYPE  MEANING`; deeper lines are the fields of an object. Types: text, whole, number, flag, any object
of the list as #NAME; `?` after a type: or null; `[]`: a list of it; `{}`: an object whose keys are names of
the data; `-`: may be absent. The name * is that of all other fields.
"""

from __future__ import annotations

SEGMENTS = "segments: whole  Number of segments.\n"
COMMON = f"""
n: whole  Number of units that were resampled.
unit: text  What was resampled: segment, document or block:N.
{SEGMENTS}resamples: whole  Number of resamples, R; 0 where p is exact.
seed: whole  Seed of the resamples.
"""
SIDE = """
alternative: text  two-sided, greater or less.
warnings: text[]  Notes on the files and on the whole run.
"""
NAMED = """
  metric: text  Name of the metric, as in --metric.
  metric_title: text  Name of the metric as it is printed.
  test: text  Name of the test, as in --test.
  test_title: text  Name of the test as it is printed.
  signature: text  All settings, to be printed in a paper.
  family: #family  The p-values that were corrected together.
  notes: text[]  Notes on these numbers.
"""
PAIRWISE = (
    NAMED
    + """
  scores: number?[]  Score of each system.
  gains: number?[][]  Gain of the row over the column; positive: the row is better.
  p_values: number?[][]  p of the row against the column; 1 on the diagonal.
  p_low: number?[][]  Low end of the Monte Carlo interval of p.
  p_high: number?[][]  High end of the Monte Carlo interval of p.
  adjusted: number?[][]  p after the correction; p itself where nothing is corrected.
  adjusted_low: number?[][]?  Low end of the Monte Carlo interval, after the correction.
  adjusted_high: number?[][]?  High end of the Monte Carlo interval, after the correction.
  score_intervals: number?[][]?  Low and high end of the interval of each score.
  gain_intervals: number?[][][]?  Low and high end of the interval of each gain, row over column.
  correction: text  Name of the correction, as in --correction.
  estimator: text  valid: p = (c + 1) / (R + 1); paper: p = c / R.
  tie_rule: text  How resamples exactly on a cut-off are counted.
  doubled: flag  Whether a two-sided p is twice the smaller one-sided p.
  level: number  Level of the intervals.
  exact: flag  Whether p is exact, without resamples.
  better: text  Which scores are better: higher or lower.
  design_effect: number?[][]?  Variance of each gain by units over that by segments; null if the unit is the segment.
  score_design_effect: number?[]?  The same for each score.
"""
)
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
FAMILY = """
tests: whole  Number of p-values that were corrected together.
pairs: whole  Number of pairs of systems that they are about.
correction: text  Name of the correction.
planned: flag  Whether it is a single comparison that counts as planned.
"""
PARTS = {
    "family": FAMILY,
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
PAIRS = {
    "matrix": f"""
systems: text[]  Names of the systems: the order of all rows and columns.
{COMMON}{SIDE}
results: object[]  One for each metric and test.
{PAIRWISE}
  groups: text[]  Group of each system; empty text where there is none.
""",
    "compare": f"""
systems: text[]  The system and its baseline: the order of all rows and columns.
{COMMON}{SIDE}
results: object[]  One for each metric and test on the side of `alternative`; nothing is corrected.
{PAIRWISE}
  interval: number?[]  Low and high end of the interval of the gain.
  histogram: object  The gains under the null hypothesis.
    edges: number?[]  Limits of the bars, one more than there are bars.
    counts: whole[]  Number of resamples in each bar.
  cutoffs: number?[]  Resamples at or beyond the low or the high one count; null where a side does not count.
  tail: whole  Number of resamples that count.
  ties: whole  Number of resamples exactly on a cut-off.
""",
}
