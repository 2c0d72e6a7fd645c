"""Fields of the JSON of size and domains, in the notation of fields.py."""

from __future__ import annotations

from fields import COMMON, HEAD, written

from sigcore.studies import gain

THRESHOLD = written(gain.THRESHOLD, 1)
BY_SIZE = THRESHOLD.replace(
    "  threshold:",
    "  segments: whole  Size of the test set.\n  drawn: number?  Mean number of segments that were drawn.\n  threshold:",
)
AGREEMENT = """
  low: number?  Low end of the range of p on the home set.
  high: number?  High end of the range of p.
  other: text  The other domain.
  pairs: whole  Pairs with p in the range on the home set.
  same: whole  Those whose gain has the same sign on the other domain.
  same_sign_percent: number?  Their share in percent.
  low_ci: number?  Low end of its exact interval.
  high_ci: number?  High end of its exact interval.
"""
CALIBRATION = """
p_low: number  Low end of the range of p.
p_high: number  High end of the range of p.
pairs: whole  Pairs of drawn test sets with p in the range.
agree: whole  Those whose gain has the sign of the whole set.
draws: whole  Number of drawn test sets.
segments: whole  Segments of each.
tested: whole  Pairs that have a p, over all drawn test sets.
bins: object[]  The same for each range of p.
  low: number  Low end of the range of p.
  high: number  High end of the range of p.
  pairs: whole  Pairs of drawn test sets with p in it.
  agree: whole  Those whose gain has the sign of the whole set.
  percent: number?  Their share in percent.
  low_ci: number?  Low end of its exact interval.
  high_ci: number?  High end of its exact interval.
percent: number?  Share of `agree` in percent.
low: number?  Low end of its exact interval.
high: number?  High end of its exact interval.
"""


def deeper(fields: str) -> str:
    """The fields, one object further inside."""
    return "".join(f"  {line}\n" for line in fields.strip("\n").split("\n"))


ONE = "".join(
    line.removeprefix("  ") + "\n"
    for line in HEAD.split("\n")
    if not line.strip().startswith(("family", "notes")) and line
)
PARTS_OF_PLANNING = {"calibration": CALIBRATION}
PLANNING = {
    "size": f"""
systems: text[]  Names of the systems.
{ONE}{COMMON}alternative: text  Side of the test of the curve; `detectable` and `needed` are two-sided.
family: #family  All pairs, each tested alone.
subsets: text  How smaller test sets are taken: initial, random or documents.
draws: whole  Number of test sets of each size, where they are random.
alpha: number  Significance level.
design_effect: number?  Variance of gains by units over that by segments; null if the unit is the segment.
curve: object[]  One for each class and size.
{BY_SIZE}lines: object[]  For each class, the fitted line.
  class: text  Class of the pairs.
  *: any  The numbers of the line.
detectable: object[]  The smallest gain that is found with that probability.
  system: text  The system; median pair for the median of all pairs.
  baseline: text  Its baseline; empty text for the median pair.
  segments: whole  Size of the test set.
  power: number  Probability of a significant result.
  gain: number?  The gain.
needed: object[]  With --gain: how many segments it needs.
  system: text  The system; median pair for the median of all pairs.
  baseline: text  Its baseline; empty text for the median pair.
  gain: number  The gain.
  power: number  Probability of a significant result.
  segments: number?  Number of segments.
simulated: object[]  With --simulate: the power of the pair at every size, on drawn test sets.
  system: text  The better system of the pair.
  baseline: text  The other one.
  gain: number  Its gain on all segments, which is the true gain of the drawn test sets.
  segments: whole  Size of the test sets.
  alpha: number  Significance level of the two-sided test.
  draws: whole  Number of test sets.
  found: whole  Those on which the better system was found to be better.
  expected: number  Probability of this by the formula.
  power: number  Share of `found`.
  low: number  Low end of its exact interval.
  high: number  High end of that interval.
between_runs: object[]  With --runs-from-names: one for each pair of systems, size and power.
  system: text  The system.
  baseline: text  Its baseline.
  runs: whole[]  Number of runs of both.
  spread: number  Standard deviation of the gain of one run of each, between runs.
  segments: whole  Size of the test set.
  power: number  Probability of a significant result.
  design_effect: number?  Variance of that gain divided by the one of fixed runs.
  gain: number?  Detectable gain of one run of each, differences between runs included.
  least: number  What it is with any number of segments.
sentences: text[]  The same in words.
warnings: text[]  Notes.
""",
    "domains": f"""
systems: text[]  Names of the systems.
{ONE}{COMMON}alternative: text  Side of the test.
family: #family  All pairs, each tested alone.
alpha: number  Significance level.
home: text  The domain on which p is computed.
domains: object[]  All domains.
  domain: text  Its name.
  segments: whole  Its segments.
  units: whole  Its units.
calibration: #calibration  How often a gain with such a p has the sign of the whole set.
table: object[]  One for each range of p and other domain.
{AGREEMENT}borderline: object[]  The same for p from 0.04 to 0.06.
{AGREEMENT}mixtures: object?  The same for mixtures, where --mixtures was given.
  calibration: #calibration  As above.
  table: object[]  As above.
{deeper(AGREEMENT)}  borderline: object[]  As above.
{deeper(AGREEMENT)}replicability: object[]  On how many domains a pair differs.
  system: text  The system.
  baseline: text  Its baseline.
  p_values: number?[]  p on each domain.
  significant: whole  Domains with p at most alpha.
  bonferroni: whole  The pair differs on at least this many domains, by Bonferroni.
  fisher: whole  The pair differs on at least this many domains, by Fisher's partial conjunction.
sizes: object[]  Thresholds on domains of equal size.
  domain: text  Its name.
{BY_SIZE}sentences: text[]  The same in words.
warnings: text[]  Notes.
""",
}
