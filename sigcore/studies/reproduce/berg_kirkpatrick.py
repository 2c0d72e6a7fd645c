"""Berg-Kirkpatrick, Burkett and Klein 2012: figures 2 to 11, the thresholds, the 92%, and Table 1."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sigcore.formatting import count
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.results import GainResult
from sigcore.studies import domains, gain, size
from sigcore.studies.gain import MIXED_APART, MIXED_TOGETHER, SAME, Threshold
from sigcore.studies.pairs import INTERVALS, generator
from sigcore.studies.reproduce.bench import Bench
from sigcore.studies.reproduce.record import Claim, Found, Need, Panel, Series, sign
from sigcore.types import Floats, Row

ALPHA = 0.05
USUAL = 95.0  # percent of the pairs above a threshold that are to be significant
DRAWS = 200  # drawn test sets of the calibration
POPULATION = 1_600  # segments of a drawn test set
BOOTSTRAP = "95% bootstrap interval over borderline pairs, as if they were independent"
INDEPENDENT = "95% interval of Clopper and Pearson, as if tests were independent"
NO_INTERVAL = (math.nan, math.nan)
MIXTURES = (
    "The paper trains systems on resampled data. Here mixtures of two loaded systems stand in for them: each segment comes from "
    "one of the two."
)
OTHER_TASK = "A threshold belongs to one test set and its systems, so another one gives another number."
LEAST_P, MOST_P = 1e-3, 0.4  # pairs whose p says well how much a gain varies


# ---- scatters: figures 2 to 8


def scatter(result: GainResult, title: str) -> Panel:
    """Confidence against gain, a series for each class, with the axes of the paper."""
    named = np.array(gain.classes(result.pair_class))
    known = ~np.isnan(result.p_values)
    series = tuple(
        Series(name, result.gains[chosen], result.confidence[chosen])
        for name in sorted(set(named.tolist()) - {""})
        if (chosen := known & (named == name)).any()
    )
    return Panel(title, "points", f"gain ({result.setup.metric_title})", "1 - p", series)


def about(result: GainResult, words: str) -> str:
    """What was computed."""
    setup = result.setup
    return (
        f"{count(len(result.gains), 'pair')} of {words} on {count(setup.segments or setup.n, 'segment')}, {setup.metric_title}, with the paper's "
        f"bootstrap and {setup.resamples:,} resamples."
    )


def _thresholds(limits: Sequence[Threshold]) -> tuple[Row, ...]:
    return tuple(
        {
            "class": item.pair_class,
            "threshold": None if math.isnan(item.threshold) else item.threshold,
            "low": None if math.isnan(item.low) else item.low,
            "high": None if math.isnan(item.high) else item.high,
            "borderline pairs": item.n,
            "pairs": item.tested,
        }
        for item in limits
    )


def has_threshold(bench: Bench, claim: Claim) -> Found:
    """The threshold of all pairs, and whether nearly all pairs above it are significant. Mixtures where pairs are few."""
    metric = claim.part[0]
    real = bench.points(claim.needs, metric, mixed=False)
    limit, shown, words = _of_all(real), real, "real systems"
    panels = [scatter(real, "Pairs of systems")]
    if math.isnan(limit.threshold):
        shown, words = bench.points(claim.needs, metric, mixed=True), "mixtures, because real pairs are few"
        limit = _of_all(shown)
        panels.append(_beside(scatter(shown, "Pairs of mixtures")))
    if math.isnan(limit.threshold):
        return Found(
            math.nan, *NO_INTERVAL, None, about(shown, words), f"No threshold: {limit.reason}.", panels=tuple(panels)
        )
    above = shown.gains > limit.threshold
    significant = int((shown.p_values[above] < ALPHA).sum())
    share = 100 * significant / max(int(above.sum()), 1)
    enough = None if not above.any() else share >= USUAL
    return Found(
        limit.threshold, limit.low, limit.high, enough,
        f"{about(shown, words)} {limit.n} are borderline. Of {count(int(above.sum()), 'pair')} above the threshold {significant} "
        "are significant.",
        "" if above.any() else "No pair has a gain above the threshold.",
        BOOTSTRAP, _thresholds([limit, *gain.thresholds(shown)]), tuple(panels),
    )  # fmt: skip


def _of_all(result: GainResult) -> Threshold:
    return gain.threshold(result.gains, result.p_values, "all pairs", result.setup.seed, result.synthetic)


def _beside(panel: Panel) -> Panel:
    return Panel(panel.title, panel.style, panel.x, panel.y, panel.series, 0, 1)


def alike_are_lower(bench: Bench, claim: Claim) -> Found:
    """By how much more gain different systems need than systems of one group: real pairs, by how much their gains vary."""
    metric = claim.part[0]
    real = bench.points(claim.needs, metric, mixed=False)
    named = np.array(gain.classes(real.pair_class))
    needed = needed_gains(real)
    same, apart = (needed[(named == name) & ~np.isnan(needed)] for name in (SAME, gain.DIFFERENT))
    panels = (scatter(real, "Pairs of systems"),)
    rows: tuple[Row, ...] = tuple(
        {"class": name, "median gain with p 0.05": float(np.median(own)) if len(own) else None, "pairs used": len(own)}
        for name, own in ((SAME, same), (gain.DIFFERENT, apart))
    )
    words = f"{about(real, 'real systems')} {count(len(same), 'pair')} of one group, {len(apart)} of different groups."
    if len(same) < 2 or len(apart) < 2:
        reason = f"{len(same)} pairs of one group and {len(apart)} of different ones have a p that says how a gain varies. Two each are needed."
        return Found(math.nan, *NO_INTERVAL, None, words, reason, rows=rows, panels=panels)
    value, low, high = _median_difference(apart, same, bench.seed)
    return Found(
        value, low, high, sign(value, low, high), words,
        "" if not low <= 0 <= high else "The interval contains 0, so these pairs cannot tell.",
        "95% bootstrap interval over pairs, as if they were independent", rows, panels,
    )  # fmt: skip


def needed_gains(result: GainResult) -> Floats:
    """The gain at which each pair would have p = 0.05, (P,), if its gain varied as now; nan where p says little of that."""
    from scipy.stats import norm

    p = result.p_values
    useful = (p >= LEAST_P) & (p <= MOST_P)
    z = norm.isf(np.where(useful, p, 0.25))
    return np.where(useful, result.gains / z * norm.isf(ALPHA), np.nan)


def _median_difference(more: Floats, less: Floats, seed: int) -> tuple[float, float, float]:
    """The difference of two medians with its bootstrap interval."""
    rng = generator(seed, INTERVALS, 1)
    drawn = [np.median(np.sort(own)[rng.integers(0, len(own), (10_000, len(own)))], axis=1) for own in (more, less)]
    low, high = np.quantile(drawn[0] - drawn[1], (0.025, 0.975))
    return float(np.median(more) - np.median(less)), float(low), float(high)


def two_thresholds(bench: Bench, claim: Claim) -> Found:
    """The threshold of different models less that of the same model, from mixtures."""
    metric = claim.part[0]
    real, mixed = (bench.points(claim.needs, metric, mixed=made) for made in (False, True))
    limits = {item.pair_class: item for item in gain.thresholds(mixed)}
    panels = (scatter(mixed, "Pairs of mixtures"), _beside(scatter(real, "Pairs of systems")))
    words = about(mixed, "mixtures")
    missing = [item for item in limits.values() if item.reason]
    if len(limits) < 2 or missing:
        reason = (
            f"No threshold of {missing[0].pair_class}: {missing[0].reason}."
            if missing
            else "All mixtures are of the same two systems."
        )
        return Found(
            math.nan, *NO_INTERVAL, None, words, reason, rows=_thresholds(list(limits.values())), panels=panels
        )
    value, low, high = difference(limits[MIXED_APART], limits[MIXED_TOGETHER])
    return Found(
        value, low, high, sign(value, low, high), words,
        "" if not low <= 0 <= high else "The interval contains 0, so these mixtures cannot tell.",
        "95% interval from those of both thresholds", _thresholds(list(limits.values())), panels, (MIXTURES,),
    )  # fmt: skip


def one_threshold(bench: Bench, claim: Claim) -> Found:
    """The threshold of one class of mixtures, and whether nearly all pairs of the class above it are significant."""
    metric, name = claim.part
    mixed = bench.points(claim.needs, metric, mixed=True)
    limits = {item.pair_class: item for item in gain.thresholds(mixed)}
    limit, panels = limits.get(name), (scatter(mixed, "Pairs of mixtures"),)
    words = about(mixed, "mixtures")
    if limit is None or limit.reason:
        reason = f"No threshold: {limit.reason}." if limit else "There are no mixtures of different systems."
        return Found(math.nan, *NO_INTERVAL, None, words, reason, panels=panels)
    above = (mixed.gains > limit.threshold) & (np.array(mixed.pair_class) == name)
    significant = int((mixed.p_values[above] < ALPHA).sum())
    return Found(
        limit.threshold, limit.low, limit.high, None if not above.any() else 100 * significant / int(above.sum()) >= USUAL,
        f"{words} Of {int(above.sum())} pairs of the class above the threshold {significant} are significant.",
        "" if above.any() else "No pair has a gain above the threshold.",
        BOOTSTRAP, _thresholds(list(limits.values())), panels, (MIXTURES,),
    )  # fmt: skip


def difference(more: Threshold, less: Threshold) -> tuple[float, float, float]:
    """The difference of two thresholds, with an interval made of both intervals.

    Source: Zou and Donner 2008, method of variance estimates recovery.
    """
    value = more.threshold - less.threshold
    low = value - math.hypot(more.threshold - more.low, less.high - less.threshold)
    high = value + math.hypot(more.high - more.threshold, less.threshold - less.low)
    return value, low, high


# ---- sizes and domains: figures 9 to 11


def slope_of_sizes(bench: Bench, claim: Claim) -> Found:
    """The slope of the logarithm of the threshold against that of the size, over mixtures of different systems."""
    metric = claim.part[0]
    result = bench.sizes(claim.needs, metric)
    curves = {name: _of_class(result, name) for name in (MIXED_APART, MIXED_TOGETHER)}
    name = max(curves, key=lambda one: len(curves[one]) >= 3)  # the first of both that has a line
    own = curves[name]
    rows: tuple[Row, ...] = tuple(
        {"segments": item.segments, **_thresholds([item.threshold])[0]} for item in result.curve
    )
    words = f"Thresholds of {name} on the first {', '.join(str(item.segments) for item in own)} segments."
    panels = tuple(by_size(result))
    if len(own) < 3:
        return Found(
            math.nan, *NO_INTERVAL, None, words, "A slope needs thresholds on three sizes.", rows=rows, panels=panels
        )
    value, low, high = fitted([item.segments for item in own], [item.threshold.threshold for item in own])
    return Found(
        value, low, high, None if high >= 0 else low <= -0.5 <= high, words,
        "" if high < 0 else "The interval of the slope contains 0, so these sizes cannot tell.", "95% interval of the fitted line", rows, panels, (MIXTURES,),
    )  # fmt: skip


def _of_class(result: size.SizeResult, name: str) -> list[size.Size]:
    """The thresholds of a class, by size."""
    return [item for item in result.curve if item.pair_class == name and not item.reason]


def fitted(sizes: Sequence[float], limits: Sequence[float]) -> tuple[float, float, float]:
    """The slope of log threshold on log size, with its 95% interval (t, two degrees less than there are sizes)."""
    from scipy.stats import linregress, t

    line = linregress(np.log(sizes), np.log(limits))
    half = float(t.ppf(0.975, len(sizes) - 2) * line.stderr)
    return float(line.slope), float(line.slope) - half, float(line.slope) + half


def by_size(result: size.SizeResult) -> Iterator[Panel]:
    """Confidence against gain by size, as in Figures 9 and 10, and the thresholds against the size."""
    unit = result.setup.metric_title
    pairs = [_of_size(result, segments) for segments in dict.fromkeys(item.segments for item in result.curve)]
    yield Panel("By size of the test set", "points", f"gain ({unit})", "1 - p", tuple(pairs))
    names = dict.fromkeys(item.pair_class for item in result.curve)
    curves = [_threshold_curve(name, own) for name in names if (own := _of_class(result, name))]
    yield Panel("Thresholds", "line", "segments", f"threshold ({unit})", tuple(curves), 0, 1, log=True)


def _of_size(result: size.SizeResult, segments: int) -> Series:
    """The pairs of mixtures on the first segments."""
    own = [item for item in result.curve if item.segments == segments and item.threshold.synthetic]
    gains, p = (np.concatenate([getattr(item, name) for item in own]) for name in ("gains", "p_values"))
    kept = ~np.isnan(p)
    return Series(f"{segments:,} segments", gains[kept], 1 - p[kept])


def _threshold_curve(name: str, own: Sequence[size.Size]) -> Series:
    limits = [item.threshold for item in own]
    ends = [t.low for t in limits], [t.high for t in limits]
    return Series(name, [item.segments for item in own], [t.threshold for t in limits], *ends)


def domains_alike(bench: Bench, claim: Claim) -> Found:
    """The largest threshold of a domain divided by the smallest, on equally many segments."""
    result = bench.elsewhere(claim.part[0])
    own = [(name, item) for name, item in result.sizes if item.pair_class == MIXED_APART and not item.reason]
    series = tuple(Series(c.domain, c.gains, 1 - c.p_values) for c in result.curves if c.synthetic)
    panels = (
        Panel("Equally many segments of each domain", "points", f"gain ({result.setup.metric_title})", "1 - p", series),
    )
    rows: tuple[Row, ...] = tuple({"domain": name, **_thresholds([item.threshold])[0]} for name, item in own)
    words = f"{count(len(result.domains), 'domain')} with {min(result.segments)} segments each, {MIXED_APART}."
    if len(own) < 2:
        return Found(
            math.nan, *NO_INTERVAL, None, words, "Fewer than two domains have a threshold.", rows=rows, panels=panels
        )
    limits = sorted((item.threshold for _, item in own), key=lambda t: t.threshold)
    least, most = limits[0], limits[-1]
    value = most.threshold / least.threshold
    spread = math.hypot((most.high - most.low) / (2 * most.threshold), (least.high - least.low) / (2 * least.threshold))
    low, high = value * math.exp(-spread), value * math.exp(spread)
    return Found(
        value, low, high, None if low < 2 <= high else value < 2, words,
        "" if not low < 2 <= high else "The interval contains 2, so these domains cannot tell.", "about 95%, from the intervals of both thresholds", rows, panels,
        ("The largest and the smallest of several thresholds are compared, so the ratio is above 1 by chance alone.",),
    )  # fmt: skip


# ---- calibration and Table 1


def calibrated(bench: Bench, claim: Claim) -> Found:
    """How often borderline tests on drawn test sets have the sign of the population."""
    need, metric = claim.needs, claim.part[0]
    prepared = bench.prepared(need, metric)
    drawn = min(POPULATION, prepared.n)
    found = bench.once(
        "calibration",
        lambda: domains.calibration(prepared, prepared.real, drawn, DRAWS, bench.how(2_000), bench.runtime),
        need, metric, bench.metric,
    )  # fmt: skip
    percent, low, high = domains.share(found.agree, found.pairs)
    paper_low, paper_high = (100 * float(end) for end in clopper_pearson(869, 942))
    words = (
        f"{found.agree} of {found.pairs} tests with p from 0.04 to 0.06, on {DRAWS} test sets of {drawn} segments drawn from "
        f"{prepared.n:,}, {prepared.setup.metric_title}."
    )
    bins = [item for item in found.bins if item.pairs]
    panels = (
        Panel("Right sign by p", "points", "p", "right sign (%)", (
            Series("drawn test sets", [math.sqrt(max(b.low, 1e-4) * b.high) for b in bins], [domains.share(b.agree, b.pairs)[0] for b in bins],
                   [domains.share(b.agree, b.pairs)[1] for b in bins], [domains.share(b.agree, b.pairs)[2] for b in bins]),), log=True),
    )  # fmt: skip
    return Found(
        percent, low, high, None if not found.pairs else low <= paper_high and high >= paper_low, words,
        "" if found.pairs else "No test on a drawn test set had p from 0.04 to 0.06.",
        INDEPENDENT, tuple({"p from": b.low, "p to": b.high, "right": b.agree, "tests": b.pairs} for b in bins), panels,
    )  # fmt: skip


def signs_elsewhere(bench: Bench, claim: Claim) -> Found:
    """The share of pairs with p in a bin at home that have the same sign on the other domain where fewest have it."""
    result = bench.elsewhere(claim.part[0])
    held = result.mixed or result.real
    low, high, which = float(claim.part[1]), float(claim.part[2]), claim.part[3]
    cells = (*held.table, *held.borderline)
    rows = tuple(sign_row(item) for item in cells)
    other = in_place_of(held.table, which)
    own = [c for c in cells if math.isclose(c.low, low) and math.isclose(c.high, high) and c.other == other and c.pairs]
    words = (
        f"p on {result.home}, signs on {other}, which takes the place of {PLACES[which]}; mixtures of systems, "
        f"{result.setup.metric_title}. The other domains are ordered by how often signs stay, over all bins."
    )
    panels = (signs_panel(held.table),)
    if not own:
        reason = f"No pair has p from {low:g} to {high:g} on {result.home}."
        return Found(math.nan, *NO_INTERVAL, None, words, reason, rows=rows, panels=panels)
    (chosen,) = own
    percent, least, most = domains.share(chosen.same, chosen.pairs)
    tells = informs(least, most)
    return Found(
        percent, least, most, None if tells is None else tells == ((claim.printed or 0.0) >= USELESS),
        f"{chosen.same} of {chosen.pairs} pairs. {words}",
        "" if tells is not None else f"The interval contains 50 and {USELESS:g}, so these pairs cannot tell.",
        "95% interval of Clopper and Pearson, as if pairs were independent", rows, panels, (MIXTURES,),
    )  # fmt: skip


PLACES = {"near": "section 22", "middle": "section 24", "far": "Brown"}
USELESS = 60.0  # percent: below it the sign elsewhere is little better known than by a coin


def in_place_of(cells: Sequence[domains.Cell], which: str) -> str:
    """Our domain in the place of the paper's: that on which most signs stay over all bins, fewest, or the middle one."""
    names = dict.fromkeys(item.other for item in cells)
    same = {name: sum(c.same for c in cells if c.other == name) for name in names}
    ordered = sorted(names, key=lambda name: -same[name])  # every domain has the same pairs
    return {"near": ordered[0], "middle": ordered[len(ordered) // 2], "far": ordered[-1]}[which]


def sign_row(cell: domains.Cell) -> Row:
    """One cell of Table 1 as a row."""
    percent, low, high = domains.share(cell.same, cell.pairs)
    shown = None if math.isnan(percent) else percent
    return {"p from": cell.low, "p to": cell.high, "domain": cell.other, "same sign": cell.same, "pairs": cell.pairs,
            "percent": shown, "percent low": low, "percent high": high}  # fmt: skip


def informs(low: float, high: float) -> bool | None:
    """Whether p at home says something of the sign elsewhere; None where the interval contains both a coin and USELESS."""
    if low > 50.0:
        return True
    return False if high < USELESS else None


def signs_panel(cells: Sequence[domains.Cell]) -> Panel:
    """The share of equal signs by p, a line for each other domain."""
    series = []
    for name in dict.fromkeys(item.other for item in cells):
        own = [item for item in cells if item.other == name and item.pairs]
        shares = [domains.share(item.same, item.pairs) for item in own]
        series.append(
            Series(name, [math.sqrt(item.low * item.high) for item in own], [s[0] for s in shares], [s[1] for s in shares], [s[2] for s in shares])
        )  # fmt: skip
    return Panel("Same sign on other domains", "line", "p at home", "same sign (%)", tuple(series), log=True)


# ---- the records

# Synthetic comparisons: figure -> (need, metric, unit, thresholds of the same and of different model types, words).
SYNTHETIC: Mapping[int, tuple[Need, str, str, float, float, str]] = {
    5: ("trees", "uas", "unlabeled accuracy", 1.20, 1.51, "Dependency parsing"),
    6: ("text", "bleu", "BLEU", 0.28, 0.37, "Machine translation"),
    7: ("alignments", "aer", "AER", 0.50, 1.12, "Word alignment"),
    8: ("brackets", "constituency_f1", "F1", 0.47, 0.57, "Constituency parsing"),
}
# Table 1: bins of p on section 23 -> percent with the same sign on sections 22 and 24, and on Brown.
TABLE = (
    (0.00125, 0.0025, (97, 95, 73)), (0.0025, 0.005, (92, 92, 60)), (0.005, 0.01, (92, 85, 56)),
    (0.01, 0.02, (88, 92, 54)), (0.02, 0.04, (87, 78, 51)), (0.04, 0.08, (83, 74, 48)),
)  # fmt: skip
NEAR = (83, 71, 48)
OTHER_DOMAINS = "The paper's domains are newspaper and Brown. Ours differ in another way, and have few segments each."


def _scatters() -> Iterator[Claim]:
    yield Claim(
        "bk-fig2", "Figure 2, Section 3.1.1", "Above a threshold of 1.10 ROUGE a gain is probably significant.", "summaries",
        "ROUGE", 1.10, "Section 3.1.1: the 95th percentile of the gains of 47 comparisons with p from 0.04 to 0.06.",
        "At least 95% of the pairs above our threshold have p below 0.05.", OTHER_TASK, has_threshold, ("rouge_1",),
    )  # fmt: skip
    natural: tuple[tuple[int, Need, str, str, str], ...] = (
        (2, "summaries", "rouge_1", "ROUGE", "summarization"), (3, "trees", "uas", "unlabeled accuracy", "dependency parsing"),
        (4, "text", "bleu", "BLEU", "machine translation"),
    )  # fmt: skip
    for figure, need, metric, unit, task in natural:
        yield Claim(
            f"bk-fig{figure}-groups", f"Figure {figure}", f"Systems of one group are significant at lower gains ({task}).", need, unit,
            None, f"Figure {figure} prints no number. Its text: the same group achieves \"higher confidence at lower metric gains\".",
            "Different groups need a larger gain for p = 0.05 than one group, and the interval excludes 0.",
            "Few pairs of systems share a group here.", alike_are_lower, (metric,),
        )  # fmt: skip
    for figure, (need, metric, unit, same, apart, task) in SYNTHETIC.items():
        yield Claim(
            f"bk-fig{figure}", f"Figure {figure}", f"{task}: the same model type has a lower threshold than different ones.", need, unit,
            round(apart - same, 2), f"Section 3.2: {apart:.2f} for different model types less {same:.2f} for the same one.",
            "The difference is above 0, and its interval excludes 0.", f"{OTHER_TASK} {MIXTURES}", two_thresholds, (metric,),
        )  # fmt: skip
        for word, name, value in (("same", MIXED_TOGETHER, same), ("different", MIXED_APART, apart)):
            yield Claim(
                f"bk-threshold-fig{figure}-{word}", f"Figure {figure}, Section 3.2", f"{task}: the threshold of {word} model types.", need,
                unit, value, f"Section 3.2: {value:.2f} {unit}.",
                "At least 95% of the pairs of the class above our threshold have p below 0.05.", f"{OTHER_TASK} {MIXTURES}",
                one_threshold, (metric, name),
            )  # fmt: skip


def _sizes_and_domains() -> Iterator[Claim]:
    yield Claim(
        "bk-fig9", "Figure 9", "Thresholds of BLEU shrink with the square root of the test set.", "text", "(slope)", -0.5,
        "Section 4.1: gains \"shrink according to the square root of the test size\", a slope of -0.5 of the logarithms.",
        "The interval of the slope contains -0.5 and ends below 0.", OTHER_TASK, slope_of_sizes, ("bleu",),
    )  # fmt: skip
    yield Claim(
        "bk-fig10", "Figure 10", "Thresholds of parsing shrink with the square root of the test set.", "brackets", "(slope)",
        round(math.log(0.22 / 3.00) / math.log(240), 2),
        "Section 4.1: 3.00 F1 on 100 sentences and 0.22 on about 24,000. The line through both has this slope.",
        "The interval of the slope contains -0.5 and ends below 0.", OTHER_TASK, slope_of_sizes, ("constituency_f1",),
    )  # fmt: skip
    yield Claim(
        "bk-fig11", "Figure 11", "For a fixed test size, the domain has only a small effect on the curve.", "domains", "(ratio)",
        None, "Figure 11 prints no number. Section 4.1 calls the effect small.",
        "The largest threshold of a domain is less than twice the smallest, and the interval says the same.", OTHER_DOMAINS, domains_alike, ("bleu",),
    )  # fmt: skip
    yield Claim(
        "bk-calibration", "Section 4.2", "92% of tests with p near 0.05 name the better system.", "text", "%", 92.3,
        "Section 4.2: 869 of 942 tests with p from 0.04 to 0.06, printed as 92%.",
        "Our interval overlaps that of 869 of 942 (Clopper and Pearson).",
        "The paper draws from 24,000 sentences with many parsers. A small population gives the same test sets more often.",
        calibrated, ("bleu",),
    )  # fmt: skip
    rule = (
        f"Paper: below {USELESS:g}% the sign is little better than a coin. Here: the interval is above 50%, or below {USELESS:g}%. "
        "Both must say the same."
    )
    for low, high, shares in TABLE:
        for which, percent in zip(PLACES, shares, strict=True):
            yield Claim(
                f"bk-table1-{PLACES[which].replace(' ', '')}-{low:g}-{high:g}".lower(), "Table 1",
                f"Of pairs with p from {low:g} to {high:g}, {percent}% keep their sign on {PLACES[which]}.", "domains", "%", percent,
                f"Table 1, {PLACES[which]}.", rule, OTHER_DOMAINS, signs_elsewhere, ("bleu", f"{low}", f"{high}", which),
            )  # fmt: skip
    for which, percent in zip(PLACES, NEAR, strict=True):
        yield Claim(
            f"bk-borderline-{PLACES[which].replace(' ', '')}".lower(), "Section 4.2",
            f"Of pairs with p from 0.04 to 0.06, {percent}% keep their sign on {PLACES[which]}.", "domains", "%", percent,
            "Section 4.2, of 58 pairs.", rule, OTHER_DOMAINS, signs_elsewhere, ("bleu", "0.04", "0.06", which),
        )  # fmt: skip


CLAIMS = (*_scatters(), *_sizes_and_domains())
