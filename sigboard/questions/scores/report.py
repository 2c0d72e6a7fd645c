"""A score matrix and its pairs as sentences, rows, LaTeX and a table for the terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigboard.render.json import MATRIX, NAMED
from sigboard.render.tables import latex_table, spanning
from sigboard.render.text import align, printable
from sigcore import ScoreMatrix, corrections
from sigcore.formatting import NO_VERDICT, count, format_p, listed, p_text
from sigcore.results import SELF, Field, Of, Row, as_json, from_toml, of_p
from sigcore.studies import scores

EXACT = 0  # resamples behind a theoretical p
ROUGH = 20  # documents with different scores, below which W is far from normal
FAMILIES = {"all": "all pairs", "human_machine": "human against machine"}


# ---- sentences


def summary(result: scores.ScoresResult, alpha: float) -> str:
    """One sentence: how many pairs each statistic finds to differ, and whether the document sets differ in difficulty."""
    counts = {s: result.count("all", "theory", s, alpha) for s in scores.STATISTICS}
    pairs, tested = counts["t"].pairs, int((~result.run.few).sum())
    if not tested:
        return f"{_none_of(pairs)}: no two systems share {scores.LEAST} {result.run.matrix.rows}; {_difficulty(result, alpha)}."
    of = count(tested, "pair") + (f" that can be tested (of {pairs:,})" if tested < pairs else "")
    head = (
        f"Of {of}, paired T finds {_number_of(counts['paired_t'])}, Wilcoxon's W {_number_of(counts['wilcoxon'])} and "
        f"unpaired T {_number_of(counts['t'])} significantly different at alpha {alpha:g} ({corrections.printed(result.correction)})"
    )
    return f"{head}{result.run.matrix.direction.condition}; {_difficulty(result, alpha)}."


def headline(result: scores.ScoresResult, alpha: float) -> str:
    """How many pairs paired T finds to differ, in a short sentence."""
    found, tested = result.count("all", "theory", "paired_t", alpha), int((~result.run.few).sum())
    if not tested:
        return f"{_none_of(found.pairs)}: no two systems share {scores.LEAST} {result.run.matrix.rows}."
    of, how = (
        count(tested, "pair that can be tested" if tested < found.pairs else "pair"),
        corrections.printed(result.correction),
    )
    return f"Paired T finds {_number_of(found)} of {of} significantly different (alpha {alpha:g}, {how})."


def verdicts(result: scores.ScoresResult, alpha: float) -> dict[tuple[str, str], bool]:
    """Whether paired T finds each pair to differ, after the correction."""
    names, places = result.run.matrix.systems, result.run.pairs.tolist()
    adjusted = result.adjusted[0, scores.STATISTICS.index("paired_t")]
    return {(names[a], names[b]): bool(p <= alpha) for (a, b), p in zip(places, adjusted, strict=True)}


def _number_of(counted: scores.Count) -> str:
    """The number of pairs that are significant after the correction; that none has a p is not that none differs."""
    return f"{counted.corrected:,}" if counted.tested else "none (undefined)"


def _none_of(pairs: int) -> str:
    return "The only pair cannot be tested" if pairs == 1 else f"None of {pairs:,} pairs can be tested"


def _difficulty(result: scores.ScoresResult, alpha: float) -> str:
    kruskal, sets = result.run.test("kruskal", "documents"), result.run.matrix.row_sets
    if kruskal is None or math.isnan(kruskal.p_value):
        return f"whether the {sets} differ in difficulty cannot be tested"
    p = p_text(kruskal.p_value, EXACT)
    if kruskal.p_value <= alpha:
        return f"the {sets} differ in difficulty (Kruskal-Wallis {p}), which paired tests remove from the comparison"
    return f"the {sets} are not shown to differ in difficulty (Kruskal-Wallis {p})"


def omnibus_sentence(item: scores.Omnibus, sets: str = "document sets") -> str:
    """The result of one test of all groups: its statistic and p, or why p is undefined; `sets` names the groups of rows."""
    title = {"kruskal": "Kruskal-Wallis", "friedman": "Friedman"}[item.test]
    over = {"documents": sets, "systems": "systems"}[item.factor]
    used = f"; {item.used}" if item.used else ""
    if math.isnan(item.p_value):
        return f"{title} over {over}: not defined. {item.why}"
    unit = "scores" if item.test == "kruskal" else "blocks"
    numbers = f"{item.groups} groups, {item.n:,} {unit}{used}"
    return (
        f"{title} over {over}: chi-square {item.statistic:.2f} with {count(item.freedom, 'degree')} of "
        f"freedom, {p_text(item.p_value, EXACT)} ({numbers})."
    )


def why_not(result: scores.ScoresResult, place: int) -> str:
    """Why p, or the theoretical p, of a pair is undefined or rough; "" if neither is."""
    run = result.run
    if run.few[place]:
        shared = count(int(run.n[place]), run.matrix.row)
        return f"The two systems share {shared}; signs and ranks need {scores.LEAST} to reach p = 0.05."
    if run.same[place]:
        return f"Both systems have the same score on every {run.matrix.row}: p = 1."
    if np.isinf(run.statistics[1, place]):
        return f"The systems differ by the same amount on every {run.matrix.row}: the standard error of paired T is 0."
    if np.isinf(run.statistics[0, place]):
        return "The scores of neither system vary: the standard error of unpaired T is 0."
    if run.apart[place] < ROUGH and not run.exact[place]:
        return (
            f"The scores differ on only {int(run.apart[place])} {run.matrix.rows}, too few for the normal approximation of W: "
            "use its p by MC."
        )
    return ""


# ---- rows


def count_rows(result: scores.ScoresResult, alpha: float) -> list[Row]:
    """Rankel et al.'s Tables 1 and 2: a row per family and method, raw and corrected counts per statistic."""
    rows: list[Row] = []
    for family in FAMILIES:
        for method in scores.METHODS:
            counts = [c for c in result.counts(alpha) if (c.family, c.method) == (family, method)]
            if counts:
                row: Row = {"pairs": FAMILIES[family], "of": counts[0].pairs, "p by": scores.METHOD_TITLES[method]}
                row |= {scores.TITLES[c.statistic]: c.raw if c.raw_possible else None for c in counts}
                corrected = {c.statistic: c.corrected if c.corrected_possible else None for c in counts}
                row |= {f"{scores.TITLES[statistic]}, corrected": number for statistic, number in corrected.items()}
                rows.append(row)
    return rows


