"""Fields of the JSON of human, scores, pairwise, tasks and tuning, in the notation of fields.py."""

from __future__ import annotations

from fields import COMMON, SEGMENTS

BETWEEN = """  between: text  metrics or tests.
  metric: text-  The metric that is the same; only between tests.
  test: text-  The test that is the same; only between metrics.
  names: text[]  What is compared.
  alpha: number  Significance level.
  pairs: whole  Pairs of systems that were counted.
  df: whole  Degrees of freedom.
"""
STUDIES = {
    "human": f"""
systems: text[]  All judged systems, best first: the order of the grids of people.
compared: text[]  Judged systems that have outputs: the order of the grids of metrics.
judged_only: text[]  Judged systems without outputs.
unjudged: text[]  Systems with outputs that were not judged.
names: text{{}}  By judged system, the name of its output.
dimensions: text[]  Dimensions of the ratings, the deciding one first.
standardise: text  How the ratings of each judge were standardised.
z_scores: number?[]{{}}  By dimension, the mean standardised score of each system.
raw_scores: number?[]{{}}  By dimension, the mean rating of each system.
segments: whole[]{{}}  By dimension, the number of rated segments of each system.
ratings: whole[]{{}}  By dimension, the number of ratings of each system.
rank_sum: number?[][]{{}}  By dimension, p of the rank-sum test, row better than column.
gold: whole?[][]{{}}  By alpha, the conclusions of people: 1 row better, -1 row worse, 0 undecided; null where unknown.
decided_by: text?[][]{{}}  By alpha, the dimension that decided; null where none did.
accuracy: object[]  One for each metric, test and alpha.
  metric: text  Name of the metric.
  test: text  Name of the test.
  alpha: number  Significance level.
  correct: whole  Pairs with the conclusion of people.
  pairs: whole  Pairs with a conclusion of people.
  percent: number?  Share of the correct pairs, in percent.
  low: number?  Low end of the exact interval, as if pairs shared no systems.
  high: number?  High end of the exact interval.
  system_low: number?  Low end of the interval over systems.
  system_high: number?  High end of the interval over systems.
  system_interval: number?[]  Both ends of the interval over systems.
  best: flag  Whether no other metric and test has more correct pairs at this alpha.
chi_square: object[]  As in the paper: do metrics (or tests) differ in accuracy?
{BETWEEN}  chi_square: number?  The statistic.
  p: number?  Its p.
cochran_q: object[]  As in the paper: the same by Cochran's Q.
{BETWEEN}  q: number?  The statistic.
  p: number?  Its p.
  mcnemar: object[]  McNemar's test of every two.
    first: text  The first of the two.
    second: text  The second of the two.
    only_first: whole  Pairs that only the first gets right.
    only_second: whole  Pairs that only the second gets right.
    p_value: number?  Exact p of a difference.
differences: object[]  Do two metrics differ in how well they agree with people?
  metric_a: text  The first metric.
  metric_b: text  The second metric.
  measure: text  What measures the agreement.
  test: text?  The test of the conclusions; null for measures of system scores.
  alpha: number?  Significance level; null where the measure has none.
  difference: number?  How much better the first metric agrees.
  low: number?  Low end of its interval.
  high: number?  High end of its interval.
  p: number?  p of the difference.
  adjusted: number?  p after Holm's correction over the pairs of metrics.
  method: text  How p was computed.
system_level: object[]  How well the system scores of each metric agree with those of people.
  metric: text  Name of the metric.
  systems: whole  Number of systems.
  pairs: whole  Number of pairs.
  pairwise: number?  Pairwise accuracy, in percent.
  kendall: number?  Kendall's tau-b.
  pearson: number?  Pearson's r.
  tie_calibrated: object[]  Pairwise accuracy with calibrated ties, for each alpha.
    alpha: number  Significance level of the conclusions of people.
    accuracy: number?  Accuracy in percent.
    epsilon: number?  Largest difference of scores that is a tie.
conclusions: object[]  The conclusions of each metric, test and alpha.
  metric: text  Name of the metric.
  test: text  Name of the test.
  alpha: number  Significance level.
  conclusions: whole?[][]  1 row better, -1 row worse, 0 not significant.
judges: object[]  One for each judge and dimension.
  name: text  Name of the judge.
  dimension: text  Dimension of the ratings.
  ratings: whole  Number of ratings.
  controls: whole  Number of ratings for quality control.
  mean: number?  Mean that was used to standardise.
  sd: number?  Standard deviation that was used to standardise.
  ordinary: number?  Mean rating of outputs, for quality control.
  degraded: number?  Mean rating of degraded texts.
  trust: number?  One-sided p that degraded texts are rated lower.
  dropped: text  Why the ratings were left out; empty text if they were not.
dropped: text[]  Judges whose ratings were left out.
alphas: number[]  The significance levels.
{COMMON.replace(SEGMENTS, "")}
estimator: text  valid: p = (c + 1) / (R + 1); paper: p = c / R.
warnings: text[]  Notes on the files and on the whole run.
notes: text[]  How to read the numbers.
signature: text  All settings, to be printed in a paper.
""",
    "scores": """
matrix: text  Name of the scores.
systems: text[]  Names of the systems.
humans: text[]  Those that are people.
documents: whole  Number of documents.
missing: whole  Number of missing scores.
better: text  Which scores are better: higher or lower.
alpha: number  Significance level of cut-offs and counts.
correction: text  Name of the correction.
estimator: text  valid: p = (c + 1) / (R + 1); paper: p = c / R.
zeros: text  How W treats documents with equal scores.
resamples: whole  Number of draws, R.
seed: whole  Seed of the draws.
signature: text  All settings, to be printed in a paper.
notes: text[]  Notes on the numbers.
counts: object  Number of pairs with p <= alpha, uncorrected unless under `corrected`.
  all: #counts?  All pairs.
  human_machine: #counts?  Pairs of one human and one machine; null without humans.
efficiency: object  Efficiency of W compared with paired T.
  theory: number{}  By shape of the differences, the value of the theory.
  estimated: object  Quartiles over the pairs.
    low: number?  First quartile.
    median: number?  Median.
    high: number?  Third quartile.
kruskal: #omnibus?  Kruskal-Wallis over documents.
friedman: #omnibus?  Friedman over systems, with documents as blocks.
kruskal_systems: #omnibus?  Kruskal-Wallis over systems.
friedman_documents: #omnibus?  Friedman over documents, with systems as blocks.
tukey: #ranks?  Mean ranks of documents.
tukey_systems: #ranks?  Mean ranks of systems.
tukey_within_documents: #ranks?  Mean ranks of systems within documents.
pairs: object[]  One for each pair of systems.
  system: text  The system with the gain.
  baseline: text  The other system.
  n: whole  Number of documents that both have.
  gain: number?  Mean difference of scores; positive: the system is better.
  t: #statistic  Unpaired T, p by theory.
  paired_t: #statistic  Paired T, p by theory.
  wilcoxon: #signed_rank  Wilcoxon's signed-rank W, p by theory or exact.
  mc: #statistics  The same with p by swaps.
  hb: #statistics  The same with p by draws and swaps.
  efficiency: number?  Estimated efficiency of W compared with paired T.
  note: text  What limits this pair; empty text if nothing does.
""",
    "tuning": f"""
metric: text  Name of the metric that is tuned for and tested.
metric_title: text  Its name as it is printed.
better: text  Which scores are better: higher or lower.
baseline: text  Name of the baseline.
fixed_lists: flag  Whether k-best lists were given.
features: object[]  One for each feature.
  name: text  Name of the feature.
  mean: number  Its mean.
  deviation: number  Its standard deviation.
  varies: flag  Whether it varies within lists.
weights: number?{{}}[]{{}}  By method, for each replicate, the weight of each feature.
dev: object  Scores on the development segments.
  segments: whole  Number of segments.
  hypotheses: whole  Number of hypotheses of the first lists.
  baseline: number?  Score of the baseline.
  oracle: number?  Score of hypotheses chosen with the references.
  worst: number?  The same for a low score.
  *: number?[]  By method, the score of each replicate.
test: object  Scores on the held-out segments; empty without them.
  segments: whole-  Number of segments.
  hypotheses: whole-  Number of hypotheses of the first lists.
  baseline: number?-  Score of the baseline.
  oracle: number?-  Score of hypotheses chosen with the references.
  worst: number?-  The same for a low score.
  *: number?[]  By method, the score of each replicate.
tests: object{{}}  By method, the test of all its replicates together; empty without held-out segments.
  gain: number?  Mean score of the replicates minus that of the baseline.
  interval: number?[]  Low and high end of its interval.
  p_value: number?  p of the replicates together.
  p_interval: number?[]  Monte Carlo interval of p.
  adjusted: number?  p after Holm's correction over the methods.
  runs: object[]  One for each replicate alone.
    gain: number?  Gain of the replicate.
    p_value: number?  p of the replicate.
  multi_run: object  Variation from replicate to replicate.
    average: number?  Mean score.
    s_sel: number?  Standard deviation over drawn segments, averaged over replicates.
    s_opt: number?  Standard deviation over replicates.
    run_t: number?  t of the gains of the replicates against 0.
    run_df: whole  Its degrees of freedom.
    run_p: number?  Its p.
course: object[][]{{}}  By method, for each replicate, its iterations.
  iteration: whole  Number of the iteration.
  dev: number?  Score on the development segments with the weights it began with.
  lists: whole  Number of lists that were learned from; 0 in the last iteration.
  steps: object[]  One for each epoch or step.
    epoch: whole  Number of the epoch.
    loss: number?  Loss per list; null where the method has none.
    value: number?  Metric of the best hypotheses.
options: any{{}}{{}}  By method, its options.
plan: object  How the tuning was organised.
  split: number  Share of the segments that is tuned on.
  replicates: whole  Number of replicates.
  resampled_dev: flag  Whether each replicate has its own resample of the development segments.
  policy: text  What happens to lists of earlier iterations; fixed where lists were given.
  sizes: whole[]  List sizes that are compared; empty without a comparison.
  policies: text[]  Policies that are compared; empty without a comparison.
sweeps: object[]  One for each setting and method of which several values were tuned.
  title: text  Printed name of the method.
  setting: text  Name of the setting; k is the size of the lists.
  values: object[]  In order of value.
    value: number  Value of the setting.
    label: text  Name of the method with this value in the other fields.
test_name: text  Name of the test.
correction: text  Name of the correction.
estimator: text  valid: p = (c + 1) / (R + 1); paper: p = c / R.
{COMMON}
chosen: text[]  Settings that the paper leaves open.
warnings: text[]  Notes on the files and on the whole run.
signature: text  All settings, to be printed in a paper.
""",
}
