"""Fields of the JSON of tuning, and of tuning with lists of their own, in the notation of fields.py."""

from __future__ import annotations

from fields import COMMON

STUDIES = {
    "tuning": f"""
metric: text  Name of the metric that is tuned for and tested.
metric_title: text  Its name as it is printed.
better: text  Which scores are better: higher or lower.
direction: #direction  Which scores are better, and why.
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
  gain: number?  Mean score of the replicates minus the baseline's.
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
environment: text  Where it was computed; no number depends on it.
family: #family  The p-values that were corrected together: each method against the baseline.
""",
    "lab": """
metric: text  Name of the metric that is tuned for and tested.
metric_title: text  Its name as it is printed.
better: text  Which scores are better: higher or lower.
direction: #direction  Which scores are better, and why.
baseline: text  Label of the row that the others are tested against.
places: text[]  The test sets, and of several `average`.
sizes: object[]  The development lists, then the test sets.
  name: text  Their name.
  segments: whole  Number of segments.
features: whole{}  Number of features in each set.
rows: object[]  The first hypotheses, the start weights, and every method on every set of features.
  label: text  Its label, as `pro` or `basic:pro`.
  title: text  Its printed name.
  features: text  The set of features; empty for a choice without tuning.
  untuned: flag  Whether nothing was tuned, so that there are no other runs.
  dev: number?[]  Score of each run on the lists tuned on.
  scores: number?[]{}  By place, the score of each run.
  average: number?{}  By place, the mean of them.
  s_sel: number?{}  By place, standard deviation over drawn segments, averaged over the runs.
  s_opt: number?{}  By place, standard deviation over the runs; null for one.
  weights: number?{}[]  For each run, the weight of each feature that is not 0.
comparisons: object[]  Every row against every other in every place.
  system: text  Label of the row.
  baseline: text  Label of the row it is compared with.
  place: text  The test set, or `average`.
  gain: number?  Gain in the mean score of the runs; positive is better.
  interval: number?[]  Low and high end of its interval, not corrected.
  p_value: number?  p of the mixed model of runs and units, not corrected.
  adjusted: number?  p after Holm's correction for all comparisons.
options: any{}{}  By method, its options.
replicates: whole  Number of runs of each method.
resampled_dev: flag  Whether each run has its own resample of the development segments.
test_name: text  Name of the test.
correction: text  Name of the correction.
n: whole  Number of units of all test sets.
unit: text  What is resampled in the first test set.
segments: whole  Number of segments of all test sets.
seed: whole  Seed of the draws.
chosen: text[]  Settings that the paper leaves open.
warnings: text[]  Notes on the files and on the whole run.
signature: text  All settings, to be printed in a paper.
environment: text  Where it was computed; no number depends on it.
""",
}