def pair_rows(result: scores.ScoresResult, alpha: float) -> list[Row]:
    """One row per pair: the documents both have, the gain, the statistics, every p, and why one is undefined."""
    return [_pair_row(result, k, alpha) for k in range(len(result.run.pairs))]


def _pair_row(result: scores.ScoresResult, k: int, alpha: float) -> Row:
    run = result.run
    system, baseline = result.names(k)
    row: Row = {"system": system, "baseline": baseline}
    row |= {"documents": int(run.n[k]), "gain": float(run.gains[k])}
    row |= {scores.TITLES[s]: float(run.statistics[r, k]) for r, s in enumerate(scores.STATISTICS)}
    for m, method in enumerate(scores.METHODS):
        for r, statistic in enumerate(scores.STATISTICS):
            row[f"p {statistic}, {method}"] = float(result.p_values[m, r, k])
    for r, statistic in enumerate(scores.STATISTICS):
        row[f"adjusted {statistic}"] = float(result.adjusted[0, r, k])
    row["efficiency of W"] = float(run.efficiency[k])
    row["note"] = why_not(result, k)
    return row


def detail_rows(result: scores.ScoresResult, place: int, alpha: float, turn: int = 1) -> list[Row]:
    """One pair under every statistic and method, as text: the statistic, its cut-off, p, corrected p, the verdict."""
    return [
        _detail(result, m, r, place, alpha, turn)
        for r in range(len(scores.STATISTICS))
        for m in range(len(scores.METHODS))
    ]


def _detail(result: scores.ScoresResult, m: int, r: int, place: int, alpha: float, turn: int) -> Row:
    run, method = result.run, scores.METHODS[m]
    p, adjusted = float(result.p_values[m, r, place]), float(result.adjusted[m, r, place])
    fine = EXACT if method == "theory" else run.resamples
    return {
        "statistic": scores.TITLES[scores.STATISTICS[r]],
        "p by": _how(result, m, r, place),
        "value": number(turn * float(run.statistics[r, place])),
        "cut-off (absolute value)": _cutoff(float(result.cutoffs(alpha)[m, r, place])),
        "p": format_p(p, fine),
        "corrected p": format_p(adjusted, fine),
        f"at alpha {alpha:g}": _verdict(p, adjusted, alpha, result.count("all", method, scores.STATISTICS[r], alpha)),
    }


def _cutoff(value: float) -> str:
    """A cut-off; "none" if no value is large enough, or the statistic has no p."""
    return "none" if math.isnan(value) else number(value, signed=False)


def _verdict(p: float, adjusted: float, alpha: float, count: scores.Count) -> str:
    if math.isnan(p):
        return "undefined"
    if not count.raw_possible:
        return NO_VERDICT
    if p <= alpha and not count.corrected_possible:
        return f"different; {NO_VERDICT} after the correction"
    if adjusted <= alpha:
        return "different"
    return "different, but not after the correction" if p <= alpha else "not shown to differ"


def _how(result: scores.ScoresResult, m: int, r: int, place: int) -> str:
    """How this p is computed."""
    method, n = scores.METHODS[m], int(result.run.n[place])
    if method != "theory":
        return scores.METHOD_TITLES[method]
    if r < 2:
        return f"Student's t, {2 * n - 2 if r == 0 else n - 1} degrees of freedom"
    return "exact null" if result.run.exact[place] else "normal approximation, corrected for ties"


def efficiency_rows(result: scores.ScoresResult, place: int) -> list[Row]:
    """The efficiency of W against paired T by the shape of the differences, and estimated on this pair and all."""
    rows: list[Row] = [
        {"differences": f"{shape} (theory)", "efficiency of W": f"{value:.3f}"}
        for shape, value in scores.THEORY.items()
    ]
    of_all = result.run.efficiency[np.isfinite(result.run.efficiency)]
    this = float(result.run.efficiency[place])
    middle = float(np.median(of_all)) if len(of_all) else math.nan
    estimates = {"this pair (estimated)": this, f"median of {count(len(of_all), 'pair')} (estimated)": middle}
    rows += [
        {"differences": words, "efficiency of W": "undefined: too many ties" if math.isnan(x) else f"{x:.3f}"}
        for words, x in estimates.items()
    ]
    return rows


def number(value: float, signed: bool = True) -> str:
    """A statistic with three decimals, a large one with one; a word if it is undefined or infinite."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "unbounded"
    digits = 3 if abs(value) < 100 else 1
    return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"


def matrix_rows(matrix: ScoreMatrix) -> list[Row]:
    """The scores themselves, one row per document; nan for missing scores."""
    rows = []
    for name, values, group in zip(matrix.documents, matrix.values, matrix.sets or matrix.documents, strict=True):
        row: Row = {"document": name, **({"set": group} if matrix.sets else {})}
        rows.append(row | dict(zip(matrix.systems, map(float, values), strict=True)))
    return rows


def rank_rows(ranks: scores.MeanRanks, alpha: float) -> list[Row]:
    """One row per group, best first: its mean rank, its comparison interval, and how many groups differ from it."""
    low, high = ranks.ends(alpha)
    return [
        {
            "group": ranks.names[g],
            "scores": int(ranks.counts[g]),
            "mean rank": float(ranks.means[g]),
            "low": float(low[g]),
            "high": float(high[g]),
            "groups that differ": int(ranks.differing(g, alpha).sum()),
        }
        for g in np.argsort(-ranks.means, kind="stable")
    ]


# ---- LaTeX and the terminal


def counts_latex(result: scores.ScoresResult, alpha: float) -> str:
    """The counts as a LaTeX table in the form of Rankel et al.'s Tables 1 and 2, corrected counts in brackets."""
    families = [f for f in FAMILIES if f == "all" or result.mixed.any()]
    rows = []
    for method in scores.METHODS:
        cells = [
            result.count(family, method, statistic, alpha) for family in families for statistic in scores.STATISTICS
        ]
        rows.append([scores.METHOD_TITLES[method], *map(str, cells)])
    heads = [("", 1), *((_pairs_in_words(result, f), 3) for f in families)]
    caption = (
        f"Pairs of systems that differ in {result.run.matrix.title} at alpha {alpha:g} (two-sided, "
        f"{result.run.matrix.n} {result.run.matrix.rows}), in brackets after correction ({corrections.printed(result.correction)}). "
        f"MC and HB: {count(result.run.resamples, 'draw')}."
    )
    short = ["Unpair-T", "Pair-T", "Wilc."]
    return latex_table(["p by", *(short * len(families))], rows, caption, "tab:scores", spanning(heads))


def _pairs_in_words(result: scores.ScoresResult, family: str) -> str:
    systems, humans = len(result.run.matrix.systems), len(result.humans)
    if family == "all":
        return f"all {count(systems * (systems - 1) // 2, 'pair')}"
    return f"human against machine: {systems - humans} x {humans} = {count(int(result.mixed.sum()), 'pair')}"


MOST_MEANS = 10  # systems on one line


def means(matrix: ScoreMatrix) -> str:
    """The mean score of each system, the best first. A system without any score is left out."""
    columns = zip(matrix.systems, matrix.values.T, strict=True)
    scored = [(name, float(np.nanmean(own))) for name, own in columns if not np.isnan(own).all()]
    scored.sort(key=lambda one: one[1], reverse=matrix.better == "higher")
    digits = 4 if all(abs(mean) <= 1 for _, mean in scored) else 2  # shares have four
    best_first = listed((f"{name} {mean:.{digits}f}" for name, mean in scored), MOST_MEANS)
    return f"mean {matrix.title} of the {matrix.rows}, best first: {best_first}"


def scores_table(result: scores.ScoresResult, alpha: float) -> str:
    """The counts, the tests of ranks and the notes as text."""
    run = result.run
    header = ["", *(scores.TITLES[s] for s in scores.STATISTICS)]
    blocks = []
    for family in FAMILIES:
        counts = [c for c in result.counts(alpha) if c.family == family]
        if counts:
            rows = [[scores.METHOD_TITLES[m], *(str(c) for c in counts if c.method == m)] for m in scores.METHODS]
            title = (
                f"{FAMILIES[family]}, {counts[0].pairs}: those with p <= {alpha:g} (in brackets: after the correction)"
            )
            blocks.append(f"{title}\n{align(header, rows, left=(0,))}")
    lines = [
        f"{printable(run.matrix.name, 0)}: {run.matrix.n:,} {run.matrix.rows}, {count(len(run.matrix.systems), 'system')}, {run.matrix.direction}",
        printable(means(run.matrix), 0),
        f"two-sided, zeros: {run.zeros}, {corrections.printed(result.correction)}, R = {run.resamples:,}, seed {run.seed}",
        "",
        "\n\n".join(blocks),
        "",
        *(omnibus_sentence(item, run.matrix.row_sets) for item in run.omnibus),
        printable(summary(result, alpha), 0),
    ]
    return "\n".join(lines + [f"note: {printable(note, 0)}" for note in result.notes(alpha)])


# A score matrix and its pairs as JSON; undefined numbers are null.


@dataclass(frozen=True, eq=False)
class At:
    """A result at one alpha."""

    result: scores.ScoresResult
    alpha: float

    def counted(self, family: str) -> scores.fields.Counted | None:
        """The numbers of pairs of a family; None without any."""
        counts = {(c.method, c.statistic): c for c in self.result.counts(self.alpha) if c.family == family}
        return scores.fields.Counted(counts) if counts else None

    def ranked(self, factor: str) -> scores.fields.Ranks | None:
        """The mean ranks over a factor, if there are any."""
        ranks = self.result.run.ranks(factor)
        return None if ranks is None else scores.fields.Ranks(ranks, self.alpha)

    @property
    def pairs(self) -> list[scores.fields.Tested]:
        """All pairs."""
        cutoffs = self.result.cutoffs(self.alpha)
        return [scores.fields.Tested(self.result, cutoffs, k) for k in range(len(self.result.run.pairs))]

    @property
    def quartiles(self) -> tuple[float, ...]:
        """Those of the efficiency of W over the pairs where it is defined."""
        values = self.result.run.efficiency
        defined = values[np.isfinite(values)]
        return tuple(np.percentile(defined, [25, 50, 75]).tolist()) if len(defined) else (math.nan,) * 3


PAIR = from_toml(__file__, "pairs", *scores.fields.PAIRS, note={"of": lambda one: why_not(one.result, one.pair)})
COUNTS = from_toml(
    __file__,
    "counts",
    all={"of": lambda at: at.counted("all"), "fields": scores.fields.COUNTS},
    human_machine={"of": lambda at: at.counted("human_machine"), "fields": scores.fields.COUNTS},
)
QUARTILES = from_toml(__file__, "estimated")
EFFICIENCY = from_toml(
    __file__, "efficiency", theory={"of": lambda at: dict(scores.THEORY)}, estimated={"of": SELF, "fields": QUARTILES}
)
OMNIBUS = {
    "kruskal": ("kruskal", "documents", "Kruskal-Wallis over documents."),
    "friedman": ("friedman", "systems", "Friedman over systems, with documents as blocks."),
    "kruskal_systems": ("kruskal", "systems", "Kruskal-Wallis over systems."),
    "friedman_documents": ("friedman", "documents", "Friedman over documents, with systems as blocks."),
}
TUKEY = {"tukey": "documents", "tukey_systems": "systems", "tukey_within_documents": "systems within documents"}


def _omnibus(test: str, factor: str) -> Of:
    return lambda at: at.result.run.test(test, factor)


def _ranked(factor: str) -> Of:
    return lambda at: at.ranked(factor)


SCORES = from_toml(
    __file__,
    "scores",
    MATRIX["better"].read("result.run.matrix.better"),
    MATRIX["direction"].read("result.run.matrix.direction"),
    NAMED["family"].read(lambda at: of_p(at.result.p_values[0, 0].tolist(), at.result.correction)),
    MATRIX["estimator"].read("result.estimator"),
    NAMED["signature"].read("result.signature"),
    NAMED["environment"],
    *(
        Field(name, "#omnibus?", sentence, of=_omnibus(*of), fields=scores.fields.OMNIBUS)
        for name, (*of, sentence) in OMNIBUS.items()
    ),
    *(
        Field(name, "#ranks?", f"Mean ranks of {factor}.", of=_ranked(factor), fields=scores.fields.RANKS)
        for name, factor in TUKEY.items()
    ),
    notes={"of": lambda at: at.result.notes(at.alpha)},
    counts={"of": SELF, "fields": COUNTS},
    efficiency={"of": SELF, "fields": EFFICIENCY},
    pairs={"fields": PAIR},
)


def scores_json(result: scores.ScoresResult, alpha: float, warnings: Sequence[str] = ()) -> Row:
    """Everything, ready for `json.dumps(..., allow_nan=False)`: undefined numbers are null. `warnings` of the reading come
    first among the notes.

    `kruskal` and `tukey` are over document sets, `kruskal_systems` and `tukey_systems` over systems; in `counts` a
    number is how many pairs have p <= alpha, uncorrected unless it is under `corrected`; null where so few draws cannot
    give such a p.
    """
    found = as_json(SCORES, At(result, alpha))
    return found | {"notes": [*warnings, *result.notes(alpha)]}
